/**
 * The desktop driver, the last to be tried (A4): types on the keyboard of the desktop, in the
 * window that belongs to the session's process. It cannot see the prompt box. So it stashes the
 * draft first, guards the typed text (guard.ts), types nothing but `/clear`, and checks the session
 * and the active window before each key (A3, A5). The reasons:
 * docs/decisions/0009-desktop-typing.md.
 */
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SessionRegistry } from '../../../claude/sessions/registry.ts';
import { readGiven } from '../../../memory/restore/given.ts';
import { type Message, message } from '../../../messages/message.ts';
import { attempt } from '../../../platform/store/attempt.ts';
import type { Places } from '../../../platform/store/places.ts';
import { readSmallFile } from '../../../platform/store/read-file.ts';
import type { MakeDriver } from '../driver.ts';
import {
  type Certainty,
  type ClearTarget,
  type Delivery,
  type DeliveryTools,
  type Driver,
  FIXED_TEXTS,
  type FixedText,
} from '../driver.ts';
import { lowerGuard, raiseGuard, takeBlockedPrompt } from '../guard.ts';
import { lockedScreen } from './screen-lock.ts';
import { terminalWindow } from './terminal-window.ts';
import { Typist } from './typist.ts';
import type { KeyName, Memory } from './typist-words.ts';

/** The CLI takes a paste and an Enter that come together for one thing. */
const SETTLE_MS = 400;
const OUTCOME_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 50;
const MAX_SETTINGS_BYTES = 16 * 1024 * 1024;

/**
 * Where the text cannot be pasted. The guard then holds back all that has a slash: an input method
 * may make other letters of these.
 */
const BY_KEYS: readonly KeyName[] = ['slash', 'c', 'l', 'e', 'a', 'r'];
const SURELY_TYPED = '/';

interface Found {
  typist: Typist;
  env: NodeJS.ProcessEnv;
  window: number;
  pid: number;
  name: string;
}

export const desktopDriver: MakeDriver = (tools) => new DesktopDriver(tools);

class DesktopDriver implements Driver {
  readonly name = 'desktop';
  readonly #tools: DeliveryTools;

  constructor(tools: DeliveryTools) {
    this.#tools = tools;
  }

  async certainty(target: ClearTarget): Promise<Certainty> {
    const found = await this.#find(target);
    if ('why' in found) return { certain: false, why: found.why };
    found.typist.leave();
    const { name, pid } = found;
    return { certain: true, how: message('driver.desktopHow', { name, pid: String(pid) }) };
  }

