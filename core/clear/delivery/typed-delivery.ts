/**
 * Types a fixed text into a terminal whose screen can be read. Before each key it checks that the
 * session takes keys, and reads the prompt box (A3). It stashes a draft first (A5), and presses
 * Enter only if the box holds exactly the fixed text. On a failure it undoes what it safely can.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, message } from '../../messages/message.ts';
import { type Delivery, FIXED_TEXTS, type FixedText, untouched } from './driver.ts';
import { poll } from './poll.ts';
import { type BoxReading, type PromptBox, readPromptBox, type Screen } from './prompt-box.ts';

export interface ReadableTerminal {
  /** Waits until nothing earlier can be mistaken for an effect of our keys; false if in vain. */
  settle?(): Promise<boolean>;
  /** The screen right now, or why keys sent now would not reach the session. */
  read(): Promise<Screen | { unreadable: Message }>;
  /** Types these ASCII keys. `isUnsent`: none was sent, since the cursor is not where it was. */
  send(keys: string, cursor?: Screen['cursor']): Promise<Sent>;
}

export type Sent = { ok: true } | { ok: false; reason: Message; isUnsent?: boolean };

interface TypedDelivery {
  terminal: ReadableTerminal;
  text: FixedText;
  refusal(): Promise<Message | undefined>;
  /** How long a key may take to show in the box. */
  echoTimeoutMs?: number | undefined;
}

export const KEYS = {
  stash: '\x13',
  enter: '\r',
  backspace: '\x7f',
  escape: '\x1b',
  insert: 'i',
  earlierPrompt: '\x1b[A',
  startOfLine: '\x01',
  endOfLine: '\x05',
  delete: '\x1b[3~',
} as const;

/** Claude Code shows a key within a tenth of a second; a machine under load takes longer. */
const ECHO_TIMEOUT_MS = 8000;
const POLL_INTERVAL_MS = 40;
/** While Claude Code draws, the box or the cursor may be elsewhere for a moment. */
const REDRAW_TIMEOUT_MS = 500;
const MAX_ATTEMPTS = 5;
const ENTER_TIMEOUT_MS = 2000;
/** Enter worked if the session refuses keys so often in a row, for a reason other than busy. */
const SURE_REFUSALS = 3;

export async function deliverTyped(wanted: TypedDelivery): Promise<Delivery> {
  return new Typing(wanted).deliver();
}

/** Why a step failed; undefined if it did not. */
type Failure = Message | undefined;

type BoxTest = (box: PromptBox) => boolean;

class Typing {
  readonly #wanted: TypedDelivery;
  readonly #echoTimeoutMs: number;
  #isTouched = false;
  /** What we stashed, or may have stashed. */
  #draft: string | undefined;
  /** What stands in the box and cannot be stashed: a suggestion, as it seems. */
  #ghost = '';
  #typed = '';
  #isEntered = false;
  /** Where the cursor stood when the box was read last. */
  #cursor: Screen['cursor'];
  /** Unknown commands on the screen before our Enter. A list may cover them for a while. */
  readonly #unknownBefore = new Set<string>();

  constructor(wanted: TypedDelivery) {
    this.#wanted = wanted;
    this.#echoTimeoutMs = wanted.echoTimeoutMs ?? ECHO_TIMEOUT_MS;
  }

