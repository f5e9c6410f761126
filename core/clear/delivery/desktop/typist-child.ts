/**
 * The only process that touches the desktop: nut-js and the window libraries are native or deep,
 * and their crash must end this process and no other. It answers one request at a time, and checks
 * before each key that the window is still active (A3). When the parent has ended, it stays as long
 * as other programs may fetch the clipboard's content from it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Key, keyboard, providerRegistry, Window } from '@nut-tree/nut-js';
import { messageOf } from '../../../messages/expected-error.ts';
import { type Message, message } from '../../../messages/message.ts';
import type { Answers, Desktop, KeyName, Memory, Request } from './typist-words.ts';

const FOCUS_WITHIN_MS = 5000;
const LOOK_EVERY_MS = 20;
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
  // Ctrl+Shift+V is not known to all of them.
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
  if (process.platform !== 'linux')
    return (await import('./other-desktop.ts')).OtherDesktop.connect();
  return (await import('./x-desktop.ts')).XDesktop.connect();
}

class Typist {
  readonly #desktop: Desktop;

  constructor(desktop: Desktop) {
    this.#desktop = desktop;
    keyboard.config.autoDelayMs = 0;
  }

  async answer(request: Request): Promise<Answers[keyof Answers]> {
    switch (request.ask) {
      case 'look':
        return this.#desktop.windowsOf(request.pids);
      case 'remember':
        return this.#desktop.remember();
      case 'focus':
        return this.#focus(request.window);
      case 'press':
        return this.#press(request.window, request.key);
      case 'offer':
        await this.#desktop.offer(request.text);
        return undefined;
      case 'fetched':
        return this.#desktop.fetched(request.window);
      case 'finish':
        return this.#finish(request.window, request.text, request.memory, request.isAnew);
      case 'hand':
        await this.#desktop.hand(request.text);
        return undefined;
    }
  }

  async #focus(window: number): Promise<Message | undefined> {
    if (!(await this.#desktop.canFocus(window))) return message('driver.windowGone');
    await new Window(providerRegistry, window).focus();
    const deadline = Date.now() + FOCUS_WITHIN_MS;
    for (;;) {
      const refusal = await this.#desktop.refusal(window);
      if (refusal === undefined || Date.now() > deadline) return refusal;
      await sleep(LOOK_EVERY_MS);
    }
  }

  async #press(window: number, key: KeyName): Promise<Message | undefined> {
    const refusal = await this.#desktop.refusal(window, key);
    if (refusal !== undefined) return refusal;
    await keyboard.pressKey(...KEYS[key]);
    await keyboard.releaseKey(...KEYS[key]);
    await sleep(KEY_PAUSE_MS);
    return undefined;
  }

  async #finish(window: number, text: string, memory: Memory, isAnew: boolean): Promise<undefined> {
    if (isAnew) await this.#letGo();
    await this.#desktop.giveBack(memory.selections, text);
    // Whoever has gone to a third window meanwhile stays there.
    const isStillHere = memory.active !== window && (await this.#desktop.active()) === window;
    if (isStillHere && (await this.#desktop.canFocus(memory.active)))
      await new Window(providerRegistry, memory.active).focus();
    return undefined;
  }

  /** A process that ended between pressing and releasing leaves the keys down. */
  async #letGo(): Promise<void> {
    const keys = new Set(Object.values(KEYS).flat());
    for (const key of keys) await keyboard.releaseKey(key);
  }

  async leave(): Promise<void> {
    await this.#desktop.released();
    process.exit(0);
  }
}

function tell(answer: object): void {
  // A parent that has gone needs no answer.
  if (process.connected) process.send?.(answer, undefined, undefined, () => undefined);
}

let work: Promise<void> = Promise.resolve();
try {
  const typist = new Typist(await connect());
  process.on('message', ({ id, request }: { id: number; request: Request }) => {
    work = work
      .then(() => typist.answer(request))
      .then((value) => tell({ id, value }))
      .catch((error) => tell({ id, failure: messageOf(error) }));
  });
  process.on('disconnect', () => void work.then(() => typist.leave()));
  tell({ ready: true });
} catch (error) {
  tell({ failure: messageOf(error) });
  process.exitCode = 1;
  process.disconnect?.();
}
