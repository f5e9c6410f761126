/**
 * Takes back what a backfill brought (L1d): the conversations go to the trash (T8), their summaries and
 * the facts that only they had leave memory. What was said since stays: a session that went on is
 * left as it is, with all of it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import { withLock } from '../../platform/store/lock.ts';
import type { Places } from '../../platform/store/places.ts';
import { knownProjects } from '../../projects/known-projects.ts';
import { rotatedEntriesPath, sessionFactsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { readJournal } from '../log/journal.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { contextEntry, splitEntries } from '../memory-md/sections.ts';
import { sessionHeading } from '../memory-md/session-entries.ts';
import { record } from '../state/derive.ts';
import { removeFromTiers } from '../tiers/tiers.ts';
import { moveToTrash } from '../tiers/trash.ts';
import { broughtBy, closeBackfill, openUndo } from './backfill-record.ts';

export interface BackfillUndone {
  id: string;
  sessions: number;
  /** Moved to the trash. */
  bytes: number;
  projects: { root: string; name: string; sessions: number }[];
  /** Sessions that went on since: they stay. */
  kept: number;
}

export function undoBackfill(places: Places, now = new Date()): BackfillUndone {
  const id = openUndo(places);
  try {
    return takeBack(places, id, now);
  } catch (error) {
    attempt(() => closeBackfill(places, id, { state: 'stopped' }), undefined); // the disk may be full
    throw error;
  }
}

function takeBack(places: Places, id: string, now: Date): BackfillUndone {
  const undone: BackfillUndone = { id, sessions: 0, bytes: 0, projects: [], kept: 0 };
  const brought = broughtBy(places, id);
  for (const memory of knownProjects(places)) {
    const place = basename(memory.base);
    const own = brought.filter((session) => session.place === place);
    if (own.length === 0) continue;
    const { files, bytes, kept } = takeFiles(
      memory,
      new Set(own.map(({ session }) => session)),
      now,
    );
    const sessions = Object.keys(files).length;
    if (sessions > 0) forgetSessions(memory, id, files);
    undone.sessions += sessions;
    undone.bytes += bytes;
    undone.kept += kept;
    undone.projects.push({ root: memory.root, name: memory.name, sessions });
  }
  closeBackfill(places, id, { state: 'undone', sessions: 0, projects: 0 });
  return undone;
}

/** Returns the L1 files that are in the trash now, by session. */
function takeFiles(
  memory: ProjectMemory,
  ids: ReadonlySet<string>,
  now: Date,
): { files: Record<string, string>; bytes: number; kept: number } {
  const taken = { files: {} as Record<string, string>, bytes: 0, kept: 0 };
  // Under the lock nobody appends.
  for (const id of ids)
    withLock(memory.index, () => {
      const progress = readMemoryIndex(memory).sessions[id];
      if (progress?.backfilled === undefined) return;
      const { file, l1Bytes, backfilled } = progress;
      if (l1Bytes > backfilled.bytes) {
        taken.kept++;
        return;
      }
      taken.files[id] = file;
      taken.bytes += trashL1(memory, file, now);
    });
  return taken;
}

function trashL1(memory: ProjectMemory, file: string, now: Date): number {
  const names = file === '' ? [] : [file, `${file}.gz`];
  return names
    .filter((name) => existsSync(join(memory.sessions, name)))
    .reduce((sum, name) => sum + moveToTrash(memory, name, now).bytes, 0);
}

/** The journal says so last: if this is interrupted, the undo can be repeated. */
function forgetSessions(
  memory: ProjectMemory,
  backfill: string,
  files: Record<string, string>,
): void {
  withLock(join(memory.sessions, 'tiers'), () => {
    for (const file of Object.values(files).filter((name) => name !== '')) {
      removeFile(sessionFactsPath(memory, file));
      removeFile(join(memory.sessions, 'raw', file.replace('.l1.jsonl', '.jsonl.gz')));
      removeFromTiers(memory, file.replace('.l1.jsonl', ''));
    }
  });
  const headings = headingsOf(memory, backfill, files);
  takeFromArchive(memory, new Set(headings));
  record(memory, { type: 'takeBack', at: new Date().toISOString(), files, headings });
}

/** The entries that memory.md had no room for. */
function takeFromArchive(memory: ProjectMemory, headings: ReadonlySet<string>): void {
  for (const path of new Set([...headings].map((heading) => rotatedEntriesPath(memory, heading)))) {
    const text = attempt(() => readFileSync(path, 'utf8'), '');
    const { before, entries } = splitEntries(`\n${text}`);
    const left = entries.filter((entry) => !headings.has(contextEntry(entry).stamp));
    if (left.length === entries.length) continue;
    const rest = `${before}${left.join('')}`.trim();
    if (rest === '') removeFile(path);
    else writeFileAtomic(path, `${rest}\n`);
  }
}

function headingsOf(
  memory: ProjectMemory,
  backfill: string,
  files: Record<string, string>,
): string[] {
  return readJournal(memory, 0).events.flatMap((event) => {
    if (event.type !== 'delta' || event.backfill?.id !== backfill) return [];
    const isTaken = Object.keys(event.ends).some((session) => files[session] !== undefined);
    const {
      stamp = '',
      backfill: { name },
    } = event;
    return isTaken ? [sessionHeading({ stamp, name })] : [];
  });
}
