/**
 * Prepares a statement for comparison (M11): its words with their meaning, sign and part in the
 * sentence, and its quantities. Comparing two prepared statements needs no text any more.
 */
import { type Choice, type Meaning, meaningAt, NOTHING } from './lexicon.ts';
import { negationOf, type Sign } from './negation.ts';
import { type Quantity, quantityAt } from './quantities.ts';
import { type Token, tokensOf } from './tokens.ts';

export interface Word {
  id: string;
  weight: Meaning['weight'];
  /** The ids of the words that a phrase consists of. */
  parts: readonly string[];
  choices: readonly Choice[];
  sign: Sign;
  /** Says what happens to the subject: "is triggered", "관리한다". */
  isPredicate: boolean;
  /** A proper name, as far as spelling tells: MailHog, `config.ts`. */
  isName: boolean;
  /** Words that follow each other within one phrase have the same number. */
  phrase: number;
  /** The Korean particle or ending, or the preposition before the phrase. */
  part: string;
}

export interface Statement {
  words: readonly Word[];
  /** Ids of its words and of their parts. */
  ids: ReadonlySet<string>;
  /** Its ids and what it chooses alone: statements without a common one are unrelated. */
  touches: ReadonlySet<string>;
  quantities: readonly Quantity[];
  /** What names one thing letter by letter: `created_at`, `src/a.ts`, the A of "team A". */
  literals: ReadonlySet<string>;
  isKorean: boolean;
  /** Adds to what stands ("also", "지원"): another choice need not replace the first. */
  isAdditive: boolean;
  /** Says when something happens: "after a week", "하루 전에". */
  isTimed: boolean;
  /** Says "only". */
  isExclusive: boolean;
}

/** A rule or decision is short; what follows is a text, and would only cost time. */
const MAX_CHARS = 600;
const ADDITIVE =
  /\b(?:also|too|additionally|besides|both|supports|supported)\b|\S support\b|또한|추가로|함께|지원/i;
