/**
 * Moves session summaries into weekly ones after 7 days, and those into monthly ones after 30 (M12,
 * F5). Compresses old L1, and removes it when a setting says so. Each step can be repeated, so a
 * kill loses nothing.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import { withLock } from '../../platform/store/lock.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { readL1Tail } from '../log/l1-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SESSION_DAYS = 7;
const WEEK_DAYS = 30;

/** 0.1.0 wrote names without the hash. */
const SESSION_FILE =
  /^((\d{4}-\d{2}-\d{2})_\d{4}(?:-[0-9a-f]{8})?(?:-\d+)?)\.(md|l1\.jsonl|l1\.jsonl\.gz|jsonl\.gz)$/;
const WEEK_FILE = /^week-\d{2}\.md$/;

export function moveToTiers(memory: ProjectMemory, now: Date, l1Days: number): void {
  const { sessions: folder } = memory;
  // First, so that a forgotten week of another year is out of the way of this year's.
  moveWeeks(folder, now);
  for (const name of namesIn(folder)) moveSession(memory, name, now, l1Days);
  for (const name of namesIn(join(folder, 'raw')))
    if (isKeptTooLong(folder, name, now, l1Days)) removeFile(join(folder, 'raw', name));
  moveWeeks(folder, now);
}

/** Whether the session is taken for ended although nobody reported its end. */
export function isLongSilent(folder: string, l1File: string, now: Date): boolean {
  return daysSilent(folder, l1File, now) > SESSION_DAYS;
}

function moveSession(memory: ProjectMemory, name: string, now: Date, l1Days: number): void {
  const { sessions: folder } = memory;
  const [, , day = '', kind] = SESSION_FILE.exec(name) ?? [];
  const path = join(folder, name);
  if (kind === 'md' && isLongSilent(folder, name, now)) moveIntoWeek(folder, name, day);
  if (kind === 'l1.jsonl.gz' && isKeptTooLong(folder, name, now, l1Days)) removeFile(path);
  // Under the lock nobody appends; a session that is resumed later unpacks it again.
  if (kind === 'l1.jsonl')
    withLock(memory.index, () => {
      if (isKeptTooLong(folder, name, now, l1Days)) removeFile(path);
      else if (isLongSilent(folder, name, now)) compressFile(path);
    });
}

function isKeptTooLong(folder: string, name: string, now: Date, l1Days: number): boolean {
  return l1Days > 0 && daysSilent(folder, name, now) > l1Days;
}

/** Since its last entry if L1 is uncompressed, else since the day in its name. */
function daysSilent(folder: string, name: string, now: Date): number {
  const [, stem = '', day = now.toISOString()] = SESSION_FILE.exec(name) ?? [];
  const spoken = Date.parse(readL1Tail(join(folder, `${stem}.l1.jsonl`)).at(-1)?.ts ?? '');
  return (now.getTime() - (Number.isNaN(spoken) ? Date.parse(day) : spoken)) / DAY_MS;
}

function moveIntoWeek(folder: string, name: string, day: string): void {
  const { week, monday } = weekOf(new Date(`${day}T00:00:00Z`));
  const path = join(folder, `week-${String(week).padStart(2, '0')}.md`);
  const summary = readFileSync(join(folder, name), 'utf8');
  addOnce(path, `# Week ${week}, from ${monday}\n`, summary.replace(/^#/gm, '##'));
  removeFile(join(folder, name));
}

function moveWeeks(folder: string, now: Date): void {
  for (const name of namesIn(folder).filter((name) => WEEK_FILE.test(name))) {
    const text = readFileSync(join(folder, name), 'utf8');
    const monday = /^# Week \d+, from (\d{4}-\d{2}-\d{2})/.exec(text)?.[1];
    if (monday === undefined || (now.getTime() - Date.parse(monday)) / DAY_MS <= WEEK_DAYS)
      continue;
    const month = monday.slice(0, 'YYYY-MM'.length);
    addOnce(join(folder, 'archive', `${month}.md`), `# ${month}\n`, text.replace(/^#/gm, '##'));
    removeFile(join(folder, name));
  }
}

/** Appends the text, unless the file contains it. */
function addOnce(path: string, heading: string, text: string): void {
  const there = existsSync(path) ? readFileSync(path, 'utf8') : heading;
  if (!there.includes(text.trim())) writeFileAtomic(path, `${there.trimEnd()}\n\n${text.trim()}\n`);
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
