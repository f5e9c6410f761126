/**
 * The Node.js that the application brings for hooks (G8): a script in our own folder, where run.sh
 * and run.cmd look for it, that starts the application's own program. It is no link: a program of a
 * macOS bundle finds its parts by its path, and on Windows not everybody may make links. Each start
 * of the application writes it again, since that may have been moved (B4).
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { PRIVATE_PROGRAM, writeFileAtomic } from '../platform/store/atomic-write.ts';
import { removeFile } from '../platform/store/file-changes.ts';
import type { Places } from '../platform/store/places.ts';
import { readSmallFile } from '../platform/store/read-file.ts';

const MAX_BYTES = 16 * 1024;
const START = /^exec '(.+)' "\$@"$/ms;
const QUOTE = `'\\''`;

/** cmd reads only ASCII alike everywhere, so folders with the user's name become variables. */
const WINDOWS_FOLDERS = ['LOCALAPPDATA', 'USERPROFILE', 'ProgramFiles'];

const runtimePath = ({ home }: Places) => join(home, 'runtime');
const windowsRuntimePath = ({ home }: Places) => join(home, 'runtime.cmd');

export function writeRuntime(
  places: Places,
  program: string,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'win32') {
    writeWindowsRuntime(places, program, process.env);
    return;
  }
  const path = runtimePath(places);
  // A link of somebody's leads to their program, which must not be overwritten.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) removeFile(path);
  const lines = [
    '#!/bin/sh',
    '# For hooks where there is no Node.js: left by the Memory Keeper application, which takes it away with the plugin.',
    `exec '${program.replaceAll("'", QUOTE)}' "$@"`,
  ];
  writeFileAtomic(path, `${lines.join('\n')}\n`, { mode: PRIVATE_PROGRAM, durable: false });
}

export function writeWindowsRuntime(places: Places, program: string, env: NodeJS.ProcessEnv): void {
  const variable = WINDOWS_FOLDERS.find(
    (name) => env[name] && program.startsWith(`${env[name]}\\`),
  );
  const folder = variable === undefined ? '' : (env[variable] ?? '');
  const rest = program.slice(folder.length).replaceAll('%', '%%');
  const lines = [
    '@rem For hooks where there is no Node.js: left by the Memory Keeper application.',
    `@"${variable === undefined ? '' : `%${variable}%`}${rest}" %*`,
  ];
  writeFileAtomic(windowsRuntimePath(places), lines.map((line) => `${line}\r\n`).join(''), {
    durable: false,
  });
}

export function removeRuntime(places: Places): void {
  removeFile(runtimePath(places));
  removeFile(windowsRuntimePath(places));
}

/** The program that the script starts; undefined if there is none. */
export function runtimeProgram(places: Places): string | undefined {
  const script = readSmallFile(runtimePath(places), MAX_BYTES);
  return script.state === 'ok' ? START.exec(script.text)?.[1]?.replaceAll(QUOTE, "'") : undefined;
}
