/**
 * Prepares a statement for comparison (M11): its words with their meaning, their sign and their
 * place in a phrase, and its quantities. Comparing two prepared statements needs no text any more.
 */
import { type Meaning, type Membership, meaningAt, type Pole } from './lexicon.ts';
import { polarityOf, type Sign } from './polarity.ts';
import { cycle, type Quantity, quantityAt } from './quantities.ts';
import { isNounTail } from './stems.ts';
import { type Token, tokensOf } from './tokens.ts';

export interface Word {
  id: string;
  /** As it was written. */
  text: string;
  /** The ids of the words that a phrase consists of. */
  parts: readonly string[];
  members: readonly Membership[];
  poles: readonly Pole[];
  sign: Sign;
  /** Where it is denied: its whole clause is. */
  isInClause: boolean;
  /** Says what the statement is about; light words ("use", "한다") do not. */
  isFull: boolean;
  /**
   * Says what happens to the subject ("… is triggered", "… 관리한다"): another word for it does not
   * make another subject.
   */
  isPredicate: boolean;
  /** Stands in a clause that says when: "before they are logged". */
  isSubordinate: boolean;
  /** "app", "화면": a subject only where there is no better one. */
  isWeak: boolean;
  /** A proper name, as far as spelling tells: MailHog, `config.ts`. */
  isName: boolean;
  /** Words that follow each other within one phrase have the same number. */
  phrase: number;
  /** Index of its first token. */
  at: number;
  /** The Korean particle or ending. */
  tail: string;
  /** The preposition before its phrase. */
  preposition: string;
}

export type SignedQuantity = Quantity & { sign: Sign };

export interface Statement {
  words: readonly Word[];
  full: readonly Word[];
  /** The full words, and light ones that are a choice: the branch "main". */
  content: readonly Word[];
  /** Everything it can be found by: ids and parts of its full words. */
  ids: ReadonlySet<string>;
  /**
   * Its ids and the categories that it chooses from: statements without a common one are unrelated.
   */
  touches: ReadonlySet<string>;
  /**
   * What stands for one thing and no other, letter by letter: `created_at`, `src/a.ts`, the A of
   * "team A".
   */
  literals: ReadonlySet<string>;
  quantities: readonly SignedQuantity[];
  /**
   * Adds to what stands ("also", "지원"): another member of a category need not replace the first.
   */
  isAdditive: boolean;
  /** Says "every" or "always": one exception breaks it. */
  isUniversal: boolean;
  /** Says "only". */
  isExclusive: boolean;
}

/** A rule or decision is short; what follows is a text, and would only cost time. */
const MAX_CHARS = 600;
const ADDITIVE =
  /^(?:also|too|additionally|besides|both|supports|supported|또한|추가로|함께|지원(?:한다|합니다|된다|하며|하고)?)$/;
const VERB_TAIL = /^(?:한|합|했|하|해|된|됩|됐|되|돼|시킨|시켜|는다|습니다|ㅆ|다$|니다)/;
/** "삭제한 문서": tells which documents, not that they are deleted. */
const ADNOMINAL_TAIL = /^(?:한|된|하는|되는|할|될|했던|하던)$/;
const TO_BE = /^(?:is|are|was|were|be|been|being|gets?)$/;
const PREPOSITION =
  /^(?:in|on|at|by|with|to|as|from|via|through|into|per|for|before|after|under|over|than|of|is|are|be)$/;

