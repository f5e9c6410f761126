/**
 * For terminals that do not report a window's tty. After the first key, the screen counts only once
 * the session's tty was read; if it was not, the key went elsewhere and Enter is not pressed (A3).
 * Only Linux tells when a tty was read.
 */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import type { ReadableTerminal } from './typed-delivery.ts';

/** Linux notes to this many seconds when a tty was last read. */
const TTY_CLOCK_SECONDS = 8;
const SETTLED_WITHIN_MS = 2 * TTY_CLOCK_SECONDS * 1000;
const LOOK_EVERY_MS = 100;
const isTold = process.platform === 'linux';

export function heardBy(tty: string, terminal: ReadableTerminal): ReadableTerminal {
  let sentAt: number | undefined;
  return {
    /** Were it read just before, that could not be told from having heard the first key. */
    async settle() {
      for (
        const giveUpAt = Date.now() + SETTLED_WITHIN_MS;
        isTold && wasReadSince(tty, Date.now());
        await sleep(LOOK_EVERY_MS)
      )
        if (Date.now() > giveUpAt) return false;
      return true;
    },

    async read() {
      if (sentAt !== undefined && !wasReadSince(tty, sentAt))
        return { unreadable: message('driver.keysLost') };
      return terminal.read();
    },

    async send(keys, cursor) {
      if (sentAt === undefined && isTold && wasReadSince(tty, Date.now()))
        return { ok: false, reason: message('driver.someoneTyping') };
      sentAt ??= Date.now();
      return terminal.send(keys, cursor);
    },
  };
}

/** Whether something may have been read since then; true where the system does not tell. */
function wasReadSince(tty: string, time: number): boolean {
  if (!isTold) return true;
  const readAt = attempt(() => statSync(tty).atimeMs, undefined);
  return readAt !== undefined && ticksOf(readAt) >= ticksOf(time);
}

function ticksOf(ms: number): number {
  return Math.floor(ms / 1000 / TTY_CLOCK_SECONDS);
}
