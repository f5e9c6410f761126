/**
 * Moves what is in a folder to another place, perhaps on another disk: all of it is there before
 * anything goes here.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { PRIVATE_FOLDER } from './atomic-write.ts';
import { attempt } from './attempt.ts';
import { disk } from './disk.ts';

export function moveFolder(from: string, to: string): void {
  if (!existsSync(from)) return;
  const isOurs = (name: string) => !name.endsWith('.lock'); // who waits for a lock waits at its old place
  const names = readdirSync(from).filter(isOurs);
  const taken = attempt(() => readdirSync(to), []).filter(
    (name) => isOurs(name) && name !== '.gitignore',
  );
  if (taken.length > 0) throw new ExpectedError(message('store.notEmpty', { path: to }));
  disk.mkdirSync(to, { recursive: true, mode: PRIVATE_FOLDER });
  for (const name of names)
    disk.cpSync(join(from, name), join(to, name), { recursive: true, preserveTimestamps: true });
  for (const name of names) disk.rmSync(join(from, name), { recursive: true });
  attempt(() => disk.rmdirSync(from), undefined); // a lock is still in it
}
