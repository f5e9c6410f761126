/// <reference path="./wink-porter2-stemmer.d.ts" />
/**
 * Splits texts and queries alike (M17): a text into chunks (a word, an identifier, a path), and a
 * chunk into terms. Words become terms with and without their endings, identifiers and paths whole
 * and in parts. Words inside a compound need no terms: `vocabulary.ts` finds them.
 */
import stemOf from 'wink-porter2-stemmer';
import { isOnlyEndings, koreanStems } from './korean-stems.ts';
import { verbStem } from './korean-verbs.ts';

export interface Word {
  /** The whole first, then its stems. Empty if only the parts mean something. */
  terms: readonly string[];
  parts: readonly Word[];
}

const OTHER = 0;
const WORD = 1;
const CONNECTOR = 2;

const WORD_CHARACTERS = /[\p{L}\p{N}\p{M}]+/gu;
const WORD_CHARACTER = /^[\p{L}\p{N}\p{M}]/u;
const CONNECTORS = '-_./\\';
/** As in `::` and `../`. */
const MAX_CONNECTORS = 2;
/** A longer chunk ends at its next connector, so that a megabyte of path is many chunks. */
const LONG_CHUNK = 200;

const CODE_UNITS = 0x10000;
const SURROGATE_BITS = 0xf800;
const SURROGATES = 0xd800;
const FIRST_LOW_SURROGATE = 0xdc00;

const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/u;
const SCRIPT_RUN = /\p{Script=Hangul}+|\P{Script=Hangul}+/gu;
const HANGUL = /\p{Script=Hangul}/u;
/** `HTTPServer2` → HTTP, Server, 2. */
const HUMP = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}\p{N}]+|\p{N}+|\p{Lu}/gu;
const COUNT = /^\p{N}+$/u;
/** What is counted, at the beginning of what follows a number. */
const UNIT = /^(?:시간|개월|퍼센트|프로|.)/u;
const LIGHT_VERB = /^[하해했한할합함되돼됐된될됩됨]/;
const PLAIN_ASCII = /^[a-z]+$/;
/** Of Latin letters, and what turns a digit into a pictogram. */
const ACCENTS = /(?<=[\p{Script=Latin}\p{N}])[\p{Mn}\p{Me}]+/gu;

/** Longer ones are no words; their beginning is enough to find them. */
const MAX_TERM = 64;
const MAX_CHUNK = 1024;
/** `v2`, `L1`, `utf8`: the parts would mean nothing. */
const LONGEST_UNSPLIT = 4;
const stems = new Map<string, string>();
const MAX_STEMS = 20_000;
/** `was` and `this` would lose what they mean. */
const SHORTEST_STEMMED = 4;
/** A hash has more. */
const MAX_HUMPS = 8;

/**
 * Indexing scans millions of chunks: this table is several times faster than a regular expression.
 * Made by the first scan.
 */
let kindOfCode = new Uint8Array(0);

/** Reports places instead of strings, because most callers need few of the strings. */
export function scanChunks(text: string, visit: (start: number, end: number) => void): void {
  if (kindOfCode.length === 0) kindOfCode = kindsOfCodes();
  for (let at = 0; at < text.length; at++) {
    if (kindAt(text, at) !== WORD) continue;
    const end = chunkEnd(text, at);
    visit(at, end);
    at = end;
  }
}

export function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  scanChunks(text, (start, end) => chunks.push(text.slice(start, end)));
  return chunks;
}

function chunkEnd(text: string, start: number): number {
  let end = start;
  for (let at = start; at < text.length; at++) {
    const kind = kindAt(text, at);
    if (kind === WORD) end = at + 1;
    else if (kind === OTHER || at - end >= MAX_CONNECTORS || at - start > LONG_CHUNK) break;
  }
  return end;
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if ((code & SURROGATE_BITS) !== SURROGATES) return kindOfCode[code] as number;
  const start = code < FIRST_LOW_SURROGATE ? at : at - 1;
  return WORD_CHARACTER.test(text.slice(Math.max(0, start), start + 2)) ? WORD : OTHER;
}

