/**
 * A Unix socket in our own folder that only this user's processes reach: the folder is private from
 * its making, and so is the socket. Nothing of it stays behind an orderly end.
 */

import { lstatSync } from 'node:fs';
import type { Server } from 'node:net';
import { dirname } from 'node:path';
import { makePrivateFolder, PRIVATE_FILE } from './atomic-write.ts';
import { attempt } from './attempt.ts';
import { disk } from './disk.ts';
import { removeFile } from './file-changes.ts';

/** Of a path to a socket, with some room: macOS takes 103. */
const MAX_PATH_BYTES = 100;

export function isSocketPath(path: string): boolean {
  return process.platform !== 'win32' && Buffer.byteLength(path) <= MAX_PATH_BYTES;
}

/** Takes the place of one that an ended process has left. Returns how it is removed again. */
export async function listenPrivately(server: Server, path: string): Promise<() => void> {
  makePrivateFolder(dirname(path));
  removeFile(path);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });
  disk.chmodSync(path, PRIVATE_FILE);
  const inode = inodeOf(path);
  return () => {
    // A later process may listen there by now.
    if (inodeOf(path) === inode) attempt(() => removeFile(path), undefined);
  };
}

function inodeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino;
}
