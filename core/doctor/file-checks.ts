/** Checks files (F11, M2): Claude Code's settings, ours, all memories, errors in the logs. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { factsFile } from '../memory/l2-facts/facts-file.ts';
import { conceptsFile } from '../memory/l3-concepts/concepts-file.ts';
import { memoryIndexFile } from '../memory/log/memory-index.ts';
import { redact } from '../memory/redact/redact.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { distinctMessages, type Message, message } from '../messages/message.ts';
import { readDocument } from '../platform/store/document.ts';
import { readSmallFile } from '../platform/store/read-file.ts';
import { settingsProblem } from '../plugin/user-settings.ts';
import { conceptsPath, factsPath } from '../projects/memory-paths.ts';
import type { ProjectMemory } from '../projects/project-memory.ts';
import { readSettings } from '../settings/settings.ts';
import { firstFew, notice, type Patient, problem, type Result, well } from './check.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_LOG_BYTES = 8 * 1024 * 1024;
const SHOWN_LETTERS = 300;
const LOGS = ['hooks.log', 'app.log'];
const SET_ASIDE = /\.broken-[\dTZ-]+$/;

export function checkClaudeSettings({ options: { places } }: Patient): Result {
  const reason = settingsProblem(places);
  return reason === undefined
    ? well(message('doctor.claudeSettingsFound'))
    : problem(reason, message('doctor.claudeSettingsMend'));
}

export function checkSettings(patient: Patient): Result {
  const { places } = patient.options;
  const roots = [undefined, ...patient.projects().map(({ root }) => root)];
  // The user's own problems are reported again for each project.
  const problems = distinctMessages(roots.flatMap((root) => readSettings(places, root).problems));
  if (problems.length === 0) return well(message('doctor.settingsFound'));
  return problem(
    message('plugin.lines', { lines: firstFew(problems) }),
    message('doctor.settingsMend'),
  );
}

export async function checkMemory(patient: Patient): Promise<Result> {
  const broken: (Message | string)[] = [];
  const aside: string[] = [];
  const projects = patient.projects();
  for (const project of projects) {
    broken.push(...brokenFiles(project));
    aside.push(...(await setAside(project)));
    await nextTurn(); // lets other checks and the timeout run
  }
  if (broken.length > 0)
    return problem(
      message('plugin.lines', { lines: firstFew(broken) }),
      message('doctor.memoryRebuild'),
    );
  if (projects.length === 0) return well(message('doctor.memoryNone'));
  if (aside.length === 0) return well(message('doctor.memoryFound', { count: projects.length }));
  return notice(
    message('doctor.memorySetAside', { files: firstFew(aside) }),
    message('doctor.memorySetAsideMend'),
  );
}

function brokenFiles(project: ProjectMemory): (Message | string)[] {
  const name = project.name;
  return [
    readDocument(project.index, memoryIndexFile),
    readDocument(factsPath(project), factsFile),
    readDocument(conceptsPath(project), conceptsFile),
  ].flatMap((reading) =>
    'reason' in reading
      ? [message('doctor.inProject', { project: name, reason: reading.reason })]
      : [],
  );
}

async function setAside({ folder, sessions }: ProjectMemory): Promise<string[]> {
  const files = [folder, sessions].map(async (path) =>
    (await readdir(path).catch(() => [])).map((name) => join(path, name)),
  );
  return (await Promise.all(files)).flat().filter((path) => SET_ASIDE.test(path));
}

export function checkLogs(patient: Patient): Result {
  const errors = LOGS.flatMap((log) => recentErrors(patient, log)).sort((a, b) =>
    a.at < b.at ? -1 : 1,
  );
  const newest = errors.at(-1);
  if (newest === undefined) return well(message('doctor.logsNone'));
  const { log, at, words } = newest;
  const line = redact(words).slice(0, SHOWN_LETTERS);
  return notice(
    message('doctor.logsFound', { count: errors.length, log, at, line }),
    message('doctor.logsMend', { path: join(patient.options.places.home, log) }),
  );
}

function recentErrors(
  { options, now }: Patient,
  log: string,
): { at: string; log: string; words: string }[] {
  const file = readSmallFile(join(options.places.home, log), MAX_LOG_BYTES);
  if (file.state === 'refused') throw new ExpectedError(file.reason);
  const since = new Date(now - DAY_MS).toISOString();
  const lines = file.state === 'ok' ? file.text.split('\n') : [];
  return lines.flatMap((line) => {
    // A stack is logged as one line; its first part is the error.
    const [, at = '', words = ''] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (.*?)(?:\\n|$)/.exec(line) ?? [];
    return at > since ? [{ at, log, words }] : [];
  });
}
