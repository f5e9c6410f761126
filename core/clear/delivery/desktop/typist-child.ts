/**
 * The only process that touches the desktop: native libraries may crash, and must take no other
 * process with them. It answers one request at a time, and checks before each key that the window
 * is active (A3). It outlives its parent while other programs may fetch the clipboard from it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Key, keyboard, providerRegistry, Window } from '@nut-tree/nut-js';
import { messageOf } from '../../../messages/expected-error.ts';
import { type Message, message } from '../../../messages/message.ts';
import { poll } from '../poll.ts';
import type { Desktop, KeyName, Request, TypistRequests } from './typist-protocol.ts';

const FOCUS = { timeoutMs: 5000, intervalMs: 20 };
/** Between two keys, so that a slow terminal gets them as two. */
const KEY_PAUSE_MS = 15;

const PASTE: Partial<Record<NodeJS.Platform, Key[]>> = {
  darwin: [Key.LeftSuper, Key.V],
  win32: [Key.LeftControl, Key.V],
};
const KEYS: Record<KeyName, Key[]> = {
  stash: [Key.LeftControl, Key.S],
  leave: [Key.Escape],
  // Terminals under X paste one selection or the other with it; both hold the same by then.
  // Not all of them know Ctrl+Shift+V.
  paste: PASTE[process.platform] ?? [Key.LeftShift, Key.Insert],
  enter: [Key.Enter],
  // The one key that gives a slash without Shift on every layout.
  slash: [Key.Divide],
  c: [Key.C],
  l: [Key.L],
  e: [Key.E],
  a: [Key.A],
  r: [Key.R],
};

async function connect(): Promise<Desktop> {
  if (process.platform === 'linux') return (await import('./x-desktop.ts')).XDesktop.connect();
  return (await import('./other-desktop.ts')).connectOtherDesktop();
}

function handlersFor(desktop: Desktop): TypistRequests {
  const { clipboard } = desktop;
  return {
    look: ({ pids }) => desktop.windowsOf(pids),
    saveState: () => desktop.saveState(),
    offer: ({ text }) => clipboard.offer(text),
    fetched: ({ window }) => clipboard.fetched(window),
    copy: ({ text }) => clipboard.copy(text),

    async focus({ window }): Promise<Message | undefined> {
      if (!(await desktop.canFocus(window))) return message('driver.windowGone');
      await new Window(providerRegistry, window).focus();
      const isFocused = (refusal: Message | undefined) => refusal === undefined;
      return poll(() => desktop.refusal(window), isFocused, FOCUS);
    },

    async press({ window, key }): Promise<Message | undefined> {
      const refusal = await desktop.refusal(window, key);
      if (refusal !== undefined) return refusal;
      await keyboard.pressKey(...KEYS[key]);
      await keyboard.releaseKey(...KEYS[key]);
      await sleep(KEY_PAUSE_MS);
      return undefined;
    },

    async restoreState({ window, text, state, isReplacement }): Promise<void> {
      if (isReplacement) await releaseKeys();
      await clipboard.restore(state.selections, text);
      // A user who has gone to a third window meanwhile stays there.
      const isStillHere = state.active !== window && (await desktop.active()) === window;
      if (isStillHere && (await desktop.canFocus(state.active)))
        await new Window(providerRegistry, state.active).focus();
    },
  };
}

/** A process that ended between pressing and releasing leaves the keys down. */
async function releaseKeys(): Promise<void> {
  const keys = new Set(Object.values(KEYS).flat());
  for (const key of keys) await keyboard.releaseKey(key);
}

function reply(answer: object): void {
  // A parent that has gone needs no answer.
  if (process.connected) process.send?.(answer, undefined, undefined, () => undefined);
}

let work: Promise<void> = Promise.resolve();
try {
  const desktop = await connect();
  const handlers = handlersFor(desktop);
  keyboard.config.autoDelayMs = 0;
  process.on('message', ({ id, request }: { id: number; request: Request }) => {
    work = work
      .then((): Promise<unknown> => handlers[request.ask](request as never))
      .then((value) => reply({ id, value }))
      .catch((error) => reply({ id, failure: messageOf(error) }));
  });
  process.on('disconnect', () => {
    void work.then(() => desktop.clipboard.released()).then(() => process.exit(0));
  });
  reply({ ready: true });
} catch (error) {
  reply({ failure: messageOf(error) });
  process.exitCode = 1;
  process.disconnect?.();
}
