/**
 * For terminals that do not tell which tty a window shows: after the first key, a screen counts
 * only once the system says that something was read from the session's own tty. Keys that went
 * elsewhere are so noticed before Enter (A3).
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
