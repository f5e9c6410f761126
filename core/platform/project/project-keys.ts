/**
 * The small files that lead from a path to the place of a project (M1). A path alone proves nothing,
 * because another folder can lie there tomorrow, so each is noted with the birth of the folder.
 */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeFileAtomic } from '../store/atomic-write.ts';
import { attempt, parseJson } from '../store/attempt.ts';
import { shortHash } from '../store/owner.ts';
import type { Places } from '../store/places.ts';
import { readSmallFile } from '../store/read-file.ts';
import { isRecord, type JsonRecord, stringAt } from '../text/json.ts';

const MAX_KEY_BYTES = 64 * 1024;

/** What a path leads to. */
export interface Key {
  path: string;
  /** The name of the folder in `projects`. */
  project: string;
  /** Of the folder at the path when it was noted. */
  mark: string;
}

const keysFolder = (places: Places): string => join(places.home, 'project-keys');

export function keyPath(places: Places, path: string): string {
  return join(keysFolder(places), `${shortHash(path)}${shortHash(`${path}.`)}.json`);
}

export function readKey(places: Places, path: string): Key | undefined {
  const key = recordIn(keyPath(places, path), MAX_KEY_BYTES);
  const project = stringAt(key, 'project') ?? '';
  const isUsable = key.path === path && project !== '' && basename(project) === project;
  return isUsable ? { path, project, mark: stringAt(key, 'mark') ?? '' } : undefined;
}

export function writeKey(places: Places, path: string, project: string): void {
  const key: Key = { path, project, mark: markOf(path) };
  writeFileAtomic(keyPath(places, path), `${JSON.stringify(key)}\n`);
}

/** All paths that lead to a place. */
export function keysTo(places: Places, project: string): Key[] {
  const names = attempt(() => readdirSync(keysFolder(places)), []);
  return names.flatMap((name) => {
    const path = stringAt(recordIn(join(keysFolder(places), name), MAX_KEY_BYTES), 'path');
    const key = path === undefined ? undefined : readKey(places, path);
    return key?.project === project ? [key] : [];
  });
}

/** To another place. Whether the folder is still the same one remains to be seen. */
export function pointKey(places: Places, key: Key, project: string): void {
  writeFileAtomic(keyPath(places, key.path), `${JSON.stringify({ ...key, project })}\n`);
}

export function isUnchanged({ path, mark }: Key): boolean {
  return isSameMark(mark, markOf(path));
}

/** By their birth, if both know it. */
export function isSameMark(one: string, other: string): boolean {
  const [birth, inode] = one.split(' ');
  const [birthNow, inodeNow] = other.split(' ');
  const isBirthKnown = birth !== '0' && birthNow !== '0';
  return isBirthKnown ? birth === birthNow : inode === inodeNow;
}

/** When a folder was made, and its number; a file system may not know its birth. */
export function markOf(path: string): string {
  const [folder = ''] = path.split('\n', 1);
  const info = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return info === undefined ? 'gone' : `${info.birthtimeNs} ${info.ino}`;
}

/** Empty if there is none, or nothing that can be used. */
export function recordIn(path: string, maxBytes: number): JsonRecord {
  const file = readSmallFile(path, maxBytes);
  const json = file.state === 'ok' ? parseJson(file.text) : undefined;
  return isRecord(json) ? json : {};
}