const LITERAL =
  /[\w@.-]*[\w@][_/\\.:-]+\w[\w/\\.:-]*\w|(?<=[\p{L}\p{N}] )[B-HJ-Z](?![\w'])|(?<=[\p{L}\p{N}] )A(?=[가-힣.,)]| [a-z]+s )/gu;

export function prepare(text: string): Statement {
  const plain = text.slice(0, MAX_CHARS).normalize('NFKC');
  const tokens = tokensOf(rephrased(plain));
  const { words, quantities } = new Reading(tokens);
  const full = fullOf(words);
  const ids = new Set(full.flatMap(({ id, parts }) => [id, ...parts]));
  return {
    words,
    full,
    content: words.filter(
      (word) => full.includes(word) || word.members.some(({ category }) => !category.isScope),
    ),
    ids,
    touches: new Set([...ids, ...words.flatMap(categoryNames)]),
    literals: new Set(plain.match(LITERAL)),
    quantities,
    isAdditive: tokens.some(
      (token, at) => ADDITIVE.test(token.text) || (token.text === 'support' && at > 0),
    ),
    isUniversal: tokens.some(({ text: word }) =>
      /^(?:every|all|each|always|any|모든|모두|항상|언제나|매번|전부)$/.test(word),
    ),
    isExclusive: tokens.some(({ text: word }) => /^only$|만$|만을$|뿐/.test(word)),
  };
}

/** Where a statement is about nothing in particular, its weak words ("app") are the subject. */
function fullOf(words: readonly Word[]): Word[] {
  const full = words.filter(({ isFull }) => isFull);
  const hasSubject = full.some(
    ({ members, poles, isPredicate }) => members.length + poles.length === 0 && !isPredicate,
  );
  return hasSubject ? full : words.filter(({ isFull, isWeak }) => isFull || isWeak);
}

function categoryNames({ members }: Word): string[] {
  return members
    .filter(({ category }) => !category.isScope)
    .map(({ category }) => `choice of ${category.name}`);
}

/** Bounds that look like denials. */
function rephrased(text: string): string {
  return text
    .replaceAll('’', "'")
    .replaceAll(/ since (?:version )?v?\d[\d.]*/gi, '')
    .replaceAll(/\b(?:no|not) (?:more|longer|larger|later|greater) than\b/gi, 'at most')
    .replaceAll(/\b(?:no|not) (?:less|fewer|shorter|smaller|earlier) than\b/gi, 'at least')
    .replaceAll(/\b(?:nobody|no one|none) but\b/gi, 'only')
    .replaceAll(
      /\b(?:must|may|should|can|do|does) ?not (\w+) (?:longer|more|larger) than\b/gi,
      'must $1 at most',
    )
    .replaceAll(/\b(?:must|may|should|can|do|does) ?not exceed\b/gi, 'is at most')
    .replaceAll(/넘지 (?:않\S*|말\S*|못\S*)|넘을 수 없\S*|초과할 수 없\S*|초과하지 않\S*/g, '이하');
}

function isFullWord(token: Token): boolean {
  return meaningAt([token], 0).weight === 'full';
}

function isPureUnit(dimension: string): boolean {
  return /(?:time|size|percent|character|line|pixel|digit|money|clock|factor|ordinal)$/.test(
    dimension,
  );
}

class Reading {
  readonly words: Word[] = [];
  readonly quantities: SignedQuantity[] = [];
  private readonly tokens: readonly Token[];
  private readonly signs: readonly Sign[];
  private readonly isInClause: readonly boolean[];
  private readonly isCue: readonly boolean[];
  private phrase = 0;
  private preposition = '';

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
    ({ signs: this.signs, isInClause: this.isInClause, isCue: this.isCue } = polarityOf(tokens));
    for (let at = 0; at < tokens.length; ) at += this.read(at);
    this.denyReplaced();
  }

  /** Takes what begins at this token and says how many tokens that was. */
  private read(at: number): number {
    const token = this.tokens[at];
    if (token === undefined || token.script === 'mark') return this.endPhrase(1);
    if (this.isParticle(at, token)) return this.addParticle(token);
    const meaning = meaningAt(this.tokens, at);
    const isPhrase = meaning.count > 1 && meaning.members.length + meaning.poles.length > 0;
    const quantity = isPhrase ? undefined : quantityAt(this.tokens, at);
    if (quantity !== undefined) return this.addQuantity(quantity);
    if (this.isCue[at] && !isPhrase) return this.endPhrase(1);
    if (PREPOSITION.test(token.text)) this.preposition = token.text;
    return this.addMeaning(at, token, meaning);
  }

  private endPhrase(count: number): number {
    this.phrase++;
    return count;
  }

  private isParticle(at: number, token: Token): boolean {
    const before = this.tokens[at - 1];
    const isTail = isNounTail(token.text) || VERB_TAIL.test(token.text);
    return token.script === 'hangul' && token.isGlued && before?.script === 'latin' && isTail;
  }

  private addParticle(token: Token): number {
    const last = this.words.at(-1);
    if (last !== undefined && last.phrase === this.phrase) last.tail = token.text;
    return token.text === '의' ? 1 : this.endPhrase(1);
  }

  private addQuantity(quantity: Quantity): number {
    this.quantities.push({ ...quantity, sign: this.signs[quantity.at] ?? 1 });
    this.phrase++;
    const unit = this.tokens[quantity.at + quantity.count - 1];
    // "two spaces", "three approvals": the unit also says what it is about.
    return unit?.script === 'latin' && quantity.count > 1 && !isPureUnit(quantity.dimension)
      ? quantity.count - 1
      : quantity.count;
  }

  private addMeaning(at: number, token: Token, meaning: Meaning): number {
    const { count, weight, tail } = meaning;
    if (weight === 'stop' && meaning.poles.length + meaning.members.length === 0)
      return this.endPhrase(count);
    const word = this.wordOf(at, token, meaning);
    this.words.push(word);
    this.addCycle(word);
    const isOpen = tail === '' || tail === '의' || tail === '들';
    if (!(word.isFull || word.isWeak) || !isOpen || this.isDeniedVerb(at, token)) this.phrase++;
    return this.hasCue(at, count) ? 1 : count;
  }

  /** "without an account" stands for itself, and its words for what is denied. */
  private hasCue(at: number, count: number): boolean {
    return this.isCue.slice(at, at + count).some(Boolean);
  }

  private wordOf(
    at: number,
    token: Token,
    { id, weight, members, poles, count, tail }: Meaning,
  ): Word {
    const isVerb = token.script === 'hangul' && VERB_TAIL.test(tail);
    const isAdnominal = ADNOMINAL_TAIL.test(tail);
    const kept = isVerb ? members.filter(({ category }) => !category.isScope) : members;
    const hasCue = this.hasCue(at, count);
    const isLight = weight !== 'full' || hasCue || kept.length < members.length;
    return {
      id,
      text: this.textOf(at, count),
      parts: count > 1 ? this.partsOf(at, count) : [],
      members: kept,
      poles: isAdnominal ? [] : poles,
      sign: hasCue ? 1 : (this.signs[at] ?? 1),
      isInClause: this.isInClause[at] ?? false,
      isFull: !isLight && (token.text.length > 1 || members.length > 0),
      isWeak: weight === 'weak' || this.isModifier(at, count, weight),
      isPredicate: this.isPredicate(at, token, isVerb && !isAdnominal),
      isSubordinate: this.isSubordinate(at),
      isName:
        token.script === 'latin' && ((token.isCapital && at > 0) || /[.\d_]/.test(token.text)),
      phrase: this.phrase,
      at,
      tail,
      preposition: this.preposition,
    };
  }

  /** "the read timeout": behind an article and before a noun, a verb tells which one is meant. */
  private isModifier(at: number, count: number, weight: Meaning['weight']): boolean {
    if (weight !== 'light') return false;
    const next = this.tokens[at + count];
    return (
      /^(?:the|an?|our)$/.test(this.tokens[at - 1]?.text ?? '') &&
      next?.script === 'latin' &&
      isFullWord(next)
    );
  }

  private isPredicate(at: number, token: Token, isVerb: boolean): boolean {
    const last = this.words.at(-1);
    const isGluedOn = token.isGlued && token.script === 'latin' && last?.isPredicate === true;
    // "Adyen processes our payments."
    const followsName =
      this.words.length === 1 &&
      last?.phrase === this.phrase &&
      last.members.length > 0 &&
      /[^s]s$/.test(token.text);
    const isFinal =
      /[가-힣](?:다|니다)$/.test(token.text) || TO_BE.test(this.tokens[at - 1]?.text ?? '');
    return isVerb || isFinal || isGluedOn || followsName || this.isDeniedVerb(at, token);
  }

  /** "do not add endpoints" */
  private isDeniedVerb(at: number, { script }: Token): boolean {
    return script === 'latin' && this.isCue[at - 1] === true && this.tokens[at - 1]?.text !== 'no';
  }

  private isSubordinate(at: number): boolean {
    for (let before = at - 1; before >= 0; before--) {
      const text = this.tokens[before]?.text ?? '';
      if (/^[;.,]$/.test(text)) return false;
      if (/^(?:before|when|if|until|once|while|unless)$/.test(text)) return true;
    }
    return false;
  }

  private addCycle({ members, text, at, sign }: Word): void {
    const frequency = members.find(({ category }) => category.name === 'frequency');
    const quantity = frequency === undefined ? undefined : cycle(frequency.member, text, at);
    if (quantity !== undefined) this.quantities.push({ ...quantity, sign });
  }

  private textOf(at: number, count: number): string {
    const tokens = this.tokens.slice(at, at + count);
    return tokens
      .map(({ text, isGlued }, index) => (index > 0 && !isGlued ? ` ${text}` : text))
      .join('');
  }

  private partsOf(at: number, count: number): string[] {
    return Array.from({ length: count }, (_, index) =>
      meaningAt(this.tokens.slice(at + index, at + index + 1), 0),
    )
      .filter(({ weight }) => weight !== 'stop')
      .map(({ id }) => id);
  }

  /** "Redux를 Zustand로 바꾼다": the first of the two is what is left behind. */
  private denyReplaced(): void {
    if (!this.tokens.some(({ text }) => /^(?:바꾸|바꿨|바꾼|바꿔|교체|대체|변경)/.test(text)))
      return;
    for (const old of this.words) {
      if (!/[을를]$/.test(old.tail)) continue;
      const isReplaced = old.members.some(({ category, member }) =>
        this.words.some(
          (other) =>
            other.at > old.at &&
            other.members.some((m) => m.category === category && m.member !== member),
        ),
      );
      if (isReplaced) old.sign = -1;
    }
  }
}
