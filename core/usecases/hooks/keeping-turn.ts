/**
 * Saves what was said, and writes down whether that worked (T6): a hook that nobody waits for can
 * tell nobody. The next prompt does.
 */
import {
  forgetKeepingNote,
  type KeepingNote,
  noteNotKept,
  noteSavedAgain,
  readKeepingNote,
  savedAgainNews,
} from '../../claude/status/keeping.ts';
import { type L1Result, saveL1 } from '../../memory/log/l1-store.ts';
import { messageOf } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { limitLockWaits } from '../../platform/store/lock.ts';
import type { HookInput } from './hook-input.ts';

/** The user waits meanwhile. */
const LOCK_WAIT_MS = 300;
const SAVING_MS = 200;

/** What a hook must know to save a session. */
export type SavedSession = Pick<
  HookInput,
  'sessionId' | 'transcript' | 'places' | 'memory' | 'env'
>;

/** Runs what saves a session; the error goes on. */
export function keepTurn(
  input: SavedSession,
  save: () => L1Result | undefined,
): L1Result | undefined {
  try {
    const saved = save();
    if (saved !== undefined) noteSaved(input, saved);
    return saved;
  } catch (error) {
    noteNotKept(input, reasonOf(error, input), { transcript: input.transcript });
    throw error;
  }
}

function noteSaved(input: SavedSession, saved: L1Result): void {
  const note = readKeepingNote(input);
  const news = newsOf(input, saved, note);
  if (news !== undefined && news !== note?.savedAgain) noteSavedAgain(input, news);
  else if (news === undefined && note !== undefined) forgetKeepingNote(input);
}

function newsOf(
  { transcript }: SavedSession,
  { setAside }: L1Result,
  note: KeepingNote | undefined,
): Message | undefined {
  if (setAside !== undefined) return message('hooks.indexSetAside', { file: setAside });
  return savedAgainNews(note, transcript);
}

/**
 * For a prompt whose session may not be kept, or has news: tries to save what is missing, and
 * returns what the user is to be told.
 */
export function keepingNews(input: HookInput): Message | undefined {
  limitLockWaits(LOCK_WAIT_MS);
  const note = readKeepingNote(input);
  if (note?.savedAgain !== undefined) {
    forgetKeepingNote(input);
    return note.savedAgain;
  }
  try {
    const saved = saveL1(input.memory, input, { mostMs: SAVING_MS });
    if (saved === undefined || saved.isPartial) return undefined; // the next hook saves the rest
    const news = newsOf(input, saved, note);
    if (note !== undefined) forgetKeepingNote(input);
    return news;
  } catch (error) {
    const reason = reasonOf(error, input);
    noteNotKept(input, reason, { transcript: input.transcript, isTold: true });
    return message('hooks.notKept', { reason });
  }
}

/** A write that fails names no file; the user should know where there is no room. */
function reasonOf(error: unknown, { memory }: SavedSession): Message {
  if (!(error instanceof Error) || !('code' in error)) return messageOf(error);
  return messageOf(Object.assign(error, { path: 'path' in error ? error.path : memory.index }));
}
