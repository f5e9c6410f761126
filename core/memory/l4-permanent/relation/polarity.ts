/**
 * Marks what a statement affirms and what it denies (M11), one sign per token: 1 affirmed, -1
 * denied ("not X", "instead of X", "X 대신", "from X to Y"), 0 unclear ("never X without Y"). Words
 * that only deny are marked, to be left out.
 */
import type { Token } from './tokens.ts';

export type Sign = -1 | 0 | 1;

export interface Polarity {
  signs: Sign[];
  /** Denied with its whole clause, not only as a phrase in it ("instead of X"). */
  isInClause: boolean[];
  /** Tokens that carry nothing but the denial. */
  isCue: boolean[];
}

const BOUNDARY = /^(?:[;.!?,:()→\n]|but|whereas|because)$/;
const CONNECTIVE =
  /(?:하고|되고|않고|말고|쓰고|두고|기고|리고|우고|으며|하며|되며|지만|므로|는데|았고|었고|했고|됐고|없고|있고)$/;

const AUXILIARY =
  'do|does|did|is|are|was|were|be|been|has|have|had|must|may|might|can|could|shall|should|will|would|need|ought|it|them|to';
const NO_DENIAL = '(?!only|more|less|fewer|later|earlier|matter|doubt|problem|sooner)';
/**
 * Each is held against "before|word|next" and denies its whole clause; before is empty at the
 * clause's beginning.
 */
const DENIALS: readonly RegExp[] = [
  /\|(?:never|cannot|nobody|none|neither|avoid(?:s|ed|ing)?|forbid(?:s|den)?|prohibit(?:s|ed)?|banned|disallow(?:s|ed)?)\|/,
  /\|(?:reject(?:s|ed)?|refuse[sd]?|deprecated|unsupported|withdrawn|retired|abandon(?:ed)?|discontinued|abolished|obsolete|scrapped)\|/,
  /\|[a-z]+n't\|/,
  new RegExp(`^(?:${AUXILIARY})\\|not\\|${NO_DENIAL}`),
  new RegExp(`^(?!with\\|).*\\|no\\|${NO_DENIAL}`),
  /^\|stop\||\|stop(?:s|ped)?\|\w+ing$/,
  new RegExp(`^(?:${AUXILIARY})?\\|disable[sd]?\\|`),
  /^(?:turn|turned|switch|switched|is|are)\|off\|/,
  /^(?:been|was|were)\|(?:removed|dropped|deleted|disbanded|stopped|ended|shut)\|/,
  /^(?:is|are)\|(?:gone|excluded|omitted)\||^(?:is|are)\|left\|out$/,
];
/** These deny what follows. */
const DENYING_PHRASES: readonly RegExp[] = [
  /\|instead\|of$|\|rather\|than$|^in\|place\|of$|\|(?:without|nor)\|/,
  new RegExp(`\\|(?:not|no)\\|${NO_DENIAL}`),
];
/** These only up to where something goes instead: "moved out of checkout into the queue". */
const LEAVING = /^(?:stay|keep|kept|mov|remain|leav)\w*\|(?:out\|of|away\|from)$/;
/** What follows is left open. */
const EXCEPTING = /\|(?:except|unless|excluding)\||\|other\|than$/;

const DENYING_HANGUL =
  /^않|지않|^못하|^못한|^안된|^안됩|^안돼|^금지|^금하|^금한|^불가(?!피)|^폐지|^거절|^반려|^뺐|^뺀다|^지양|^삼가|^삼간|^거부|^불허|^차단|^없앴|^없앤|^그만|^중단(?:한|했|하)|^비활성화?(?:한|했|하|된|됐|되|로)|^끈다|^끄고|^꺼(?:져|짐|둔)|^피(?:한|하|해)|^막(?:는다|았다|습니다)|^제외(?:한다|했다|된다|합니다)|^(?:제거|삭제)(?:했|됐|되었|하였)|^없(?!이|애|앤|앴)/;
