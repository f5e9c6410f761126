/**
 * Files that are read (F11, M2): Claude Code's settings, ours, the memories of all known projects,
 * and what the logs say went wrong.
 */

import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { factsFile } from '../../memory/l2-facts/facts-file.ts';
import { conceptsFile } from '../../memory/l3-concepts/concepts-file.ts';
import { memoryIndexFile } from '../../memory/project/memory-index.ts';
import { conceptsPath, factsPath } from '../../memory/project/memory-paths.ts';
import { linkOut, type ProjectMemory } from '../../memory/project/project-memory.ts';
import { redact } from '../../memory/redact/redact.ts';
import { localTime } from '../../memory/text/stamp.ts';
import { renderMessage } from '../../messages/all-messages.ts';
import { settingsProblem } from '../../plugin/user-settings.ts';
import { readSettings } from '../../settings/settings.ts';
import { readDocument } from '../../store/document.ts';
import { readSmallFile } from '../../store/read-file.ts';
import type { Check, Patient } from '../check.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_LOG_BYTES = 8 * 1024 * 1024;
const SHOWN_LETTERS = 300;
const SHOWN = 5;
const LOGS = ['hooks.log', 'app.log'];
const SET_ASIDE = /\.broken-[\dTZ-]+$/;

export const claudeSettingsCheck: Check = {
  id: 'claude-settings',
  title: 'Settings of Claude Code',
  why: 'The plugin is switched on in settings.json, by Claude Code itself. It cannot change a file that it does not understand.',
  look({ options: { places } }) {
    const problem = settingsProblem(places);
    if (problem === undefined)
      return { state: 'well', found: 'settings.json can be read and changed.' };
    return {
      state: 'problem',
      found: problem,
      mend: 'Mend it in an editor, or give yourself the rights to it, and run the doctor again.',
    };
  },
};

export const settingsCheck: Check = {
  id: 'settings',
  title: 'Settings of Memory Keeper',
  why: 'A setting that is not understood is not used; what holds instead may not be what you want.',
  look(patient) {
    const { places } = patient.options;
    const problems = [undefined, ...patient.projects().map(({ root }) => root)].flatMap(
      (root) => readSettings(places, root).problems,
    );
    const told = [...new Set(problems.map((problem) => renderMessage('en', problem)))];
    if (told.length === 0) return { state: 'well', found: 'All settings are understood.' };
    return {
      state: 'problem',
      found: inList(told),
      mend: 'Set it anew with `memory-keeper config`, or mend the file.',
    };
  },
};

export const memoryCheck: Check = {
  id: 'memory',
  title: 'Memories',
  why: 'A file that cannot be read is not given to new sessions. It is never thrown away.',
  async look(patient) {
    const [broken, aside]: [string[], string[]] = [[], []];
    const projects = patient.projects();
    for (const project of projects) {
      broken.push(...brokenFiles(project));
      aside.push(...(await setAside(project)));
      await nextTurn(); // others have their turn, and the time limit
    }
    if (broken.length > 0)
      return {
        state: 'problem',
        found: inList(broken),
        mend: 'In that project, `memory-keeper memory rebuild` makes facts and concepts anew from the journal.',
      };
    if (projects.length === 0) return { state: 'well', found: 'No project has a memory yet.' };
    const known = projects.length === 1 ? 'one project' : `${projects.length} projects`;
    if (aside.length === 0) return { state: 'well', found: `The memory of ${known} can be read.` };
    return {
      state: 'notice',
      found: `Files that could not be understood were set aside: ${inList(aside)}`,
      mend: 'Look whether something in them is missed; then they can be deleted.',
    };
  },
};

function brokenFiles(project: ProjectMemory): string[] {
  const link = linkOut(project);
  if (link !== undefined) return [renderMessage('en', link)];
  const readings = [
    readDocument(project.index, memoryIndexFile),
    readDocument(factsPath(project), factsFile),
    readDocument(conceptsPath(project), conceptsFile),
  ];
  return readings.flatMap((reading) =>
    'reason' in reading
      ? [`${basename(project.root)}: ${renderMessage('en', reading.reason)}`]
      : [],
  );
}

async function setAside({ folder, sessions }: ProjectMemory): Promise<string[]> {
  const names = await Promise.all(
    [folder, sessions].map(async (path) =>
      (await readdir(path).catch(() => [])).map((name) => join(path, name)),
    ),
  );
  return names.flat().filter((path) => SET_ASIDE.test(path));
}

export const logsCheck: Check = {
  id: 'logs',
  title: 'Errors in the logs',
  why: 'A hook never stands in the way of a session, so what goes wrong in one is only written down.',
  look(patient) {
    const errors = LOGS.flatMap((name) => newErrors(patient, name)).sort((a, b) =>
      a.at < b.at ? -1 : 1,
    );
    const newest = errors.at(-1);
    if (newest === undefined) return { state: 'well', found: 'There is none of the last day.' };
    const times = errors.length === 1 ? 'One error' : `${errors.length} errors`;
    return {
      state: 'notice',
      found: `${times} of the last day. The newest, of ${localTime(newest.at)} in ${newest.name}: ${redact(newest.words).slice(0, SHOWN_LETTERS)}`,
      mend: `Please report it, with the lines around it in ${join(patient.options.places.home, newest.name)}.`,
    };
  },
};

function newErrors(
  { options, now }: Patient,
  name: string,
): { at: string; name: string; words: string }[] {
  const file = readSmallFile(join(options.places.home, name), MAX_LOG_BYTES);
  if (file.state === 'refused') throw new Error(renderMessage('en', file.reason));
  const since = new Date(now - DAY_MS).toISOString();
  const lines = file.state === 'ok' ? file.text.split('\n') : [];
  return lines.flatMap((line) => {
    // Of a stack, which stands in one line, the error itself.
    const [, at = '', words = ''] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (.*?)(?:\\n|$)/.exec(line) ?? [];
    return at > since ? [{ at, name, words }] : [];
  });
}

function inList(lines: readonly string[]): string {
  const more = lines.length > SHOWN ? [`and ${lines.length - SHOWN} more`] : [];
  return [...lines.slice(0, SHOWN), ...more].join('; ');
}
