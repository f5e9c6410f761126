/**
 * Holds the words that the independent extractor found in a transcript against those that the
 * product kept in L1: each must be there once, string for string but for blanks around it and for
 * redactions, and nothing may be there that nobody said.
 */
import type { Said } from './extractor.ts';
import { type KeptWords, PLACEHOLDER } from './product.ts';

export type Fault = 'lost' | 'doubled' | 'CLI error' | "nobody's words" | 'taken back' | 'unknown';

export interface Disagreement {
  fault: Fault;
  /** In the transcript, from 1; 0 if it is not known. */
  row: number;
  /** How the extractor names the shape. */
  how: string;
  text: string;
}

export interface Comparison {
  compared: number;
  /** Found with a placeholder in them. */
  redacted: number;
  /** Found as a part of a larger text: several blocks or answers in one entry. */
  joined: number;
  disagreements: Disagreement[];
}

/** By the extractor's reasons. */
const FAULTS: Record<string, Fault> = {
  'queue copy': 'doubled',
  'repeated row': 'doubled',
  'queued and taken back': 'taken back',
  'CLI error': 'CLI error',
};
/** A shorter text may stand in another one by chance. */
const LEAST_QUOTED_CHARS = 12;

export function compareWords(said: readonly Said[], kept: readonly KeptWords[]): Comparison {
  const open = new OpenWords(kept);
  const expected = said.filter(({ kind }) => kind !== 'none');
  const notExact = expected.filter((words) => !open.takeSame(words));
  const notRedacted = notExact.filter((words) => !open.takeRedacted(words));
  const lost = notRedacted.filter((words) => !open.takePart(words));
  const sources = new Set(said.filter(({ kind }) => kind === 'none'));
  return {
    compared: expected.length,
    redacted: notExact.length - notRedacted.length,
    joined: notRedacted.length - lost.length,
    disagreements: [
      ...lost.map(({ row, how, text }) => ({ fault: 'lost' as const, row, how, text })),
      ...open.rest().map((words) => faultOf(words, expected, sources)),
    ],
  };
}

/** What was kept and not found in the transcript so far. */
class OpenWords {
  readonly #open: Set<KeptWords>;
  readonly #byText = new Map<string, KeptWords[]>();
  /** Larger texts: they stay open for their other parts, and are no fault. */
  readonly #inParts = new Set<KeptWords>();

  constructor(kept: readonly KeptWords[]) {
    this.#open = new Set(kept);
    for (const words of kept) {
      const key = keyOf(words.role, words.text);
      this.#byText.set(key, [...(this.#byText.get(key) ?? []), words]);
    }
  }

  takeSame(words: Said): boolean {
    for (const form of formsOf(words)) {
      const same = this.#byText.get(keyOf(words.kind, form))?.shift();
      if (same !== undefined) return this.#open.delete(same);
    }
    return false;
  }

  takeRedacted(words: Said): boolean {
    const found = [...this.#open].find(
      ({ role, text }) =>
        role === words.kind &&
        text.includes(PLACEHOLDER) &&
        formsOf(words).some((form) => isRedacted(form, text)),
    );
    return found !== undefined && this.#open.delete(found);
  }

  takePart(words: Said): boolean {
    const lines = (text: string) => `\n${text.trim()}\n`;
    const part = lines(words.text);
    const found = [...this.#open].find(
      ({ role, text }) => role === words.kind && lines(text).includes(part),
    );
    if (found !== undefined) this.#inParts.add(found);
    return found !== undefined;
  }

  rest(): KeptWords[] {
    return [...this.#open].filter((words) => !this.#inParts.has(words));
  }
}

function keyOf(role: string, text: string): string {
  return `${role} ${text.trim()}`;
}

/** A shell line is kept with the sign that it was typed with, and private parts are not kept. */
function formsOf({ how, text }: Said): string[] {
  const open = text.replace(/<private\s*>[\s\S]*?(?:<\/private\s*>|$)/gi, '');
  return how.includes('bash input') ? [open, `!${open.trim()}`] : [open];
}

/** Whether the one text is the other with placeholders in it. */
function isRedacted(original: string, redacted: string): boolean {
  const whole = original.trim();
  const [first = '', ...others] = redacted.trim().split(PLACEHOLDER);
  const last = others.pop();
  if (last === undefined || !whole.startsWith(first)) return false;
  let from = first.length;
  for (const piece of others) {
    const at = whole.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return whole.endsWith(last) && whole.length - last.length >= from;
}

/** Takes its source from those that are left: the same note may stand in a transcript often. */
function faultOf(
  { role, text }: KeptWords,
  expected: readonly Said[],
  sources: Set<Said>,
): Disagreement {
  const same = (other: Said) => other.text.trim() === text.trim();
  const twin = expected.find((other) => other.kind === role && same(other));
  if (twin !== undefined) return { fault: 'doubled', row: twin.row, how: twin.how, text };
  const quotes = ({ text: other }: Said) =>
    other.trim().length >= LEAST_QUOTED_CHARS && text.includes(other.trim());
  const nobodys = [...sources];
  const source = nobodys.find(same) ?? nobodys.find(quotes);
  if (source === undefined) return { fault: 'unknown', row: 0, how: `kept as ${role}`, text };
  sources.delete(source);
  return { fault: FAULTS[source.how] ?? "nobody's words", row: source.row, how: source.how, text };
}
