/**
 * The one careful way to type into a terminal that can be read back. Before each key the session is
 * asked whether keys may be sent and the prompt box is read (A3); a draft is put aside first and
 * comes back (A5); Enter is pressed only if the box holds exactly the fixed text. What goes wrong
 * is taken back as far as that is safe, and the rest is told.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, message } from '../../messages/message.ts';
import { type Delivery, FIXED_TEXTS, type FixedText } from './driver.ts';
import { type BoxReading, type PromptBox, readPromptBox, type Screen } from './prompt-box.ts';

export interface ReadableTerminal {
  /**
   * Waits until what happened before cannot be mistaken for an effect of our keys; false if that
   * does not come.
   */
  settle?(): Promise<boolean>;
  /** The screen right now, or why keys sent now would not reach the session. */
  read(): Promise<Screen | { unreadable: Message }>;
  /**
   * Sends these bytes (ASCII) as if they had been typed. A terminal that can compare the cursor in
   * the same step sends nothing if it has moved since the screen was read (`isUnsent`).
   */
  send(keys: string, cursor?: Screen['cursor']): Promise<Sent>;
}

export type Sent = { ok: true } | { ok: false; reason: Message; isUnsent?: boolean };

export interface TypedDelivery {
  terminal: ReadableTerminal;
  text: FixedText;
  refusal(): Promise<Message | undefined>;
  /** How long the box is looked at until a key shows. */
  patienceMs?: number;
}

