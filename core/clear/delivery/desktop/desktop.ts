/**
 * The desktop driver, the last to be tried (A4): types on the keyboard of the desktop, in the
 * window that belongs to the session's process. It cannot see the prompt box. So it stashes the
 * draft first, guards the typed text (guard.ts), types nothing but `/clear`, and checks the session
 * and the active window before each key (A3, A5). Why: docs/decisions/0009-desktop-typing.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, message } from '../../../messages/message.ts';
import { attempt } from '../../../platform/store/attempt.ts';
import {
  type ClearTarget,
  type Delivery,
  type DeliveryTools,
  FIXED_TEXTS,
  type MakeDriver,
  untouched,
} from '../driver.ts';
import { lowerGuard, raiseGuard } from '../guard.ts';
import {
  blockedPrompt,
  noGuardReason,
  SETTLE_MS,
  usesVimKeys,
  wordsBeside,
} from '../guarded-typing.ts';
import { lockedScreen } from './screen-lock.ts';
import { type TerminalWindow, terminalWindow } from './terminal-window.ts';
import { Typist } from './typist.ts';
import type { DesktopState, KeyName } from './typist-protocol.ts';

const TEXT = FIXED_TEXTS.clear;
/** If the text cannot be pasted. An input method may change letters: the guard blocks any `/`. */
const TEXT_AS_KEYS: readonly KeyName[] = ['slash', 'c', 'l', 'e', 'a', 'r'];
const CERTAIN_PART = '/';

type Found = TerminalWindow & { typist: Typist; env: NodeJS.ProcessEnv };

export const desktopDriver: MakeDriver = (tools) => ({
  name: 'desktop',

  async certainty(target) {
    const found = await findWindow(tools, target);
    if ('why' in found) return { certain: false, why: found.why };
    found.typist.leave();
    const { name, pid } = found;
    return { certain: true, how: message('driver.desktopHow', { name, pid: String(pid) }) };
  },

  async deliver(target, text) {
    if (text !== TEXT) return untouched(message('driver.desktopOnlyClear'));
    const found = await findWindow(tools, target);
    if ('why' in found) return untouched(found.why);
    try {
      return await new Typing(tools, target, found).run();
    } finally {
      found.typist.leave();
    }
  },
});

