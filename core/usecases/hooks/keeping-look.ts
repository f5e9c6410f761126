/**
 * Tells at a prompt whether it is worth asking if the session is being kept (T6). The user waits, so
 * it takes four looks at the disk, and more only in doubt: everything else is loaded later. The mod
 * looks at the times in the same way (`isKept` in hooks-plugin/register.js).
 */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { keepingNotePath, temporaryNotePath } from '../../claude/status/keeping-note-path.ts';
import { savedProgress } from '../../memory/log/memory-index.ts';
import { attempt } from '../../platform/store/attempt.ts';
import type { HookInput } from './hook-input.ts';

/** After a reply the hook that saves it has this long; it waits for the transcript itself. */
export const HOOK_HAD_ITS_CHANCE_MS = 4000;
/** Behind a reply Claude Code writes a few rows that say nothing. */
export const LAST_ROWS_MS = 1000;
/** More than such rows are long. */
const MAX_LAST_ROWS_BYTES = 64 * 1024;
const WORDS = ['"type":"user"', '"type":"assistant"'];

/**
 * There is a note about the session, or its transcript has grown and no index has followed. With
 * `now` in the far future: whether it may ever say so while the files stay as they are.
 */
export function mayNotBeKept(input: HookInput, now = Date.now()): boolean {
  const { places, env, sessionId, transcript, memory } = input;
  if (existsSync(keepingNotePath(places, sessionId))) return true;
  if (existsSync(temporaryNotePath(env, sessionId))) return true;
  const saidAt = changedAt(transcript);
  const laterBy = saidAt - changedAt(memory.index);
  if (laterBy <= 0 || now - saidAt < HOOK_HAD_ITS_CHANCE_MS) return false;
  // A whole turn may fit into so short a time.
  return laterBy > LAST_ROWS_MS || hasUnsavedWords(input);
}

/** Whether the transcript has words of the user or of Claude behind what is saved of it. */
export function hasUnsavedWords({ memory, sessionId, transcript }: HookInput): boolean {
  const saved = savedProgress(memory, sessionId);
  const size = attempt(() => statSync(transcript, { throwIfNoEntry: false })?.size, undefined);
  if (saved === undefined || size === undefined) return size !== undefined && size > 0;
  if (size <= saved.offset) return size < saved.offset;
  if (size - saved.offset > MAX_LAST_ROWS_BYTES) return true;
  const rows = attempt(() => textFrom(transcript, saved.offset, size), undefined);
  return rows === undefined || WORDS.some((word) => rows.includes(word));
}

function textFrom(path: string, from: number, to: number): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(to - from);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}

/** 0 for a file that is not there, or not for us. */
function changedAt(path: string): number {
  return attempt(() => statSync(path, { throwIfNoEntry: false })?.mtimeMs, 0) ?? 0;
}
