/**
 * For terminals that do not report a window's tty. After the first key, the screen counts only once
 * the session's tty was read; else the key went elsewhere, and Enter is not pressed (A3).
 */
import { statSync } from 'node:fs';
import { message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { poll } from './poll.ts';
import type { ReadableTerminal } from './typed-delivery.ts';

/** Linux records the last read of a tty with this resolution. */
const TTY_CLOCK_SECONDS = 8;
const QUIET = { timeoutMs: 2 * TTY_CLOCK_SECONDS * 1000, intervalMs: 100 };
const ticksOf = (ms: number) => Math.floor(ms / 1000 / TTY_CLOCK_SECONDS);
const isReported = process.platform === 'linux'; // no other system reports reads of a tty

export function withTtyCheck(tty: string, terminal: ReadableTerminal): ReadableTerminal {
  let sentAt: number | undefined;
  /** An earlier read within the clock's resolution could be mistaken for a read of our key. */
  const isQuiet = () => !isReported || !wasReadSince(tty, Date.now());
  return {
    settle: () => poll(isQuiet, Boolean, QUIET),

    async read() {
      if (sentAt !== undefined && !wasReadSince(tty, sentAt))
        return { unreadable: message('driver.keysLost') };
      return terminal.read();
    },

    async send(keys, cursor) {
      if (sentAt === undefined && !isQuiet())
        return { ok: false, reason: message('driver.someoneTyping') };
      sentAt ??= Date.now();
      return terminal.send(keys, cursor);
    },
  };
}

/** True if the tty may have been read since then; always true where the system does not report it. */
function wasReadSince(tty: string, time: number): boolean {
  if (!isReported) return true;
  const readAt = attempt(() => statSync(tty).atimeMs, undefined);
  return readAt !== undefined && ticksOf(readAt) >= ticksOf(time);
}
