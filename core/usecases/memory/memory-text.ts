/**
 * Reads and saves memory.md for the window (M3, M19). A changed text comes with the version that it
 * was made from: if the file was changed meanwhile, nothing is overwritten, and both texts are
 * returned, merged where they do not touch.
 */

import { existsSync, readFileSync } from 'node:fs';
import { saveMemoryText } from '../../memory/state/edits.ts';
import { memoryMdAsTaken } from '../../memory/state/outside-edits.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { ProjectCache } from './document-cache.ts';
import { type Saved, type VersionedText, versionOf } from './version.ts';

const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** memory.md as it is on disk; undefined if there is none. Throws if it may not be read. */
export function memoryMdOnDisk(memory: ProjectMemory): string | undefined {
  const path = memoryMdPath(memory);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

export function memoryText({ memory, texts }: ProjectCache): VersionedText {
  const file = readSmallFile(memoryMdPath(memory), MAX_TEXT_BYTES);
  if (file.state === 'refused') throw new ExpectedError(file.reason);
  // With what will be put back into it, or whoever has read it would have missed that when they
  // save.
  const text = file.state === 'ok' ? memoryMdAsTaken(memory, file.text) : '';
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
