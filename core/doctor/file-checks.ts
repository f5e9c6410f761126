/**
 * Files that are read (F11, M2): Claude Code's settings, ours, the memories of all known projects,
 * and what the logs say went wrong.
 */

import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { factsFile } from '../memory/l2-facts/facts-file.ts';
import { conceptsFile } from '../memory/l3-concepts/concepts-file.ts';
import { memoryIndexFile } from '../memory/log/memory-index.ts';
import { redact } from '../memory/redact/redact.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { readDocument } from '../platform/store/document.ts';
import { readSmallFile } from '../platform/store/read-file.ts';
import { settingsProblem } from '../plugin/user-settings.ts';
import { conceptsPath, factsPath } from '../projects/memory-paths.ts';
import { linkOut, type ProjectMemory } from '../projects/project-memory.ts';
import { readSettings } from '../settings/settings.ts';
import { type Check, firstOf, type Patient } from './check.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_LOG_BYTES = 8 * 1024 * 1024;
const SHOWN_LETTERS = 300;
const LOGS = ['hooks.log', 'app.log'];
const SET_ASIDE = /\.broken-[\dTZ-]+$/;

export const claudeSettingsCheck: Check = {
  id: 'claude-settings',
  title: message('doctor.claudeSettingsTitle'),
  why: message('doctor.claudeSettingsWhy'),
  look({ options: { places } }) {
    const problem = settingsProblem(places);
    if (problem === undefined)
      return { state: 'well', found: message('doctor.claudeSettingsFound') };
    return { state: 'problem', found: problem, mend: message('doctor.claudeSettingsMend') };
  },
};

export const settingsCheck: Check = {
  id: 'settings',
  title: message('doctor.settingsTitle'),
  why: message('doctor.settingsWhy'),
  look(patient) {
    const { places } = patient.options;
    const problems = [undefined, ...patient.projects().map(({ root }) => root)].flatMap(
      (root) => readSettings(places, root).problems,
    );
    // The user's own are told for each project.
    const different = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
    if (different.size === 0) return { state: 'well', found: message('doctor.settingsFound') };
    return {
      state: 'problem',
      found: message('plugin.lines', { lines: firstOf([...different.values()]) }),
      mend: message('doctor.settingsMend'),
    };
  },
};

export const memoryCheck: Check = {
  id: 'memory',
  title: message('doctor.memoryTitle'),
  why: message('doctor.memoryWhy'),
  async look(patient) {
    const broken: (Message | string)[] = [];
    const aside: string[] = [];
    const projects = patient.projects();
    for (const project of projects) {
      broken.push(...brokenFiles(project));
      aside.push(...(await setAside(project)));
      await nextTurn(); // others have their turn, and the time limit
    }
    if (broken.length > 0)
      return {
        state: 'problem',
        found: message('plugin.lines', { lines: firstOf(broken) }),
        mend: message('doctor.memoryRebuild'),
      };
    if (projects.length === 0) return { state: 'well', found: message('doctor.memoryNone') };
    if (aside.length === 0)
      return { state: 'well', found: message('doctor.memoryFound', { count: projects.length }) };
    return {
      state: 'notice',
      found: message('doctor.memorySetAside', { files: firstOf(aside) }),
      mend: message('doctor.memorySetAsideMend'),
    };
  },
};

function brokenFiles(project: ProjectMemory): (Message | string)[] {
  const link = linkOut(project);
  if (link !== undefined) return [link];
  const readings = [
    readDocument(project.index, memoryIndexFile),
    readDocument(factsPath(project), factsFile),
    readDocument(conceptsPath(project), conceptsFile),
  ];
  return readings.flatMap((reading) =>
    'reason' in reading
      ? [
          message('doctor.inProject', {
            project: basename(project.root),
            reason: reading.reason,
          }),
        ]
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
  title: message('doctor.logsTitle'),
  why: message('doctor.logsWhy'),
  look(patient) {
    const errors = LOGS.flatMap((name) => newErrors(patient, name)).sort((a, b) =>
      a.at < b.at ? -1 : 1,
    );
    const newest = errors.at(-1);
    if (newest === undefined) return { state: 'well', found: message('doctor.logsNone') };
    const { name: log, at, words } = newest;
    const line = redact(words).slice(0, SHOWN_LETTERS);
    return {
      state: 'notice',
      found: message('doctor.logsFound', { count: errors.length, log, at, line }),
      mend: message('doctor.logsMend', { path: join(patient.options.places.home, log) }),
    };
  },
};

function newErrors(
  { options, now }: Patient,
  name: string,
): { at: string; name: string; words: string }[] {
  const file = readSmallFile(join(options.places.home, name), MAX_LOG_BYTES);
  if (file.state === 'refused') throw new ExpectedError(file.reason);
  const since = new Date(now - DAY_MS).toISOString();
  const lines = file.state === 'ok' ? file.text.split('\n') : [];
  return lines.flatMap((line) => {
    // Of a stack, which stands in one line, the error itself.
    const [, at = '', words = ''] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (.*?)(?:\\n|$)/.exec(line) ?? [];
    return at > since ? [{ at, name, words }] : [];
  });
}