const DENYING_PHRASE_HANGUL = /^(?:대신|없이|아니라|아닌|빼고)/;
const FORBIDDING_AFTER_JI =
  /^(?:말|마라|마세요|마십시오|말고|말것|말자|말아야|말라|마|않기로|말도록)$/;
/** "예외 없이", "관계없이" deny nothing. */
const STRENGTHENING = /(?:예외|제한|빠짐|관계|상관|문제|차이|변함|조건|수밖에)$/;

const CONDITION = /^(?:without|unless|until|before|except|than|first)$/;
const CONDITION_HANGUL =
  /^(?:없이|전에|전에는|전까지|전까지는|외에|외에는|이외|이외에|이외에는|밖에|제외하고|제외한)|밖에$|않으면|없으면/;
const CHANGING = /^(?:switch|migrat|mov|chang|convert|port|transit|upgrad|replac)$/;
const CHANGING_HANGUL =
  /^(?:전환|변경|교체|이전|이관|대체|옮|바꾸|바꿨|바꾼|바꿔|바뀌|바뀐|바뀌었|넘어|갈아)/;

export function polarityOf(tokens: readonly Token[]): Polarity {
  const polarity: Polarity = {
    signs: tokens.map(() => 1),
    isInClause: tokens.map(() => false),
    isCue: tokens.map(() => false),
  };
  let start = 0;
  let wasDenied = false;
  for (let end = 0; end <= tokens.length; end++) {
    const token = tokens[end];
    const isBoundary = token === undefined || BOUNDARY.test(token.text);
    const isConnective = token?.script === 'hangul' && CONNECTIVE.test(token.text);
    if (!isBoundary && !isConnective) continue;
    const stop = isConnective ? end + 1 : end;
    const segment = new Segment(tokens, start, stop, polarity);
    // "do not commit keys, logs or dumps": the list goes on.
    if (wasDenied && token?.text !== '.' && segment.isListEnd()) segment.deny();
    else segment.read();
    wasDenied = segment.isDenied;
    start = end + 1;
  }
  return polarity;
}

class Segment {
  isDenied = false;
  private readonly tokens: readonly Token[];
  private readonly start: number;
  private readonly end: number;
  private readonly polarity: Polarity;

  constructor(tokens: readonly Token[], start: number, end: number, polarity: Polarity) {
    this.tokens = tokens;
    this.start = start;
    this.end = end;
    this.polarity = polarity;
  }

  isListEnd(): boolean {
    return (
      /^n?or$/.test(this.text(this.start)) ||
      (this.end - this.start <= 2 && /^n?or$/.test(this.text(this.end + 1)))
    );
  }

  deny(): void {
    this.isDenied = true;
    this.multiply(this.start, this.end, -1);
  }

  read(): void {
    let denials = 0;
    for (let at = this.start; at < this.end; at++) {
      if (!this.isDenial(at)) continue;
      this.polarity.isCue[at] = true;
      denials++;
    }
    if (denials % 2 === 1) {
      this.isDenied = true;
      this.polarity.isInClause.fill(true, this.start, this.end);
      this.multiply(this.start, this.end, this.isConditional() ? 0 : -1);
    }
    for (let at = this.start; at < this.end; at++) this.readPhrase(at);
    this.readChange();
  }

  private text(at: number): string {
    return this.tokens[at]?.text ?? '';
  }

  /** Whether this token denies its whole clause. */
  private isDenial(at: number): boolean {
    const token = this.tokens[at];
    if (token?.script === 'hangul') return this.isHangulDenial(at, token.text);
    if (token?.script !== 'latin') return false;
    const window = this.window(at);
    return DENIALS.some((pattern) => pattern.test(window));
  }

  private window(at: number): string {
    return `${at === this.start ? '' : this.text(at - 1)}|${this.text(at)}|${this.text(at + 1)}`;
  }