async function findWindow(
  tools: DeliveryTools,
  { pid, sessionId }: ClearTarget,
): Promise<Found | { why: Message }> {
  const { env: ours, processes, run, places } = tools;
  const noGuard = noGuardReason(places, sessionId);
  if (noGuard !== undefined) return { why: noGuard };
  const isLinux = process.platform === 'linux';
  const names = ['DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'XDG_SESSION_ID'];
  const session = isLinux ? await processes.environment(pid, names) : {};
  const refusal = isLinux ? await desktopRefusal(session, tools) : undefined;
  if (refusal !== undefined) return { why: refusal };
  const { DISPLAY = ours.DISPLAY, XAUTHORITY = ours.XAUTHORITY } = session;
  const env = { ...ours, DISPLAY, XAUTHORITY };
  const started = await Typist.start(env);
  if (!started.ok) return { why: message('driver.desktopUnavailable', { reason: started.reason }) };
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

async function desktopRefusal(
  { DISPLAY, WAYLAND_DISPLAY, XDG_SESSION_ID }: Record<string, string>,
  { env, run }: DeliveryTools,
): Promise<Message | undefined> {
  if (DISPLAY === undefined)
    return message(WAYLAND_DISPLAY === undefined ? 'driver.noDisplay' : 'driver.waylandOnly');
  return lockedScreen(run, XDG_SESSION_ID ?? env.XDG_SESSION_ID ?? 'auto', env);
}

/** One delivery. Each step returns why it went no further. */
class Typing {
  readonly #tools: DeliveryTools;
  readonly #target: ClearTarget;
  readonly #found: Found;
  #isTouched = false;
  #isEntered = false;

  constructor(tools: DeliveryTools, target: ClearTarget, found: Found) {
    this.#tools = tools;
    this.#target = target;
    this.#found = found;
  }

  async run(): Promise<Delivery> {
    const { places, refusal } = this.#tools;
    const refused = await refusal(this.#target);
    if (refused !== undefined) return untouched(refused);
    const saved = await this.#found.typist.ask({ ask: 'saveState' });
    if (!saved.ok) return untouched(saved.reason);
    const { pasteRefusal } = saved.value;
    if (pasteRefusal !== undefined && usesVimKeys(places))
      return untouched(message('driver.vimNeedsPaste', { reason: pasteRefusal }));
    const guarded = pasteRefusal === undefined ? TEXT : CERTAIN_PART;
    const isGuarded = attempt(() => raiseGuard(places, this.#target, guarded) ?? true, false);
    if (!isGuarded) return untouched(message('driver.noGuard'));
    const failure = await this.#type(saved.value);
    await this.#restore(saved.value);
    // Once Enter may have arrived, the guard stands until the outcome is known, or expires.
    if (!this.#isEntered) lowerGuard(places, this.#target);
    if (failure === undefined) return this.#outcome();
    if (!this.#isTouched) return untouched(failure);
    const reason = message('driver.leftMaybeDraft', { reason: failure });
    return { done: false, reason, touched: true };
  }

  /**
   * Escape after the stash: in shell mode, which a stash may not end, `/clear` would be run by the
   * shell, and its output goes to the model past every hook. Escape also closes what hides the box:
   * the transcript, the search of the history, the rewind dialog.
   */
  async #type({ pasteRefusal }: DesktopState): Promise<Message | undefined> {
    const { typist, window } = this.#found;
    const focused = await typist.ask({ ask: 'focus', window });
    const reason = focused.ok ? focused.value : focused.reason;
    if (reason !== undefined) return message('driver.windowNoKeyboard', { reason });
    const steps = [
      () => this.#press('stash'),
      () => this.#press('leave'),
      () => (pasteRefusal === undefined ? this.#paste() : this.#press(...TEXT_AS_KEYS)),
    ];
    for (const step of steps) {
      const failure = await step();
      if (failure !== undefined) return failure;
      await sleep(SETTLE_MS);
    }
    return this.#press('enter');
  }

  async #paste(): Promise<Message | undefined> {
    const { typist, window } = this.#found;
    const offered = await typist.ask({ ask: 'offer', text: TEXT });
    if (!offered.ok) return offered.reason;
    const failure = await this.#press('paste');
    if (failure !== undefined) return failure;
    const fetched = await typist.ask({ ask: 'fetched', window });
    if (!fetched.ok) return fetched.reason;
    return fetched.value ? undefined : message('driver.notPasted');
  }

  async #press(...keys: readonly KeyName[]): Promise<Message | undefined> {
    const { typist, window } = this.#found;
    for (const key of keys) {
      const refusal = await this.#tools.refusal(this.#target);
      if (refusal !== undefined) return refusal;
      const answer = await typist.ask({ ask: 'press', window, key });
      if (answer.ok && answer.value !== undefined) return answer.value;
      // Without an answer the key may have been pressed.
      this.#isTouched = true;
      this.#isEntered ||= key === 'enter';
      if (!answer.ok) return answer.reason;
    }
    return undefined;
  }

  /** If the child has ended, its clipboard has ended too, and a new child restores the content. */
  async #restore(state: DesktopState): Promise<void> {
    const { typist, env, window } = this.#found;
    const request = { ask: 'restoreState', window, text: TEXT, state } as const;
    const answer = await typist.ask({ ...request, isReplacement: false });
    if (answer.ok || !typist.hasEnded) return;
    const replacement = await Typist.start(env);
    if (!replacement.ok) return;
    await replacement.value.ask({ ...request, isReplacement: true });
    replacement.value.leave();
  }

  async #outcome(): Promise<Delivery> {
    const blocked = await blockedPrompt(this.#tools, this.#target);
    return blocked === undefined ? { done: true } : this.#returnPrompt(blocked);
  }

  /** Puts the user's own words into the clipboard. */
  async #returnPrompt(prompt: string): Promise<Delivery> {
    const words = wordsBeside(prompt);
    const copied = await this.#found.typist.ask({ ask: 'copy', text: words });
    const code = copied.ok ? 'driver.otherWordsInClipboard' : 'driver.otherWordsInHistory';
    return { done: false, reason: message(code, { words }), touched: true };
  }
}
