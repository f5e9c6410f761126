/**
 * Texts of a memory for the window: memory.md, a summary (M17), and the briefing of the next
 * session (M13). If memory.md was changed since the version that a person's text was made from,
 * nothing is overwritten, and both are returned, merged where they do not touch (M3, M19).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readL1Tail } from '../../memory/log/l1-store.ts';
import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { writtenHandOver } from '../../memory/restore/written-hand-over.ts';
import { pagesOf } from '../../memory/search/memory-search.ts';
import { saveMemoryText } from '../../memory/state/edits.ts';
import { effectiveMemoryMd } from '../../memory/state/outside-edits.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { shorten } from '../../platform/text/sentences.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { readSettings } from '../../settings/settings.ts';
import { briefingPages, WORK_BYTES } from '../hooks/continued-briefing.ts';
import type { ProjectCache } from './project-cache.ts';
import { type Saved, type VersionedText, versionOf } from './text-versions.ts';

const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const MAX_PAGE_CHARS = 200_000;

/** memory.md as it is on disk; undefined if there is none. Throws if it may not be read. */
export function memoryMdOnDisk(memory: ProjectMemory): string | undefined {
  const path = memoryMdPath(memory);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

export function memoryText({ memory, texts }: ProjectCache): VersionedText {
  const file = readSmallFile(memoryMdPath(memory), MAX_MEMORY_BYTES);
  if (file.state === 'refused') throw new ExpectedError(file.reason);
  // Includes what will be put back into it, or a person's save would seem to remove that.
  const text = file.state === 'ok' ? effectiveMemoryMd(memory, file.text) : '';
  return { text, version: texts.add(text) };
}

export function saveText(
  { memory, texts, edits, problems }: ProjectCache,
  text: string,
  base: string,
): Saved {
  if (problems.length > 0) throw new ExpectedError(message('edit.notSaved', { problems }));
  const saved = saveMemoryText(memory, edits, text, (now) => versionOf(now) === base);
  if (saved.isSaved) return { saved: true, version: texts.add(saved.text), edit: saved.edit };
  return texts.conflict(base, text, saved.theirs);
}

/** A summary that the search has found; any other file is refused. */
export function pageText(memory: ProjectMemory, path: string): { text: string } {
  const text = pagesOf(memory).includes(path)
    ? attempt(() => readFileSync(path, 'utf8'), undefined)
    : undefined;
  if (text === undefined) throw new ExpectedError(message('memory.summaryGone'));
  return { text: shorten(text, MAX_PAGE_CHARS) };
}

/** The briefing that a session of this project would get after a clear now. */
export function previewBriefing(
  { memory, sessions }: ProjectCache,
  places: Places,
): { text: string; characters: number } {
  const [newest] = sessions.list();
  const work = newest && readL1Tail(join(memory.sessions, newest.file), WORK_BYTES);
  const written = newest && writtenHandOver(memory, readMemoryIndex(memory), newest.session);
  const { maxChars } = readSettings(places, memory.root).settings.restore;
  const text = briefingPages(memory, { work, written }, maxChars).join('\n');
  return { text, characters: text.length };
}
