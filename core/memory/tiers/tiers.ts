/**
 * Moves session summaries into weekly ones after 7 days, and those into monthly ones after 30 (M12,
 * F5). Compresses old L1, and moves it to the trash when a setting says so (T8). Each step can be
 * repeated, so a kill loses nothing.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import { withLock } from '../../platform/store/lock.ts';
import { grouped } from '../../platform/text/grouped.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { Settings } from '../../settings/settings.ts';
import { readL1Range, readL1Tail } from '../log/l1-store.ts';
import { moveToTrash, restoredAt, sizeOf, sweepTrash, type TrashSize } from './trash.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SESSION_DAYS = 7;
const WEEK_DAYS = 30;

/** 0.1.0 wrote names without the hash. */
const SESSION_FILE =
  /^((\d{4}-\d{2}-\d{2})_\d{4}(?:-[0-9a-f]{8})?(?:-\d+)?)\.(md|l1\.jsonl|l1\.jsonl\.gz|jsonl\.gz)$/;
const WEEK_FILE = /^week-\d{2}\.md$/;

export interface RetentionOutcome {
  /** Moved to the trash. */
  trashed: TrashSize;
  /** Removed for good, because their time in the trash is over. */
  removed: TrashSize;
}

export function moveToTiers(
  memory: ProjectMemory,
  now: Date,
  retention: Settings['retention'],
): RetentionOutcome {
  const { sessions: folder } = memory;
  // First, so that a forgotten week of another year is out of the way of this year's.
  moveWeeks(folder, now);
  // Before L1 is packed: until then a summary that a power cut takes is made again.
  moveIntoWeeks(folder, now);
  const due = new Retention(memory, now, retention.l1Days);
  const trashed = namesIn(folder).flatMap((name) => moveSession(memory, name, now, due) ?? []);
  for (const name of namesIn(join(folder, 'raw')))
    if (due.isOver(name)) trashed.push(moveToTrash(memory, `raw/${name}`, now));
  moveWeeks(folder, now);
  const removed = sweepTrash(memory, now, retention);
  return { trashed: sizeOf(trashed), removed: sizeOf(removed) };
}

/** Whether the session is taken for ended although nobody reported its end. */
export function isLongSilent(folder: string, l1File: string, now: Date): boolean {
  return daysSilent(folder, l1File, now) > SESSION_DAYS;
}

/** Returns what went to the trash. */
function moveSession(memory: ProjectMemory, name: string, now: Date, due: Retention) {
  const { sessions: folder } = memory;
  const [, , , kind = ''] = SESSION_FILE.exec(name) ?? [];
  if (!kind.startsWith('l1.jsonl')) return undefined;
  // Under the lock nobody appends; a session that is resumed later unpacks it again.
  return withLock(memory.index, () => {
    if (due.isOver(name)) return moveToTrash(memory, name, now);
    if (kind === 'l1.jsonl' && isLongSilent(folder, name, now)) compressFile(join(folder, name));
    return undefined;
  });
}

/** Whether what was said in a session is older than the user wants to keep it. */
class Retention {
  readonly #memory: ProjectMemory;
  readonly #now: Date;
  readonly #l1Days: number;
  readonly #restoredAt: Readonly<Record<string, string>>;

  constructor(memory: ProjectMemory, now: Date, l1Days: number) {
    this.#memory = memory;
    this.#now = now;
    this.#l1Days = l1Days;
    this.#restoredAt = l1Days > 0 ? restoredAt(memory) : {};
  }