function kindsOfCodes() {
  const kinds = new Uint8Array(CODE_UNITS);
  const codes = Array.from({ length: CODE_UNITS }, (_, code) =>
    (code & SURROGATE_BITS) === SURROGATES ? 0 : code,
  );
  const all = codes.map((code) => String.fromCharCode(code)).join('');
  for (const { index, 0: run } of all.matchAll(WORD_CHARACTERS))
    kinds.fill(WORD, index, index + run.length);
  for (const connector of CONNECTORS) kinds[connector.charCodeAt(0)] = CONNECTOR;
  return kinds;
}

export function analyse(chunk: string): Word {
  if (chunk.length <= MAX_TERM && PLAIN_ASCII.test(chunk))
    return { terms: withStem(chunk), parts: [] };
  const segments = chunk.slice(0, MAX_CHUNK).normalize('NFKC').split(SEPARATORS).filter(Boolean);
  const words = segments.flatMap((segment) => segmentWords(cut(segment)));
  if (words.length === 1) return words[0] as Word;
  const isIdentifier = !HANGUL.test(chunk) && words.length > 0;
  return { terms: isIdentifier ? [cut(fold(segments.join('')))] : [], parts: words };
}

/** All terms of a word, for the index. */
export function termsOf({ terms, parts }: Word): string[] {
  return [...new Set([...terms, ...parts.flatMap(termsOf)])];
}

/** `세션ID를` is 세션 and ID; `API를` is API alone. */
function segmentWords(segment: string): Word[] {
  const runs = segment.match(SCRIPT_RUN) ?? [];
  return runs.flatMap((run, index) => {
    if (HANGUL.test(run)) return hangulWords(run, runs[index - 1]);
    const isCounting = COUNT.test(run) && index + 1 < runs.length;
    return isCounting ? [] : [identifierWord(run)];
  });
}

/** After a number the unit belongs to it: `3일전에` is 3일 and 전에. */
function hangulWords(run: string, before: string | undefined): Word[] {
  const [unit] = COUNT.test(before ?? '') ? (UNIT.exec(run) ?? ['']) : [''];
  const words: Word[] = [];
  if (unit !== '')
    words.push({ terms: [`${before}${unit}`], parts: [{ terms: [before as string], parts: [] }] });
  const rest = run.slice(unit.length);
  const isPlain = before === undefined || !isOnlyEndings(rest);
  return rest !== '' && isPlain ? [...words, { terms: koreanTerms(rest), parts: [] }] : words;
}

/** 저장했다 → 저장했다, 저장; 늘렸다 → 늘렸다, 늘리. */
function koreanTerms(word: string): string[] {
  const stems = koreanStems(word);
  const verb = stems.some((stem) => LIGHT_VERB.test(word.slice(stem.length)))
    ? undefined
    : verbStem(word);
  // The shortest stem stays last.
  return verb === undefined ? [word, ...stems] : [...new Set([word, verb, ...stems])];
}

function identifierWord(run: string): Word {
  const humps = run.length > LONGEST_UNSPLIT ? (run.match(HUMP) ?? []) : [];
  const isSplit = humps.length > 1 && humps.length <= MAX_HUMPS;
  return {
    terms: isSplit ? [fold(run)] : withStem(fold(run)),
    parts: isSplit ? humps.map((hump) => ({ terms: withStem(fold(hump)), parts: [] })) : [],
  };
}

/** `caching` → caching, cach; so does `cached`. Only words have stems, and short ones have none. */
function withStem(term: string): string[] {
  if (term.length < SHORTEST_STEMMED || !PLAIN_ASCII.test(term)) return [term];
  const stem = knownStem(term);
  return stem === term ? [term] : [term, stem];
}

/** The same words stand in identifiers of every kind. */
function knownStem(term: string): string {
  const known = stems.get(term);
  if (known !== undefined) return known;
  const stem = stemOf(term);
  if (stems.size >= MAX_STEMS) stems.clear();
  stems.set(term, stem);
  return stem;
}

/** `Café` → cafe. */
function fold(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(ACCENTS, '').normalize('NFC');
}

/** Half a surrogate pair would come back from disk as another character. */
function cut(text: string): string {
  return text.length <= MAX_TERM ? text : text.slice(0, MAX_TERM).replace(/[\ud800-\udbff]$/, '');
}
