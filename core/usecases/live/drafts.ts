/**
 * Text that was typed in a window and not saved (M19), one private file a draft in our own folder:
 * it outlives the page, the browser and this program, and no page of others can ask for it. Each
 * host has its own, because a save in one window must not discard what is typed in another. Bounded
 * in number and size; what finds no room is told, so that it can be saved.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { sweepTempFiles, writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import type { Places } from '../../platform/store/places.ts';
import { MOST_DRAFT_CHARACTERS, MOST_DRAFTS } from './draft-limits.ts';

export const DRAFT_HOSTS = ['electron', 'browser'] as const;
export type DraftHost = (typeof DRAFT_HOSTS)[number];

export interface Draft {
  /** Its kind and its document, as the window names them. */
  name: string;
  /** null: it was saved or discarded. */
  value: unknown;
}

export interface KeptDraft extends Draft {
  /** When it was typed, in milliseconds. */
  at: number;
}

const Kept = v.object({ name: v.string(), at: v.number(), value: v.unknown() });
const FILE = /^[0-9a-f]+\.json$/;

/** `isNews`: there is one that was not told of yet. From now on it was. */
export function openDrafts(
  places: Places,
  host: DraftHost,
): { drafts: KeptDraft[]; isNews: boolean } {
  const folder = folderOf(places, host);
  sweepTempFiles(folder);
  const drafts = filesIn(folder).flatMap((path) => read(path) ?? []);
  const newest = Math.max(0, ...drafts.map(({ at }) => at));
  const toldPath = join(folder, 'told');
  const told = Number(attempt(() => readFileSync(toldPath, 'utf8'), '0'));
  const isNews = newest > (Number.isNaN(told) ? 0 : told);
  // With a full disk it is told once more.
  if (isNews)
    attempt(() => writeFileAtomic(toldPath, String(newest), { durable: false }), undefined);
  return { drafts, isNews };
}

/** Returns the names of those that find no room. */
export function keepDrafts(
  places: Places,
  host: DraftHost,
  drafts: readonly Draft[],
  now = Date.now(),
): string[] {
  const folder = folderOf(places, host);
  const unkept = drafts.filter((draft) => !keep(folder, draft, now)).map(({ name }) => name);
  dropOldest(folder);
  return unkept;
}

/**
 * False if there is no room; then nothing is left of it, because an older state would be mistaken
 * for the last one.
 */
function keep(folder: string, { name, value }: Draft, at: number): boolean {
  const path = join(folder, `${createHash('sha256').update(name).digest('hex')}.json`);
  const text = value === null ? '' : JSON.stringify({ name, at, value } satisfies KeptDraft);
  const isFitting = value !== null && text.length <= MOST_DRAFT_CHARACTERS;
  // It is there after a kill of any process; it need not survive a power cut at every key.
  const write = () => writeFileAtomic(path, text, { durable: false }) ?? true;
  if (isFitting && attempt(write, false)) return true;
  attempt(() => removeFile(path), undefined);
  return value === null;
}

function dropOldest(folder: string): void {
  const files = filesIn(folder);
  if (files.length <= MOST_DRAFTS) return;
  const age = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const oldestFirst = files
    .map((path) => ({ path, at: read(path)?.at ?? 0, age: age(path) }))
    .sort((one, other) => one.at - other.at || one.age - other.age);
  for (const { path } of oldestFirst.slice(0, files.length - MOST_DRAFTS)) removeFile(path);
}

function read(path: string): KeptDraft | undefined {
  const parsed = v.safeParse(Kept, parseJson(attempt(() => readFileSync(path, 'utf8'), '')));
  return parsed.success ? parsed.output : undefined; // not ours, or torn
}

function filesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder), [])
    .filter((name) => FILE.test(name))
    .map((name) => join(folder, name));
}

function folderOf({ home }: Places, host: DraftHost): string {
  return join(home, 'drafts', host);
}