  isOver(name: string): boolean {
    const [, stem = ''] = SESSION_FILE.exec(name) ?? [];
    if (this.#l1Days <= 0 || stem === '') return false;
    const { sessions } = this.#memory;
    // What was taken back out of the trash is kept as long again.
    const isOld = (time: string) =>
      (this.#now.getTime() - Date.parse(time)) / DAY_MS > this.#l1Days;
    const since = this.#restoredAt[stem];
    if (daysSilent(sessions, name, this.#now) <= this.#l1Days) return false;
    if (since !== undefined && !isOld(since)) return false;
    // The name only tells when the session began. Unpacked last, because it takes longest.
    const lastWord = packedLastWord(this.#memory, stem);
    return lastWord === undefined || isOld(lastWord);
  }
}

function packedLastWord(memory: ProjectMemory, stem: string): string | undefined {
  const file = `${stem}.l1.jsonl`;
  if (!existsSync(join(memory.sessions, `${file}.gz`))) return undefined;
  // A damaged file is as old as its name says.
  const at = attempt(() => readL1Range(memory, file)?.at(-1)?.ts, undefined);
  return at === undefined || Number.isNaN(Date.parse(at)) ? undefined : at;
}

/** Since its last entry if L1 is uncompressed, else since the day in its name. */
function daysSilent(folder: string, name: string, now: Date): number {
  const [, stem = '', day = now.toISOString()] = SESSION_FILE.exec(name) ?? [];
  const spoken = Date.parse(readL1Tail(join(folder, `${stem}.l1.jsonl`)).at(-1)?.ts ?? '');
  return (now.getTime() - (Number.isNaN(spoken) ? Date.parse(day) : spoken)) / DAY_MS;
}

/** Each week's file is written once, however many sessions an import brought. */
function moveIntoWeeks(folder: string, now: Date): void {
  const names = namesIn(folder).filter((name) => {
    const [, , , kind = ''] = SESSION_FILE.exec(name) ?? [];
    return kind === 'md' && isLongSilent(folder, name, now);
  });
  for (const [monday, own] of grouped(names, (name) => weekOf(dayOf(name)).monday)) {
    const summaries = own.map((name) =>
      readFileSync(join(folder, name), 'utf8').replace(/^#/gm, '##'),
    );
    addToWeek(folder, monday, summaries);
    for (const name of own) removeFile(join(folder, name));
  }
}

function dayOf(name: string): Date {
  const [, , day = ''] = SESSION_FILE.exec(name) ?? [];
  return new Date(`${day}T00:00:00Z`);
}

function addToWeek(folder: string, monday: string, summaries: readonly string[]): void {
  const { week } = weekOf(new Date(`${monday}T00:00:00Z`));
  const path = join(folder, `week-${String(week).padStart(2, '0')}.md`);
  const heading = `# Week ${week}, from ${monday}\n`;
  const isOfOtherYear = existsSync(path) && !readFileSync(path, 'utf8').startsWith(heading);
  if (isOfOtherYear)
    for (const summary of summaries) archiveWeek(folder, monday, `${heading}\n${summary}`);
  else addOnce(path, heading, summaries);
}

function archiveWeek(folder: string, monday: string, text: string): void {
  const month = monday.slice(0, 'YYYY-MM'.length);
  addOnce(join(folder, 'archive', `${month}.md`), `# ${month}\n`, [text.replace(/^#/gm, '##')]);
}

/** Takes a session's summary out again, in whichever tier it is by now (L1d). */
export function removeFromTiers({ sessions }: ProjectMemory, stem: string): void {
  removeFile(join(sessions, `${stem}.md`));
  const archive = namesIn(join(sessions, 'archive')).map((name) => join('archive', name));
  const tiers = [...namesIn(sessions).filter((name) => WEEK_FILE.test(name)), ...archive];
  for (const name of tiers.filter((each) => each.endsWith('.md'))) {
    const path = join(sessions, name);
    const text = readFileSync(path, 'utf8');
    const left = withoutBlock(text, stem);
    if (left !== text) writeFileAtomic(path, left);
  }
}

/** Up to the next heading of the same or a higher level. */
function withoutBlock(text: string, stem: string): string {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => /^#+ /.test(line) && line.endsWith(` Session ${stem}`));
  if (from < 0) return text;
  const level = lines[from]?.indexOf(' ') ?? 0;
  const next = lines.findIndex(
    (line, at) => at > from && /^#+ /.test(line) && line.indexOf(' ') <= level,
  );
  return [...lines.slice(0, from), ...(next < 0 ? [] : lines.slice(next))].join('\n');
}

function moveWeeks(folder: string, now: Date): void {
  for (const name of namesIn(folder).filter((name) => WEEK_FILE.test(name))) {
    const text = readFileSync(join(folder, name), 'utf8');
    const monday = /^# Week \d+, from (\d{4}-\d{2}-\d{2})/.exec(text)?.[1];
    if (monday === undefined || (now.getTime() - Date.parse(monday)) / DAY_MS <= WEEK_DAYS)
      continue;
    archiveWeek(folder, monday, text);
    removeFile(join(folder, name));
  }
}

/** Appends the texts that the file does not contain. */
function addOnce(path: string, heading: string, texts: readonly string[]): void {
  const saved = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  let there = saved ?? heading;
  for (const text of texts)
    if (!there.includes(text.trim())) there = `${there.trimEnd()}\n\n${text.trim()}\n`;
  if (there !== (saved ?? heading)) writeFileAtomic(path, there);
}

/** Keeps what an earlier compressed file of that name has. */
function compressFile(path: string): void {
  const lines = readFileSync(path);
  const packed = existsSync(`${path}.gz`) ? readFileSync(`${path}.gz`) : undefined;
  const earlier = packed === undefined ? Buffer.alloc(0) : gunzipSync(packed);
  const isContinued = lines.subarray(0, earlier.length).equals(earlier);
  writeFileAtomic(`${path}.gz`, gzipSync(isContinued ? lines : Buffer.concat([earlier, lines])));
  removeFile(path);
}

/** ISO 8601: weeks begin on Monday, and week 1 has the year's first Thursday. */
function weekOf(day: Date): { week: number; monday: string } {
  const monday = new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS);
  const thursday = new Date(monday.getTime() + 3 * DAY_MS);
  const yearStart = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return {
    week: Math.ceil(((thursday.getTime() - yearStart) / DAY_MS + 1) / 7),
    monday: monday.toISOString().slice(0, 'YYYY-MM-DD'.length),
  };
}

function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder), []);
}