const TIMED = /\b(?:after|before)\b|[뒤후전](?:에|부터|까지|$)| [뒤후전] /i;
const EXCLUSIVE = /\bonly\b|[가-힣](?:만|만을|뿐)(?![가-힣])/i;
const LITERAL =
  /[\w@.-]*[\w@][_/\\.:-]+\w[\w/\\.:-]*\w|(?<=[\p{L}\p{N}] )[B-HJ-Z](?![\w'])|(?<=[\p{L}\p{N}] )A(?=[가-힣.,)]| [a-z]+s )/gu;

export function prepare(text: string): Statement {
  const plain = text.slice(0, MAX_CHARS).normalize('NFKC');
  const { words, quantities } = readTokens(tokensOf(withoutDeniedBounds(plain)));
  const ids = words.flatMap(({ id, parts }) => [id, ...parts]);
  const alone = words.flatMap(({ choices }) => choices.filter(({ isAlone }) => isAlone));
  return {
    words,
    ids: new Set(ids),
    touches: new Set([...ids, ...alone.map(({ of }) => `choice of ${of}`)]),
    quantities,
    literals: new Set(plain.match(LITERAL)),
    isKorean: /[가-힣]/.test(plain),
    isAdditive: ADDITIVE.test(plain),
    isTimed: TIMED.test(plain),
    isExclusive: EXCLUSIVE.test(plain),
  };
}

function withoutDeniedBounds(text: string): string {
  return text
    .replaceAll('’', "'")
    .replaceAll(/ since (?:version )?v?\d[\d.]*/gi, '')
    .replaceAll(/\b(?:no|not) (?:more|longer|larger|later|greater) than\b/gi, 'at most')
    .replaceAll(/\b(?:no|not) (?:less|fewer|shorter|smaller|earlier) than\b/gi, 'at least')
    .replaceAll(/\b(?:nobody|no one|none) but\b/gi, 'only')
    .replaceAll(/\b(?:must|may|should|can|do|does) ?not exceed\b/gi, 'is at most')
    .replaceAll(/넘지 [않말못]\S*|넘을 수 없\S*|초과할 수 없\S*|초과하지 않\S*/g, '이하');
}

const PREPOSITION =
  /^(?:in|on|at|by|with|to|as|from|via|through|into|per|for|before|after|under|over|than|of|is|are|be)$/;

function readTokens(tokens: readonly Token[]): Pick<Statement, 'words' | 'quantities'> {
  const { signs, isCue } = negationOf(tokens);
  const words: Word[] = [];
  const quantities: Quantity[] = [];
  let phrase = 0;
  let preposition = '';
  for (let at = 0; at < tokens.length; ) {
    const sign = signs[at] ?? 1;
    const meaning = isCue[at] ? NOTHING : meaningAt(tokens, at);
    const isKnownPhrase = meaning.count > 1 && meaning.choices.length > 0;
    const quantity = isKnownPhrase ? undefined : quantityAt(tokens, at, sign);
    preposition = prepositionAt(tokens[at], preposition);
    if (quantity !== undefined) quantities.push(quantity);
    else if (!saysNothing(tokens, at, meaning))
      words.push(wordOf(tokens, at, meaning, { sign, phrase, preposition }));
    if (quantity !== undefined || !isOpen(meaning)) phrase++;
    at += quantity?.count ?? meaning.count;
  }
  return { words, quantities };
}

/** An empty word, or the first one of "새벽 3시". */
function saysNothing(tokens: readonly Token[], at: number, { weight, choices }: Meaning): boolean {
  if (weight === 'stop' && choices.length === 0) return true;
  const isPartOfDay = /^(?:오전|오후|새벽|아침|저녁|밤)$/.test(tokens[at]?.text ?? '');
  return isPartOfDay && quantityAt(tokens, at + 1, 1)?.dimension === 'clock';
}

/** "Use X for Y" says the same as "Y is done with X". */
function prepositionAt(token: Token | undefined, current: string): string {
  const text = token?.text ?? '';
  if (/^us(?:es?|ing)$/.test(text)) return 'with';
  return PREPOSITION.test(text) ? text : current;
}

/** Whether the phrase goes on behind the word. */
function isOpen({ weight, tail }: Meaning): boolean {
  return weight !== 'light' && weight !== 'stop' && /^(?:의|들)?$/.test(tail);
}

function wordOf(
  tokens: readonly Token[],
  at: number,
  { id, weight, choices, count, tail }: Meaning,
  place: Pick<Word, 'sign' | 'phrase'> & { preposition: string },
): Word {
  const { text, script, isCapital } = tokens[at] as Token;
  const own = tokens.slice(at, at + count);
  const parts = own.map((token) => meaningAt([token], 0)).filter((part) => part.weight !== 'stop');
  // "볼 수 있다": what can be done.
  const isAble = script === 'hangul' && tail === '' && tokens[at + 1]?.text === '수';
  const isLight = weight === 'stop' || (weight === 'full' && isAble);
  const isStart = at === 0 || /[.!?]/.test(tokens[at - 1]?.text ?? '');
  return {
    id,
    weight: isLight ? 'light' : weight,
    parts: count === 1 ? [] : parts.map((part) => part.id),
    choices,
    sign: place.sign,
    isPredicate: isLight || weight === 'light' || isFinalVerb(tokens, at, tail),
    isName: script === 'latin' && ((isCapital && !isStart) || /[._\d]/.test(text)),
    phrase: place.phrase,
    part: script === 'hangul' || tail !== '' ? particleOf(tail, tokens) : place.preposition,
  };
}

/** "Redis를 쓴다" says the same as "Redis로 한다". */
function particleOf(tail: string, tokens: readonly Token[]): string {
  const isUsed = tokens.some(({ text }) => /^(?:쓴다|쓰기로|써야|사용|이용)/.test(text));
  return isUsed && /^[을를]$/.test(tail) ? '로' : tail;
}

function isFinalVerb(tokens: readonly Token[], at: number, tail: string): boolean {
  const [before, { text, script }, next] = [tokens[at - 1], tokens[at] as Token, tokens[at + 1]];
  if (script === 'hangul')
    return /^(?:하|되|시키)?다$/.test(tail) || (/^[할될]$/.test(tail) && next?.text === '수');
  return /^(?:is|are|was|were|be|been|gets?)$/.test(before?.text ?? '') && /(?:ed|n|t)$/.test(text);
}