  async deliver(): Promise<Delivery> {
    const failure =
      (await this.#makeRoom()) ??
      (await this.#typeFirst()) ??
      (await this.#typeRest()) ??
      (await this.#enter());
    if (failure === undefined) return { done: true };
    if (!this.#isTouched) return untouched(failure);
    return { done: false, reason: await this.#undo(failure), touched: true };
  }

  async #makeRoom(): Promise<Failure> {
    const box = await this.#boxForKeys();
    if ('code' in box) return box;
    if (box.text === '') return undefined;
    if (this.#wanted.text !== FIXED_TEXTS.clear) return message('driver.boxDraft');
    if (box.stash === 'there') return message('driver.boxTwoDrafts');
    if (box.stash === 'hidden') return message('driver.boxHalfTyped');
    const isSame: BoxTest = ({ text, stash }) => text === box.text && stash === box.stash;
    const failure = await this.#send(KEYS.stash, isSame);
    if (failure !== undefined) return failure;
    this.#draft = box.text;
    const after = await this.#waitForBox(isStashed);
    if (after.isSeen) return undefined;
    if (after.box === undefined) return after.why;
    if (after.box.text === box.text && after.box.stash === 'none') this.#draft = undefined;
    // Ctrl+S does nothing to a suggestion.
    if (!box.isUncertain || this.#draft !== undefined) return message('driver.boxNotStashed');
    this.#ghost = box.text;
    return undefined;
  }

  /** The first letter shows whether the box takes text: in vim's NORMAL mode, `/` searches. */
  async #typeFirst(): Promise<Failure> {
    const first = this.#wanted.text.slice(0, 1);
    const { isSearch, failure } = await this.#typeAndSee(first, this.#ghost);
    if (!isSearch) return failure;
    return (await this.#leaveNormalMode()) ?? (await this.#typeAndSee(first, '')).failure;
  }

  async #typeRest(): Promise<Failure> {
    const { text } = this.#wanted;
    const { failure } = await this.#typeAndSee(text.slice(1), text.slice(0, 1));
    if (failure !== undefined) return failure;
    const { isSeen } = await this.#waitForBox((box) => isReadyToSend(box, text));
    return isSeen ? undefined : message('driver.boxOtherCommand');
  }

  /** Types behind `before`, if that is what the box holds, and waits until it shows. */
  async #typeAndSee(
    keys: string,
    before: string,
  ): Promise<{ failure: Failure; isSearch?: boolean }> {
    const typed = this.#typed + keys;
    const failure = await this.#press(keys, ({ text }) => text === before);
    if (failure !== undefined) return { failure };
    this.#typed = typed;
    const seen = await this.#waitForBox(
      (box) => holdsExactly(box, typed),
      (reading) => reading.isSearch === true,
    );
    if (seen.isSeen) return { failure: undefined };
    const { box, isSearch = false } = seen;
    if (isSearch) this.#typed = ''; // it went to the search
    if (box === undefined) return { failure: seen.why, isSearch };
    return { failure: box.text === before ? message('driver.boxNotTyped') : foreign(box) };
  }

  async #leaveNormalMode(): Promise<Failure> {
    const refusal = await this.#wanted.refusal();
    if (refusal !== undefined) return refusal;
    this.#cursor = undefined; // it is in the search
    const failure = await this.#send(KEYS.escape, () => false);
    if (failure !== undefined) return failure;
    if (!(await this.#waitForBox(isEmpty)).isSeen) return message('driver.boxSearchStuck');
    const pressed = await this.#press(KEYS.insert, isEmpty);
    if (pressed !== undefined) return pressed;
    const { isSeen } = await this.#waitForBox((box) => isEmpty(box) && box.vim === 'INSERT');
    return isSeen ? undefined : message('driver.boxNoInsertMode');
  }

  async #enter(): Promise<Failure> {
    const failure = await this.#press(KEYS.enter, (box) => isReadyToSend(box, this.#wanted.text));
    return failure ?? (await this.#recoverMergedText());
  }

  /**
   * What the user types in the moment of Enter goes along with it: Claude Code then says that it
   * does not know the command. Brings the user's text back, unless the user is typing on.
   */
  async #recoverMergedText(): Promise<Failure> {
    if (!(await this.#isUnknownAfterEnter())) return undefined;
    const inHistory = message('driver.wordsInHistory');
    this.#typed = '';
    const draft = this.#draft ?? '';
    const isOurs: BoxTest = ({ text, stash }) => text === draft && stash === 'none';
    const { box, isSeen } = await this.#waitForBox(isOurs);
    if (!isSeen) return inHistory;
    this.#draft = undefined; // Claude Code has put it back
    if (box?.vim !== undefined) return inHistory;
    if (draft !== '') {
      if ((await this.#press(KEYS.stash, isOurs)) !== undefined) return inHistory;
      this.#draft = draft;
      if (!(await this.#waitForBox(isStashed)).isSeen) return inHistory;
    }
    return (await this.#bringBack()) ? message('driver.wordsInBox') : inHistory;
  }

  /** False as soon as the session takes no keys any more: then Enter did what it should. */
  async #isUnknownAfterEnter(): Promise<boolean> {
    const deadline = Date.now() + Math.min(ENTER_TIMEOUT_MS, this.#echoTimeoutMs);
    for (let refusals = 0; refusals < SURE_REFUSALS && Date.now() < deadline; ) {
      const command = (await this.#read()).box?.unknownCommand ?? '';
      if (command.startsWith(this.#wanted.text) && !this.#unknownBefore.has(command)) return true;
      const refusal = await this.#wanted.refusal();
      // any command makes it busy for a moment
      refusals = refusal === undefined || refusal.code === 'clear.busy' ? 0 : refusals + 1;
      await sleep(POLL_INTERVAL_MS);
    }
    return false;
  }

  /** Takes the text out of Claude Code's history, and deletes ours from it as far as possible. */
  async #bringBack(): Promise<boolean> {
    const { text } = this.#wanted;
    if ((await this.#press(KEYS.earlierPrompt, isEmpty)) !== undefined) return false;
    const { box, isSeen } = await this.#waitForBox(
      (now) => now.text.startsWith(text) && now.text !== text,
    );
    if (!isSeen || box === undefined) return false;
    const all = box.text;
    if (all.includes('\n') || (await this.#press(KEYS.startOfLine, holds(all))) !== undefined)
      return true;
    await this.#waitForBox(({ isCursorAtEnd }) => isCursorAtEnd !== true);
    for (let length = 1; length <= text.length; length++) {
      const before = holds(all.slice(length - 1));
      if (!(await this.#pressAndSee(KEYS.delete, before, holds(all.slice(length))))) return true;
    }
    await this.#press(KEYS.endOfLine, holds(all.slice(text.length)));
    return true;
  }

  /** Presses keys if the box is what they are meant for. */
  async #press(keys: string, isMeant: BoxTest): Promise<Failure> {
    const box = await this.#boxForKeys();
    if ('code' in box) return box;
    return isMeant(box) ? this.#send(keys, isMeant) : foreign(box);
  }

  async #pressAndSee(key: string, isMeant: BoxTest, isWanted: BoxTest): Promise<boolean> {
    const failure = await this.#press(key, isMeant);
    return failure === undefined && (await this.#waitForBox(isWanted)).isSeen;
  }

  /** Adds what could not be undone. Sends no key to a session that must not get any. */
  async #undo(failure: Message): Promise<Message> {
    let reason = failure;
    const box = await this.#boxForKeys();
    if (this.#typed !== '' && !(await this.#eraseTyped(box)))
      reason = message('driver.leftTyped', { reason, typed: this.#typed });
    const draft = this.#draft;
    if (draft !== undefined && !(await this.#pressAndSee(KEYS.stash, isStashed, holds(draft))))
      reason = message('driver.leftDraft', { reason });
    return reason;
  }

  /** Only if the box holds nothing but our own text (and a suggestion behind it). */
  async #eraseTyped(box: PromptBox | Message): Promise<boolean> {
    if ('code' in box) return false;
    const own = box.text.slice(0, box.text.length - this.#ghost.length);
    if (box.text === '' || box.text === this.#ghost) return true;
    if (!this.#typed.startsWith(own) || own === '' || own + this.#ghost !== box.text) return false;
    for (let length = own.length; length > 0; length--) {
      const before = holds(own.slice(0, length) + this.#ghost);
      const after = holds(own.slice(0, length - 1) + this.#ghost);
      if (!(await this.#pressAndSee(KEYS.backspace, before, after))) return false;
    }
    return true;
  }

  /** The box, if a key may be sent to it right now; the session is checked last. */
  async #boxForKeys(): Promise<PromptBox | Message> {
    const refusal = await this.#wanted.refusal();
    if (refusal !== undefined) return refusal;
    const reading = await this.#readDrawn();
    if (reading.box === undefined) return reading.why;
    const { mode, vim } = reading.box;
    if (mode === 'shell') return message('driver.boxShellMode');
    if (vim !== undefined && vim !== 'INSERT') return message('driver.boxVimMode', { mode: vim });
    this.#cursor = reading.cursor;
    return (await this.#wanted.refusal()) ?? reading.box;
  }

  #readDrawn(): Promise<Reading> {
    const isDrawn = ({ box, isSearch }: Reading) => box !== undefined || isSearch;
    const timeoutMs = Math.min(REDRAW_TIMEOUT_MS, this.#echoTimeoutMs);
    return poll(() => this.#read(), isDrawn, { timeoutMs, intervalMs: POLL_INTERVAL_MS });
  }

  async #read(): Promise<Reading> {
    const screen = await this.#wanted.terminal.read();
    if ('unreadable' in screen) return { why: screen.unreadable, isSearch: false };
    const reading = readPromptBox(screen);
    if (!this.#isEntered && reading.box?.unknownCommand !== undefined)
      this.#unknownBefore.add(reading.box.unknownCommand);
    return { ...reading, cursor: screen.cursor };
  }

  async #waitForBox(
    isWanted: BoxTest,
    isHopeless: (reading: BoxReading) => boolean = () => false,
  ): Promise<BoxReading & { isSeen: boolean }> {
    const isSeen = ({ box }: BoxReading) => box !== undefined && isWanted(box);
    const reading = await poll(
      () => this.#read(),
      (now) => isSeen(now) || isHopeless(now),
      { timeoutMs: this.#echoTimeoutMs, intervalMs: POLL_INTERVAL_MS },
    );
    return { ...reading, isSeen: isSeen(reading) };
  }

  /** If the terminal sent nothing, because its screen had changed, checks the box and tries again. */
  async #send(keys: string, isMeant: BoxTest): Promise<Failure> {
    if (keys === KEYS.enter) this.#isEntered = true;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const sent = await this.#wanted.terminal.send(keys, this.#cursor);
      if (sent.ok || sent.isUnsent !== true) {
        this.#isTouched = true; // even a failed attempt may have had an effect
        return sent.ok ? undefined : sent.reason;
      }
      const box = await this.#boxForKeys();
      if ('code' in box) return box;
      if (!isMeant(box)) return foreign(box);
    }
    return message('driver.screenRestless');
  }
}

type Reading = BoxReading & { cursor?: Screen['cursor'] };

const isEmpty: BoxTest = ({ text }) => text === '';
const isStashed: BoxTest = ({ text, stash }) => text === '' && stash === 'there';
const holds =
  (text: string): BoxTest =>
  (box) =>
    box.text === text;

function holdsExactly(box: PromptBox, text: string): boolean {
  return box.mode === 'prompt' && box.text === text && box.isCursorAtEnd !== false;
}

/** Enter would take what the list of commands offers, not what is typed. */
function isReadyToSend(box: PromptBox, text: FixedText): boolean {
  return holdsExactly(box, text) && (box.completion === undefined || box.completion === text);
}

function foreign({ text }: PromptBox): Message {
  const start = text.split('\n')[0] ?? '';
  const shown = start.length > 30 ? `${start.slice(0, 30)}…` : start;
  return message('driver.boxChanged', { text: shown });
}