const KEYS = {
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

/** Claude Code shows a key within a tenth of a second; a machine under load takes its time. */
const PATIENCE_MS = 8000;
const LOOK_EVERY_MS = 40;
/** While Claude Code draws, the box or the cursor may be elsewhere for a moment. */
const DRAWN_WITHIN_MS = 500;
const MOST_ATTEMPTS = 5;
const ENTER_SHOWS_WITHIN_MS = 2000;
/**
 * Enter worked if the session refuses keys this many times in a row for a reason other than being
 * busy.
 */
const SURE_REFUSALS = 3;

export async function deliverTyped(wanted: TypedDelivery): Promise<Delivery> {
  return new Typing(wanted).deliver();
}

/** A step gives back why it failed, or nothing. */
type Failure = Message | undefined;

class Typing {
  readonly #wanted: TypedDelivery;
  #isTouched = false;
  /** What was put aside by us, or may have been. */
  #draft: string | undefined;
  /** What stands in the box and cannot be put aside: a suggestion, as it seems. */
  #ghost = '';
  #typed = '';
  #isEntered = false;
  /** Where the cursor stood when the box was read last. */
  #cursor: Screen['cursor'];
  /**
   * Commands that Claude Code did not know before our Enter. A list of commands may cover them for
   * a while.
   */
  readonly #unknownBefore = new Set<string>();

  constructor(wanted: TypedDelivery) {
    this.#wanted = wanted;
  }

  async deliver(): Promise<Delivery> {
    const failure =
      (await this.#makeRoom()) ??
      (await this.#typeFirst()) ??
      (await this.#typeRest()) ??
      (await this.#enter());
    if (failure === undefined) return { done: true };
    if (!this.#isTouched) return { done: false, reason: failure, touched: false };
    return { done: false, reason: await this.#takeBack(failure), touched: true };
  }

  async #makeRoom(): Promise<Failure> {
    const box = await this.#boxForKeys();
    if ('code' in box) return box;
    if (box.text === '') return undefined;
    if (this.#wanted.text !== FIXED_TEXTS.clear) return message('driver.boxDraft');
    if (box.stash === 'there') return message('driver.boxTwoDrafts');
    if (box.stash === 'hidden') return message('driver.boxHalfTyped');
    const failure = await this.#send(
      KEYS.stash,
      ({ text, stash }) => text === box.text && stash === box.stash,
    );
    if (failure !== undefined) return failure;
    this.#draft = box.text;
    const after = await this.#waitForBox(({ text, stash }) => text === '' && stash === 'there');
    if (after.isSeen) return undefined;
    if (after.box === undefined) return after.why;
    if (after.box.text === box.text && after.box.stash === 'none') this.#draft = undefined;
    // Ctrl+S does nothing to a suggestion.
    if (!box.isUncertain || this.#draft !== undefined) return message('driver.boxNotStashed');
    this.#ghost = box.text;
    return undefined;
  }

  /**
   * The first letter alone shows whether the box takes text at all: vim's NORMAL mode has no mark,
   * and there `/` opens a search.
   */
  async #typeFirst(): Promise<Failure> {
    const first = this.#wanted.text.slice(0, 1);
    const { reading, failure } = await this.#typeAndSee(first, this.#ghost);
    if (reading === undefined || !isSearch(reading)) return failure;
    return (await this.#leaveNormalMode()) ?? (await this.#typeAndSee(first, '')).failure;
  }

  async #typeRest(): Promise<Failure> {
    const { text } = this.#wanted;
    const { failure } = await this.#typeAndSee(text.slice(1), text.slice(0, 1));
    if (failure !== undefined) return failure;
    const { isSeen } = await this.#waitForBox((box) => isReadyToSend(box, text));
    return isSeen ? undefined : message('driver.boxOtherCommand');
  }

  /** Types onto `before`, if that is what the box holds, and looks until it shows. */
  async #typeAndSee(
    keys: string,
    before: string,
  ): Promise<{ failure: Failure; reading?: BoxReading }> {
    const box = await this.#boxForKeys();
    if ('code' in box) return { failure: box };
    if (box.text !== before) return { failure: foreign(box) };
    const sent = this.#typed + keys;
    const failure = await this.#send(keys, ({ text }) => text === before);
    if (failure !== undefined) return { failure };
    this.#typed = sent;
    const seen = await this.#waitForBox((now) => holdsExactly(now, sent), isSearch);
    if (seen.isSeen) return { failure: undefined };
    if (isSearch(seen)) this.#typed = ''; // it went to the search
    if (seen.box === undefined) return { failure: seen.why, reading: seen };
    return {
      failure: seen.box.text === before ? message('driver.boxNotTyped') : foreign(seen.box),
      reading: seen,
    };
  }

  async #leaveNormalMode(): Promise<Failure> {
    const refusal = await this.#wanted.refusal();
    if (refusal !== undefined) return refusal;
    this.#cursor = undefined; // it is in the search
    const failure = await this.#send(KEYS.escape, () => false);
    if (failure !== undefined) return failure;
    if (!(await this.#waitForBox(({ text }) => text === '')).isSeen)
      return message('driver.boxSearchStuck');
    const pressed = await this.#press(KEYS.insert, ({ text }) => text === '');
    if (pressed !== undefined) return pressed;
    const { isSeen } = await this.#waitForBox(({ text, vim }) => text === '' && vim === 'INSERT');
    return isSeen ? undefined : message('driver.boxNoInsertMode');
  }

  async #enter(): Promise<Failure> {
    const { text } = this.#wanted;
    return (
      (await this.#press(KEYS.enter, (box) => isReadyToSend(box, text))) ??
      (await this.#swallowed())
    );
  }

  /**
   * What the user types in the moment of Enter goes along with it: Claude Code then says that it
   * does not know the command. The words are brought back, unless the user is typing on.
   */
  async #swallowed(): Promise<Failure> {
    if (!(await this.#isUnknownAfterEnter())) return undefined;
    const told = message('driver.wordsInHistory');
    this.#typed = '';
    const draft = this.#draft ?? '';
    const isOurs = ({ text, stash }: PromptBox) => text === draft && stash === 'none';
    const { box, isSeen } = await this.#waitForBox(isOurs);
    if (!isSeen) return told;
    this.#draft = undefined; // Claude Code has put it back
    if (box?.vim !== undefined) return told;
    if (draft !== '') {
      if ((await this.#press(KEYS.stash, isOurs)) !== undefined) return told;
      this.#draft = draft;
      if (!(await this.#waitForBox(({ text, stash }) => text === '' && stash === 'there')).isSeen)
        return told;
    }
    return (await this.#bringBack()) ? message('driver.wordsInBox') : told;
  }

  /** False as soon as the session takes no keys any more: then Enter did what it should. */
  async #isUnknownAfterEnter(): Promise<boolean> {
    const deadline = Date.now() + Math.min(ENTER_SHOWS_WITHIN_MS, this.#patienceMs);
    for (
      let refusals = 0;
      refusals < SURE_REFUSALS && Date.now() < deadline;
      await sleep(LOOK_EVERY_MS)
    ) {
      const command = (await this.#read()).box?.unknownCommand ?? '';
      if (command.startsWith(this.#wanted.text) && !this.#unknownBefore.has(command)) return true;
      const refusal = await this.#wanted.refusal();
      // any command makes it busy for a moment
      refusals = refusal === undefined || refusal.code === 'clear.busy' ? 0 : refusals + 1;
    }
    return false;
  }

  /** Out of Claude Code's history; and our text away from it, as far as that goes. */
  async #bringBack(): Promise<boolean> {
    const { text } = this.#wanted;
    if ((await this.#press(KEYS.earlierPrompt, (box) => box.text === '')) !== undefined)
      return false;
    const { box, isSeen } = await this.#waitForBox(
      (now) => now.text.startsWith(text) && now.text !== text,
    );
    if (!isSeen || box === undefined) return false;
    const all = box.text;
    if (
      all.includes('\n') ||
      (await this.#press(KEYS.startOfLine, (now) => now.text === all)) !== undefined
    )
      return true;
    await this.#waitForBox(({ isCursorAtEnd }) => isCursorAtEnd !== true);
    for (let length = 1; length <= text.length; length++) {
      if (
        (await this.#press(KEYS.delete, (now) => now.text === all.slice(length - 1))) !== undefined
      )
        return true;
      if (!(await this.#waitForBox((now) => now.text === all.slice(length))).isSeen) return true;
    }
    await this.#press(KEYS.endOfLine, (now) => now.text === all.slice(text.length));
    return true;
  }

  /** One key, if the box is what it is meant for. */
  async #press(key: string, isMeant: (box: PromptBox) => boolean): Promise<Failure> {
    const box = await this.#boxForKeys();
    if ('code' in box) return box;
    return isMeant(box) ? this.#send(key, isMeant) : foreign(box);
  }

  /**
   * The failure, with what could not be undone. No key goes to a session that must not get any, not
   * even to tidy up.
   */
  async #takeBack(failure: Message): Promise<Message> {
    let reason = failure;
    const box = await this.#boxForKeys();
    if (this.#typed !== '' && !(await this.#eraseTyped(box)))
      reason = message('driver.leftTyped', { reason, typed: this.#typed });
    if (this.#draft !== undefined && !(await this.#popDraft()))
      reason = message('driver.leftDraft', { reason });
    return reason;
  }

  /** Only if the box holds nothing but our own text (and a suggestion behind it). */
  async #eraseTyped(box: PromptBox | Message): Promise<boolean> {
    if ('code' in box) return false;
    const own = box.text.slice(0, box.text.length - this.#ghost.length);
    if (box.text === '' || box.text === this.#ghost) return true;
    if (!this.#typed.startsWith(own) || own === '' || own + this.#ghost !== box.text) return false;
    for (let length = own.length - 1; length >= 0; length--) {
      const before = own.slice(0, length + 1) + this.#ghost;
      if ((await this.#press(KEYS.backspace, ({ text }) => text === before)) !== undefined)
        return false;
      const rest = own.slice(0, length) + this.#ghost;
      if (!(await this.#waitForBox(({ text }) => text === rest)).isSeen) return false;
    }
    return true;
  }

  async #popDraft(): Promise<boolean> {
    if (
      (await this.#press(KEYS.stash, ({ text, stash }) => text === '' && stash === 'there')) !==
      undefined
    )
      return false;
    return (await this.#waitForBox(({ text }) => text === this.#draft)).isSeen;
  }

  /**
   * The box, if a key may be sent to it right now; else why not. Whether the session still takes
   * keys is the last thing that is looked at.
   */
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

  async #readDrawn(): Promise<Reading> {
    const deadline = Date.now() + Math.min(DRAWN_WITHIN_MS, this.#patienceMs);
    for (;;) {
      const reading = await this.#read();
      if (reading.box !== undefined || reading.isSearch || Date.now() > deadline) return reading;
      await sleep(LOOK_EVERY_MS);
    }
  }

  async #read(): Promise<Reading> {
    const screen = await this.#wanted.terminal.read();
    if ('unreadable' in screen) return { why: screen.unreadable, isSearch: false };
    const reading = readPromptBox(screen);
    if (!this.#isEntered && reading.box?.unknownCommand !== undefined)
      this.#unknownBefore.add(reading.box.unknownCommand);
    return { ...reading, cursor: screen.cursor };
  }

  get #patienceMs(): number {
    return this.#wanted.patienceMs ?? PATIENCE_MS;
  }

  async #waitForBox(
    isWanted: (box: PromptBox) => boolean,
    isHopeless: (reading: BoxReading) => boolean = () => false,
  ): Promise<BoxReading & { isSeen: boolean }> {
    const deadline = Date.now() + this.#patienceMs;
    for (;;) {
      const reading = await this.#read();
      if (reading.box !== undefined && isWanted(reading.box)) return { ...reading, isSeen: true };
      if (isHopeless(reading) || Date.now() > deadline) return { ...reading, isSeen: false };
      await sleep(LOOK_EVERY_MS);
    }
  }

  /**
   * A terminal that sent nothing, because its screen had changed, is asked again if the box still
   * is what the keys are meant for.
   */
  async #send(keys: string, isMeant: (box: PromptBox) => boolean): Promise<Failure> {
    if (keys === KEYS.enter) this.#isEntered = true;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const sent = await this.#wanted.terminal.send(keys, this.#cursor);
      if (sent.ok || sent.isUnsent !== true) {
        this.#isTouched = true; // even a failed attempt may have been heard
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

function isSearch(reading: BoxReading): boolean {
  return reading.box === undefined && reading.isSearch;
}

function holdsExactly(box: PromptBox, text: string): boolean {
  return box.mode === 'prompt' && box.text === text && box.isCursorAtEnd !== false;
}

/** Enter would take what the list of commands offers, not what is typed. */
function isReadyToSend(box: PromptBox, text: FixedText): boolean {
  return holdsExactly(box, text) && (box.completion === undefined || box.completion === text);
}

function foreign({ text }: PromptBox): Message {
  const start = text.split('\n')[0] ?? '';
  return message('driver.boxChanged', {
    text: start.length > 30 ? `${start.slice(0, 30)}…` : start,
  });
}
