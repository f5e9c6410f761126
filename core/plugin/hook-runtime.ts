/**
 * The Node.js that the application brings along for hooks (G8): a script in our own folder, where
 * hooks-plugin/run.sh looks for it, that starts the application's own program. A script and not a
 * link: a program of a macOS bundle looks for its parts where it was started from, and Windows lets
 * only some users make links. It comes and goes with the plugin's copy, and is written anew
 * whenever the application starts: that may have been moved (B4).
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { PRIVATE_PROGRAM, writeFileAtomic } from '../platform/store/atomic-write.ts';
import type { Places } from '../platform/store/places.ts';
import { removeFile } from '../platform/store/prune.ts';
import { readSmallFile } from '../platform/store/read-file.ts';
import { leaveWindowsRuntime, windowsRuntimePath } from './windows-plugin.ts';

const MAX_BYTES = 16 * 1024;
const START = /^exec '(.+)' "\$@"$/ms;
const QUOTE = `'\\''`;

const runtimePath = ({ home }: Places) => join(home, 'runtime');

export function leaveRuntime(
  places: Places,
  program: string,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'win32') {
    leaveWindowsRuntime(places, program, process.env);
    return;
  }
  const path = runtimePath(places);
  // Somebody's link leads to a program of theirs, which must not be written over.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) removeFile(path);
  const lines = [
    '#!/bin/sh',
    '# For hooks where there is no Node.js: left by the Memory Keeper application, which takes it away with the plugin.',
    `exec '${program.replaceAll("'", QUOTE)}' "$@"`,
  ];
  writeFileAtomic(path, `${lines.join('\n')}\n`, { mode: PRIVATE_PROGRAM, durable: false });
}

export function removeRuntime(places: Places): void {
  removeFile(runtimePath(places));
  removeFile(windowsRuntimePath(places));
}

/** The program that it starts; undefined if the application has left none. */
export function runtimeProgram(places: Places): string | undefined {
  const script = readSmallFile(runtimePath(places), MAX_BYTES);
  return script.state === 'ok' ? START.exec(script.text)?.[1]?.replaceAll(QUOTE, "'") : undefined;
}
