/**
 * The machine (G8): a Node.js for hooks, found by the very script that starts them; its clock; room
 * on its disk.
 */

import { existsSync } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { dayStamp } from '../../memory/text/stamp.ts';
import { renderMessage } from '../../messages/all-messages.ts';
import { runtimeProgram } from '../../plugin/hook-runtime.ts';
import { copyFolder } from '../../plugin/plugin-copy.ts';
import { nearestFolder } from '../../store/nearest-folder.ts';
import { readSmallFile } from '../../store/read-file.ts';
import type { Check, Patient, Result } from '../check.ts';

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
  title: 'Node.js for hooks',
  why: 'Hooks are programs for Node.js, version 18 or later. Without one, nothing that is said is kept.',
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
    if (!ok) throw new Error(renderMessage('en', reason));
    const [, version, path] = /^(\d+\.\d+\.\d+) (.+)$/m.exec(stdout) ?? [];
    const ours = runtimeProgram(places);
    if (version === undefined) return noNode(ours);
    const whose = path === ours ? ', which the application brings along' : '';
    return { state: 'well', found: `Hooks run with Node.js ${version} at ${path}${whose}.` };
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
    ? { state: 'well', found: `Node.js ${version} is on PATH.` }
    : noNode(runtimeProgram(places));
}

/** `ours`: the program of the application that was left for hooks. */
function noNode(ours: string | undefined): Result {
  const left =
    ours === undefined
      ? 'has left none of its own'
      : `has left ${ours}, which is gone or does not run`;
  return {
    state: 'problem',
    found: `There is no Node.js (18 or later): not on PATH, not where version managers put it, and the application ${left}.`,
    mend: 'Install Node.js (https://nodejs.org), or start the Memory Keeper application and install the plugin there: it brings one along.',
  };
}

export const clockCheck: Check = {
  id: 'clock',
  title: 'Clock',
  why: 'Sessions are put in order by time. With a clock that goes wrong, the newest is not found.',
  async look(patient) {
    const today = dayStamp(new Date(patient.now));
    const mend = 'Set the clock of this computer, or let it be set by the network.';
    if (patient.now < NOT_BEFORE)
      return { state: 'problem', found: `This computer takes today for ${today}.`, mend };
    const ahead = await transcriptsAhead(patient);
    if (ahead.length === 0)
      return { state: 'well', found: `It is ${today}, and no transcript is from the future.` };
    return {
      state: 'notice',
      found: `Transcripts from the future: ${ahead.length}, such as ${ahead[0]}.`,
      mend,
    };
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
  title: 'Room on the disk',
  why: 'On a full disk nothing can be kept.',
  async look({ options }) {
    const folder = nearestFolder(options.places.home);
    const free = await (options.freeBytes ?? freeBytes)(folder);
    const found = `${free < ENOUGH_BYTES ? `${Math.floor(free / MB)} MB` : `${Math.floor(free / ENOUGH_BYTES)} GB`} are free where ${folder} lies.`;
    if (free >= ENOUGH_BYTES) return { state: 'well', found };
    return {
      state: free < LEAST_BYTES ? 'problem' : 'notice',
      found,
      mend: 'Make room on that disk.',
    };
  },
};

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
