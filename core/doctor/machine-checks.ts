/** Checks the machine (G8): a Node.js for hooks, the clock, and room on the disk. */
import { existsSync } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ExpectedError } from '../messages/expected-error.ts';
import { asMessage, message } from '../messages/message.ts';
import { nearestFolder, type Places } from '../platform/store/places.ts';
import { readSmallFile } from '../platform/store/read-file.ts';
import { dayStamp } from '../platform/text/stamp.ts';
import { runtimeProgram } from '../plugin/hook-runtime.ts';
import { copyFolder } from '../plugin/plugin-copy.ts';
import { notice, type Patient, problem, type Result, well } from './check.ts';

const MB = 1024 * 1024;
const ENOUGH_BYTES = 1024 * MB;
const LEAST_BYTES = 100 * MB;
const OLDEST_NODE = 18;
const QUESTION = 'runtime';
const MAX_SCRIPT_BYTES = 64 * 1024;
const ANSWER_TIMEOUT_MS = 20_000;
/** Files on a network disk may be a little ahead. */
const AHEAD_MS = 10 * 60_000;
const NOT_BEFORE = Date.parse('2025-01-01T00:00:00Z');

/** Asks the script that starts the hooks which Node.js it would use. */
export async function checkNode(patient: Patient): Promise<Result> {
  const { bundledPlugin, places, env, run } = patient.options;
  const isWindows = patient.platform === 'win32';
  const script = [bundledPlugin, copyFolder(places)]
    .flatMap((folder) => (folder === null ? [] : [join(folder, 'hooks')]))
    .filter(knowsQuestion)
    .map((folder) => join(folder, isWindows ? 'run.cmd' : 'run.sh'))
    .find(existsSync);
  if (script === undefined) return nodeOnPath(patient);
  const [shell, words] = isWindows ? ['cmd', ['/d', '/c', 'call']] : ['/bin/sh', []];
  const { ok, stdout, reason } = await run(shell, [...words, script, QUESTION], {
    timeoutMs: ANSWER_TIMEOUT_MS,
    env: { ...env, NODE_DISABLE_COMPILE_CACHE: '1' }, // checking makes no folder
  });
  if (!ok) throw new ExpectedError(asMessage(reason));
  const [, version, path = ''] = /^(\d+\.\d+\.\d+) (.+)$/m.exec(stdout) ?? [];
  if (version === undefined) return noNode(places);
  const code = path === runtimeProgram(places) ? 'doctor.nodeOfApp' : 'doctor.nodeFound';
  return well(message(code, { version, path }));
}

/** An older plugin would take the question for an event. */
function knowsQuestion(folder: string): boolean {
  const file = readSmallFile(join(folder, 'hook.cjs'), MAX_SCRIPT_BYTES);
  return file.state === 'ok' && file.text.includes(`'${QUESTION}'`);
}

async function nodeOnPath({ options: { run, env, places } }: Patient): Promise<Result> {
  const { ok, stdout } = await run('node', ['--version'], { timeoutMs: ANSWER_TIMEOUT_MS, env });
  const [, version = '', major = '0'] = /^v((\d+)\.\d+\.\d+)/.exec(stdout) ?? [];
  return ok && Number(major) >= OLDEST_NODE
    ? well(message('doctor.nodeOnPath', { version }))
    : noNode(places);
}

function noNode(places: Places): Result {
  const path = runtimeProgram(places);
  const found =
    path === undefined ? message('doctor.nodeMissing') : message('doctor.nodeOfAppGone', { path });
  return problem(found, message('doctor.nodeMend'));
}

export async function checkClock(patient: Patient): Promise<Result> {
  const day = dayStamp(new Date(patient.now));
  const mend = message('doctor.clockMend');
  if (patient.now < NOT_BEFORE) return problem(message('doctor.clockWrong', { day }), mend);
  const ahead = await transcriptsAhead(patient);
  const [path] = ahead;
  return path === undefined
    ? well(message('doctor.clockFound', { day }))
    : notice(message('doctor.clockBehind', { count: ahead.length, path }), mend);
}

async function transcriptsAhead({ options, now }: Patient): Promise<string[]> {
  const top = join(options.places.claude, 'projects');
  const ahead: string[] = [];
  for (const folder of await readdir(top).catch(() => [])) {
    const names = await readdir(join(top, folder)).catch(() => []);
    for (const name of names.filter((file) => file.endsWith('.jsonl'))) {
      const path = join(top, folder, name);
      const info = await stat(path).catch(() => undefined); // gone meanwhile
      if (info !== undefined && info.mtimeMs > now + AHEAD_MS) ahead.push(path);
    }
  }
  return ahead;
}

export async function checkDisk({ options }: Patient): Promise<Result> {
  const folder = nearestFolder(options.places.home);
  const free = await (options.freeBytes ?? freeBytes)(folder);
  const isEnough = free >= ENOUGH_BYTES;
  const size = isEnough ? `${Math.floor(free / ENOUGH_BYTES)} GB` : `${Math.floor(free / MB)} MB`;
  const found = message('doctor.diskFree', { size, folder });
  if (isEnough) return well(found);
  return (free < LEAST_BYTES ? problem : notice)(found, message('doctor.diskMend'));
}

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
