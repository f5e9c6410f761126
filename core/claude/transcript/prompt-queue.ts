/**
 * Follows the queue of prompts that the user types while Claude is at work, so that each is kept
 * once (L1a). Claude Code writes `enqueue` with the text and one of three ends: `dequeue`, and the
 * prompt follows as a row of its own; `remove`, because it went along with a tool's result, with an
 * attachment from 2.1.101 on and without any other trace before; `popAll`, and it is back in the
 * box. Some have no end at all. Which prompt a `dequeue` or `remove` means is not written.
 */

export interface QueuedPrompt {
  id: string;
  /** When it was typed, ISO. */
  ts: string;
  text: string;
  /** When it left the queue; until Claude replies after that, its own row may still come. */
  leftAt?: string | undefined;
  /** It has been given out; a row that repeats it is dropped. */
  isGiven?: true | undefined;
}

/** Saved between two readings. */
export interface QueueState {
  prompts: QueuedPrompt[];
  /** Prompts that left the queue to become rows, and whose rows have not come yet. */
  expected: number;
}

/** More are not remembered: nobody types so many while one reply is written. */
const MAX_PROMPTS = 100;

export class PromptQueue {
  #prompts: QueuedPrompt[];
  #expected: number;

  constructor({ prompts, expected }: QueueState = { prompts: [], expected: 0 }) {
    this.#prompts = prompts;
    this.#expected = expected;
  }

  /** Undefined if there is nothing to remember. */
  get state(): QueueState | undefined {
    const isEmpty = this.#prompts.length === 0 && this.#expected === 0;
    return isEmpty ? undefined : { prompts: this.#prompts, expected: this.#expected };
  }

  enqueue(prompt: QueuedPrompt): void {
    this.#prompts = [...this.#prompts, prompt].slice(-MAX_PROMPTS);
  }

  /** Prompts leave in the order in which they came, as far as is known. */
  leave(operation: 'dequeue' | 'remove', at: string): void {
    const first = this.#prompts.find(isWaiting);
    // Else it was a notification, which goes through the same queue.
    if (operation === 'dequeue' && first !== undefined) this.#expected++;
    this.#prompts = this.#prompts.map((each) => (each === first ? { ...each, leftAt: at } : each));
  }

  /** Back in the box: not said, unless it comes again. */
  takeBack(text: string): void {
    const taken = this.#prompts.find((each) => isWaiting(each) && isSame(each, text));
    const isTaken = (each: QueuedPrompt) =>
      taken === undefined && isWaiting(each) && isIn(each, text);
    this.#prompts = this.#prompts.filter((each) => each !== taken && !isTaken(each));
  }

  /** A row with words of the user; false if they have been given out already. */
  isNew(text: string, isSentAlong: boolean): boolean {
    const isExpected = !isSentAlong && this.#expected > 0;
    if (isExpected) this.#expected--;
    const same = this.#prompts.find(
      (each) => isSame(each, text) && (!each.isGiven || isSentAlong || isExpected),
    );
    if (same !== undefined) {
      this.#prompts = this.#prompts.filter((each) => each !== same);
      return same.isGiven === undefined;
    }
    // Several prompts may become one.
    this.#prompts = this.#prompts.filter((each) => each.isGiven || !isIn(each, text));
    if (!isSentAlong) this.#prompts = this.#prompts.filter(({ isGiven }) => !isGiven);
    return true;
  }

  /** Claude replies: what has left the queue before, and has no row, is said now. */
  replied(at: string): QueuedPrompt[] {
    if (this.#prompts.length === 0) return [];
    return this.#give(({ leftAt }) => leftAt !== undefined && (at === '' || leftAt < at));
  }

  /** The session is over: what waits in the queue was typed all the same. */
  ended(): QueuedPrompt[] {
    return this.#give(() => true);
  }

  #give(which: (prompt: QueuedPrompt) => boolean): QueuedPrompt[] {
    const given = this.#prompts.filter((each) => !each.isGiven && which(each));
    this.#prompts = this.#prompts.map((each) =>
      given.includes(each) ? { ...each, isGiven: true } : each,
    );
    return given;
  }
}

function isWaiting({ leftAt, isGiven }: QueuedPrompt): boolean {
  return leftAt === undefined && isGiven === undefined;
}

/** A shell line has its `!` only where it became a row. */
function isSame({ text }: QueuedPrompt, other: string): boolean {
  return plain(text) === plain(other);
}

function plain(text: string): string {
  return text.trim().replace(/^!\s*/, '');
}

/** Whether a prompt makes up whole lines of a text. */
function isIn({ text }: QueuedPrompt, whole: string): boolean {
  return text !== '' && `\n${whole.trim()}\n`.includes(`\n${text.trim()}\n`);
}