  async deliver(target: ClearTarget, text: FixedText): Promise<Delivery> {
    const refused = (reason: Message): Delivery => ({ done: false, reason, touched: false });
    if (text !== FIXED_TEXTS.clear) return refused(message('driver.desktopOnlyClear'));
    const found = await this.#find(target);
    if ('why' in found) return refused(found.why);
    try {
      return await new Typing(this.#tools, target, text, found).run();
    } finally {
      found.typist.leave();
    }
  }

  async #find({ pid, sessionId }: ClearTarget): Promise<Found | { why: Message }> {
    const { env: ours, processes, run, places } = this.#tools;
    if (readGiven(places, sessionId) === undefined)
      return { why: message('driver.desktopNoPlugin') };
    const names = ['DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'XDG_SESSION_ID'];
    const session = process.platform === 'linux' ? await processes.environment(pid, names) : {};
    const why = process.platform === 'linux' ? await whyNoDesktop(session, this.#tools) : undefined;
    if (why !== undefined) return { why };
    const { DISPLAY = ours.DISPLAY, XAUTHORITY = ours.XAUTHORITY } = session;
    const env = { ...ours, DISPLAY, XAUTHORITY };
    const started = await Typist.start(env);
    if (!started.ok)
      return { why: message('driver.desktopUnavailable', { reason: started.reason }) };
    const typist = started.value;
    const windowsOf = async (pids: readonly number[]) => {
      const answer = await typist.ask({ ask: 'look', pids });
      return answer.ok ? answer.value : answer.reason;
    };
    const place = await terminalWindow(processes, pid, windowsOf, run);
    if (!('why' in place)) return { typist, env, ...place };
    typist.leave();
    return place;
  }
}

async function whyNoDesktop(
  session: Record<string, string>,
  { env, run }: DeliveryTools,
): Promise<Message | undefined> {
  if (session.DISPLAY === undefined)
    return message(
      session.WAYLAND_DISPLAY === undefined ? 'driver.noDisplay' : 'driver.waylandOnly',
    );
  return lockedScreen(run, session.XDG_SESSION_ID ?? env.XDG_SESSION_ID ?? 'auto', env);
}

/** In vim's NORMAL mode letters are commands; a paste is a paste in every mode. */
function usesVimKeys({ claude }: Places): boolean {
  const files = [
    join(claude, 'settings.json'),
    join(claude, '.claude.json'),
    join(dirname(claude), '.claude.json'),
  ];
  return files.some((path) => {
    const file = readSmallFile(path, MAX_SETTINGS_BYTES);
    return file.state === 'ok' && /"editorMode"\s*:\s*"vim"/.test(file.text);
  });
}

/** One delivery, from the first look to the last. Each step gives back why it went no further. */
class Typing {
  readonly #tools: DeliveryTools;
  readonly #target: ClearTarget;
  readonly #text: string;
  readonly #found: Found;
  #isTouched = false;
  #isEntered = false;

  constructor(tools: DeliveryTools, target: ClearTarget, text: string, found: Found) {
    this.#tools = tools;
    this.#target = target;
    this.#text = text;
    this.#found = found;
  }

  async run(): Promise<Delivery> {
    const refusal = await this.#tools.refusal(this.#target);
    if (refusal !== undefined) return this.#stopped(refusal);
    const memory = await this.#found.typist.ask({ ask: 'remember' });
    if (!memory.ok) return this.#stopped(memory.reason);
    const { notToUse } = memory.value;
    if (notToUse !== undefined && usesVimKeys(this.#tools.places))
      return this.#stopped(message('driver.vimNeedsPaste', { reason: notToUse }));
    const guarded = notToUse === undefined ? this.#text : SURELY_TYPED;
    const isGuarded = attempt(
      () => raiseGuard(this.#tools.places, this.#target, guarded) ?? true,
      false,
    );
    if (!isGuarded) return this.#stopped(message('driver.noGuard'));
    const why = await this.#type(memory.value);
    await this.#putBack(memory.value);
    // Once Enter may have been heard, the guard stands until it is known what became of it, or
    // expires by itself.
    if (!this.#isEntered) lowerGuard(this.#tools.places, this.#target);
    return why === undefined ? this.#outcome() : this.#stopped(why);
  }

  #stopped(why: Message): Delivery {
    const reason = this.#isTouched ? message('driver.leftMaybeDraft', { reason: why }) : why;
    return { done: false, reason, touched: this.#isTouched };
  }

  /**
   * Escape after the stash: in shell mode, which a stash may not end, `/clear` would be run by the
   * shell, and what it says goes to the model past every hook. It also closes what hides the box:
   * the transcript, the search of the history, the rewind dialog.
   */
  async #type({ notToUse }: Memory): Promise<Message | undefined> {
    const { typist, window } = this.#found;
    const focused = await typist.ask({ ask: 'focus', window });
    const why = focused.ok ? focused.value : focused.reason;
    if (why !== undefined) return message('driver.windowNoKeyboard', { reason: why });
    const steps = [
      () => this.#press('stash'),
      () => this.#press('leave'),
      notToUse === undefined ? () => this.#paste() : () => this.#spell(),
    ];
    for (const step of steps) {
      const unsent = await step();
      if (unsent !== undefined) return unsent;
      await sleep(SETTLE_MS);
    }
    return this.#press('enter');
  }

  async #paste(): Promise<Message | undefined> {
    const { typist, window } = this.#found;
    const offered = await typist.ask({ ask: 'offer', text: this.#text });
    if (!offered.ok) return offered.reason;
    const why = await this.#press('paste');
    if (why !== undefined) return why;
    const fetched = await typist.ask({ ask: 'fetched', window });
    if (!fetched.ok) return fetched.reason;
    return fetched.value ? undefined : message('driver.notPasted');
  }

  async #spell(): Promise<Message | undefined> {
    for (const key of BY_KEYS) {
      const why = await this.#press(key);
      if (why !== undefined) return why;
    }
    return undefined;
  }

  async #press(key: KeyName): Promise<Message | undefined> {
    const refusal = await this.#tools.refusal(this.#target);
    if (refusal !== undefined) return refusal;
    const { typist, window } = this.#found;
    const answer = await typist.ask({ ask: 'press', window, key });
    if (answer.ok && answer.value !== undefined) return answer.value;
    // Without an answer it may have been pressed.
    this.#isTouched = true;
    this.#isEntered ||= key === 'enter';
    return answer.ok ? undefined : answer.reason;
  }

  /**
   * If the child has ended, its clipboard has ended with it, and another one gives back what the
   * first had told us.
   */
  async #putBack(memory: Memory): Promise<void> {
    const { typist, env, window } = this.#found;
    const request = { ask: 'finish', window, text: this.#text, memory } as const;
    const answer = await typist.ask({ ...request, isAnew: false });
    if (answer.ok || !typist.hasEnded) return;
    const anew = await Typist.start(env);
    if (!anew.ok) return;
    await anew.value.ask({ ...request, isAnew: true });
    anew.value.leave();
  }

  async #outcome(): Promise<Delivery> {
    const { places } = this.#tools;
    const registry = new SessionRegistry(places.claude);
    for (
      const deadline = Date.now() + OUTCOME_WITHIN_MS;
      Date.now() < deadline;
      await sleep(LOOK_EVERY_MS)
    ) {
      const { sessions } = await registry.read();
      const now = sessions.find(({ pid }) => pid === this.#target.pid);
      const held = takeBlockedPrompt(places, this.#target);
      if (held !== undefined || (now !== undefined && now.sessionId !== this.#target.sessionId))
        lowerGuard(places, this.#target);
      if (held !== undefined) return this.#giveBackWords(held);
      if (now !== undefined && now.sessionId !== this.#target.sessionId) break;
    }
    return { done: true };
  }

  async #giveBackWords(prompt: string): Promise<Delivery> {
    const words = prompt.endsWith(this.#text) ? prompt.slice(0, -this.#text.length) : prompt;
    const handed = await this.#found.typist.ask({ ask: 'hand', text: words });
    const code = handed.ok ? 'driver.otherWordsInClipboard' : 'driver.otherWordsInHistory';
    return { done: false, reason: message(code, { words }), touched: true };
  }
}
