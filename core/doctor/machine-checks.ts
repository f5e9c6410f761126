/**
 * The machine (G8): a Node.js for hooks, found by the very script that starts them; its clock; room
 * on its disk.
 */

import { existsSync } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ExpectedError } from '../messages/expected-error.ts';
import { asMessage, message } from '../messages/message.ts';
import { nearestFolder } from '../platform/store/places.ts';
import { readSmallFile } from '../platform/store/read-file.ts';
import { dayStamp } from '../platform/text/stamp.ts';
import { runtimeProgram } from '../plugin/hook-runtime.ts';
import { copyFolder } from '../plugin/plugin-copy.ts';
import type { Check, Patient, Result } from './check.ts';

const MB = 1024 * 1024;
const ENOUGH_BYTES = 1024 * MB;
const LEAST_BYTES = 100 * MB;
const OLDEST_NODE = 18;
const QUESTION = 'runtime';
const MAX_SCRIPT_BYTES = 64 * 1024;
const ANSWER_WITHIN_MS = 20_000;
/** Files on a disk of the network may be a little ahead. */
const AHEAD_MS = 10 * 60_000;
const NOT_BEFORE = Date.parse('2025-01-01T00:00:00Z');

export const nodeCheck: Check = {
  id: 'node',
  title: message('doctor.nodeTitle'),
  why: message('doctor.nodeWhy'),
  async look(patient) {
    const { carried, places } = patient.options;
    const isWindows = patient.platform === 'win32';
    const folders = [carried, copyFolder(places)].flatMap((folder) =>
      folder === null ? [] : [join(folder, 'hooks')],
    );
    const scripts = folders
      .filter(knowsQuestion)
      .map((folder) => join(folder, isWindows ? 'run.cmd' : 'run.sh'));
    const script = scripts.find(existsSync);
    if (script === undefined) return nodeOnPath(patient);
    const [shell, ...words] = isWindows ? ['cmd', '/d', '/c', 'call'] : ['/bin/sh'];
    const { ok, stdout, reason } = await patient.options.run(
      shell as string,
      [...words, script, QUESTION],
      {
        timeoutMs: ANSWER_WITHIN_MS,
        // It would make a folder for what it compiles.
        env: { ...patient.options.env, NODE_DISABLE_COMPILE_CACHE: '1' },
      },
    );
    if (!ok) throw new ExpectedError(asMessage(reason));
    const [, version, path = ''] = /^(\d+\.\d+\.\d+) (.+)$/m.exec(stdout) ?? [];
    const ours = runtimeProgram(places);
    if (version === undefined) return noNode(ours);
    const code = path === ours ? 'doctor.nodeOfApp' : 'doctor.nodeFound';
    return { state: 'well', found: message(code, { version, path }) };
  },
};

/** An older plugin would take the question for an event. */
function knowsQuestion(folder: string): boolean {
  const file = readSmallFile(join(folder, 'hook.cjs'), MAX_SCRIPT_BYTES);
  return file.state === 'ok' && file.text.includes(`'${QUESTION}'`);
}

async function nodeOnPath({ options: { run, env, places } }: Patient): Promise<Result> {
  const { ok, stdout } = await run('node', ['--version'], { timeoutMs: ANSWER_WITHIN_MS, env });
  const [, version = '', major = '0'] = /^v((\d+)\.\d+\.\d+)/.exec(stdout) ?? [];
  return ok && Number(major) >= OLDEST_NODE
    ? { state: 'well', found: message('doctor.nodeOnPath', { version }) }
    : noNode(runtimeProgram(places));
}

/** `ours`: the program of the application that was left for hooks. */
function noNode(ours: string | undefined): Result {
  const found =
    ours === undefined
      ? message('doctor.nodeMissing')
      : message('doctor.nodeOfAppGone', { path: ours });
  return { state: 'problem', found, mend: message('doctor.nodeMend') };
}

export const clockCheck: Check = {
  id: 'clock',
  title: message('doctor.clockTitle'),
  why: message('doctor.clockWhy'),
  async look(patient) {
    const day = dayStamp(new Date(patient.now));
    const mend = message('doctor.clockMend');
    if (patient.now < NOT_BEFORE)
      return { state: 'problem', found: message('doctor.clockWrong', { day }), mend };
    const ahead = await transcriptsAhead(patient);
    const [path] = ahead;
    if (path === undefined) return { state: 'well', found: message('doctor.clockFound', { day }) };
    const found = message('doctor.clockBehind', { count: ahead.length, path });
    return { state: 'notice', found, mend };
  },
};

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

export const diskCheck: Check = {
  id: 'disk',
  title: message('doctor.diskTitle'),
  why: message('doctor.diskWhy'),
  async look({ options }) {
    const folder = nearestFolder(options.places.home);
    const free = await (options.freeBytes ?? freeBytes)(folder);
    const isEnough = free >= ENOUGH_BYTES;
    const size = isEnough ? `${Math.floor(free / ENOUGH_BYTES)} GB` : `${Math.floor(free / MB)} MB`;
    const found = message('doctor.diskFree', { size, folder });
    if (isEnough) return { state: 'well', found };
    const state = free < LEAST_BYTES ? 'problem' : 'notice';
    return { state, found, mend: message('doctor.diskMend') };
  },
};

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
