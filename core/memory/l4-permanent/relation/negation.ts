/**
 * Marks what a statement affirms and what it denies (M11), one sign per token: 1 affirmed, -1
 * denied ("not X", "instead of X", "X 대신", "from X to Y"), 0 unclear ("never X without Y").
 */
import type { Token } from './tokens.ts';

export type Sign = -1 | 0 | 1;

interface Negation {
  signs: Sign[];
  /** Tokens that carry nothing but the denial. */
  isCue: boolean[];
}

const BOUNDARY = /^(?:[;.!?,:()→\n]|but|whereas|because)$/;
const CONNECTIVE =
  /(?:하고|되고|않고|말고|쓰고|두고|기고|리고|우고|으며|하며|되며|지만|므로|는데|[았었했됐없있]고)$/;

/** Held against "before|word|next"; each denies its whole clause. */
const DENIALS: readonly RegExp[] = [
  /\|(?:never|cannot|nobody|none|neither|avoid\w*|forbid\w*|prohibit\w*|banned|disallow\w*|reject\w*|refuse[sd]?)\|/,
  /\|(?:deprecated|unsupported|withdrawn|retired|abandoned|discontinued|abolished|obsolete)\|/,
  /\|[a-z]+n't\|/,
  /\|(?:not|no)\|(?!only|more|less|fewer|later|earlier|matter|sooner)/,
  /^\|stop\||\|stop(?:s|ped)?\|\w+ing$/,
  /^(?:been|was|were)\|(?:removed|dropped|deleted|stopped|ended)\||^(?:is|are)\|(?:gone|excluded|omitted)\|/,
  /^[^|]*지[는도를]?\|(?:말|마|않|못)/,
  /^[^|]*(?<!예외|제한|빠짐|관계|상관|문제|차이|변함|조건|수밖에)\|(?:않|\S*지않|못[하한]|안[된됩돼]|금[지하한]|불가(?!피)|폐지|거[절부]|지양|삼[가간]|불허|차단|없(?!이)|중단[한했하]|피[한하해]|막(?:는다|았다)|제외(?:한다|했다|된다)|(?:제거|삭제)(?:했|됐|되었))/,
  /\|[안못]\|./,
];
/** These deny only what follows, or in Korean the phrase before. */
const INSTEAD = /\|instead\|of$|\|rather\|than$|^in\|place\|of$|\|nor\|/;
const INSTEAD_HANGUL = /^[^|]*(?<!지)\|(?:대신|아니라|아닌|빼고|말고)/;
/** What comes without something may still come with it; "예외 없이" denies nothing. */
const WITHOUT_HANGUL = /^[^|]*(?<!예외|제한|빠짐|관계|상관|문제|차이|변함|조건)\|없이/;
/** "never deploy without tests" says how to deploy; it does not deny deploying. */
const CONDITION =
  /^(?:without|unless|until|before|except|than|first|if|when)$|^(?:없이|전에|전까지|외에|이외|밖에|제외하고|제외한)|밖에$|않으면|없으면/;
const CHANGE = /^(?:switch|migrat|mov|chang|convert|transit|upgrad|replac)/;
const CHANGE_HANGUL = /^(?:전환|변경|교체|이전|이관|대체|옮|바꾸|바꿨|바꾼|바꿔|바뀌|바뀐)/;

export function negationOf(tokens: readonly Token[]): Negation {
  const negation: Negation = { signs: tokens.map(() => 1), isCue: tokens.map(() => false) };
  let start = 0;
  for (let end = 0; end <= tokens.length; end++) {
    const text = tokens[end]?.text ?? '.';
    const isConnective = CONNECTIVE.test(text);
    if (!BOUNDARY.test(text) && !isConnective) continue;
    new Clause(tokens, start, isConnective ? end + 1 : end, negation).read();
    start = end + 1;
  }
  return negation;
}

class Clause {
  readonly #words: readonly string[];
  readonly #start: number;
  readonly #negation: Negation;

  constructor(tokens: readonly Token[], start: number, end: number, negation: Negation) {
    this.#words = tokens.slice(start, end).map(({ text, tail }) => text + tail);
    this.#start = start;
    this.#negation = negation;
  }

  read(): void {
    const words = this.#words;
    let denials = 0;
    words.forEach((word, at) => {
      const window = `${words[at - 1] ?? ''}|${word}|${words[at + 1] ?? ''}`;
      let isCue = true;
      if (INSTEAD.test(window)) this.#multiply(at + 1, words.length, -1);
      else if (INSTEAD_HANGUL.test(window)) this.#multiply(this.#phraseStart(at), at, -1);
      else if (word === 'without') this.#multiply(at + 1, words.length, 0);
      else if (WITHOUT_HANGUL.test(window)) this.#multiply(this.#phraseStart(at), at, 0);
      else if (DENIALS.some((pattern) => pattern.test(window))) denials++;
      else isCue = false;
      this.#negation.isCue[this.#start + at] = isCue;
      if (CHANGE.test(word)) this.#readChange(at, /^replac/.test(word));
      if (CHANGE_HANGUL.test(word)) this.#readHangulChange(at);
    });
    const isConditional = words.some((word) => CONDITION.test(word));
    if (denials % 2 === 1) this.#multiply(0, words.length, isConditional ? 0 : -1);
  }

  /** "moved from X to Y", "replace X with Y", "X is replaced by Y": X is left behind. */
  #readChange(at: number, isReplace: boolean): void {
    const opening = isReplace ? at : this.#find(/^from$/, at);
    const closing = this.#find(isReplace ? /^(?:with|by)$/ : /^(?:to|into)$/, at);
    if (isReplace && closing === at + 1) this.#multiply(0, at, -1);
    else if (opening < closing) this.#multiply(opening + 1, closing, -1);
  }

  /** "X에서 Y로 전환", "Redux를 Zustand로 바꿨다". */
  #readHangulChange(at: number): void {
    this.#words.slice(0, at).forEach((word, from) => {
      if (/에서$/.test(word)) this.#multiply(this.#phraseStart(from + 1), from + 1, -1);
      else if (/[a-z][을를]$/.test(word) && this.#find(/로$/, from) < at)
        this.#multiply(from, from + 1, -1);
    });
  }

  #find(pattern: RegExp, from: number): number {
    const found = this.#words.findIndex((word, at) => at >= from && pattern.test(word));
    return found === -1 ? this.#words.length : found;
  }

  /** Where the noun phrase before this word begins. */
  #phraseStart(at: number): number {
    const before = this.#words.slice(0, Math.max(0, at - 1));
    return (
      before.findLastIndex((word) => /(?:은|는|을|를|에서|에|으로|로|가|면|때|도)$/.test(word)) + 1
    );
  }

  #multiply(from: number, to: number, by: Sign): void {
    const { signs } = this.#negation;
    for (let at = this.#start + from; at < this.#start + to; at++)
      signs[at] = ((signs[at] ?? 1) * by) as Sign;
  }
}