  private isHangulDenial(at: number, text: string): boolean {
    const before = at === this.start ? '' : this.text(at - 1);
    // "없게 막았다" denies once.
    if (/게$/.test(before) && /^(?:막|차단)/.test(text)) return false;
    if (text === '안' || text === '못') return at + 1 < this.end;
    if (FORBIDDING_AFTER_JI.test(text)) return /지[는도를]?$/.test(before);
    return DENYING_HANGUL.test(text) && !STRENGTHENING.test(before);
  }

  /** "never deploy without tests" says how to deploy; it does not deny deploying. */
  private isConditional(): boolean {
    for (let at = this.start; at < this.end; at++)
      if (CONDITION.test(this.text(at)) || CONDITION_HANGUL.test(this.text(at))) return true;
    return false;
  }

  private readPhrase(at: number): void {
    const token = this.tokens[at];
    if (token?.script === 'hangul') this.readHangulPhrase(at, token.text);
    if (token?.script !== 'latin') return;
    const window = this.window(at);
    if (EXCEPTING.test(window)) this.multiply(at, this.end, 0);
    if (LEAVING.test(window)) this.denyFrom(at, this.find(/^(?:to|into|in|onto|and)$/, at));
    else if (!this.polarity.isCue[at] && DENYING_PHRASES.some((pattern) => pattern.test(window)))
      this.denyFrom(at, this.end);
  }

  private denyFrom(cue: number, end: number): void {
    this.polarity.isCue[cue] = true;
    this.multiply(cue + 1, end, -1);
  }

  private readHangulPhrase(at: number, text: string): void {
    const before = at === this.start ? '' : this.text(at - 1);
    if (before === '') return;
    if (/^제외(?:하고|하면|한)/.test(text)) this.multiply(this.phraseStart(at), at, 0);
    const isInsteadOf =
      DENYING_PHRASE_HANGUL.test(text) || (text === '말고' && !/지[는도를]?$/.test(before));
    if (!isInsteadOf || STRENGTHENING.test(before)) return;
    this.polarity.isCue[at] = true;
    this.multiply(this.phraseStart(at), at, -1);
  }

  /** Where the noun phrase before this token begins. */
  private phraseStart(at: number): number {
    let start = at - 1;
    if (this.tokens[start]?.script === 'hangul' && this.tokens[start]?.isGlued) start--;
    while (
      start > this.start &&
      !/(?:은|는|을|를|에서|에는|에|으로|로|가|면|때|도)$/.test(this.text(start - 1))
    )
      start--;
    return Math.max(start, this.start);
  }

  private readChange(): void {
    for (let at = this.start; at < this.end; at++) {
      const token = this.tokens[at];
      if (token === undefined) continue;
      if (token.script === 'latin' && CHANGING.test(token.key)) this.readEnglishChange(at);
      if (token.script === 'hangul' && CHANGING_HANGUL.test(token.text)) this.readHangulChange(at);
    }
  }

  private readEnglishChange(at: number): void {
    const isReplace = this.tokens[at]?.key === 'replac';
    const [opening, closing] = isReplace
      ? [at, this.find(/^(?:with|by)$/, at)]
      : [this.find(/^from$/, at), this.find(/^(?:to|into)$/, at)];
    if (isReplace && closing === at + 1) this.multiply(this.start, at, -1);
    else if (isReplace) this.multiply(at + 1, closing, -1);
    else if (opening < closing) this.multiply(opening + 1, closing, -1);
  }

  private readHangulChange(at: number): void {
    for (let from = this.start; from < at; from++)
      if (/에서$/.test(this.text(from))) this.multiply(this.phraseStart(from + 1), from + 1, -1);
  }

  private find(pattern: RegExp, from: number): number {
    for (let at = from; at < this.end; at++) if (pattern.test(this.text(at))) return at;
    return this.end;
  }

  private multiply(from: number, to: number, by: Sign): void {
    for (let at = from; at < to; at++)
      this.polarity.signs[at] = ((this.polarity.signs[at] ?? 1) * by) as Sign;
  }
}
