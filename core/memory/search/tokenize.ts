/**
 * Splits a chunk into terms (M17), the same way for entries and queries. Hangul words are given
 * with and without particles and endings, identifiers and paths whole and in parts. Two-syllable
 * words inside a compound need no terms of their own: the vocabulary is searched for them, see
 * `vocabulary.ts`.
 */
import { isOnlyEndings, koreanStems } from './korean-stems.ts';

export interface Word {
  /** The whole first, then its stems. Empty where only the parts say something. */
  terms: readonly string[];
  parts: readonly Word[];
}

const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/u;
const SCRIPT_RUN = /\p{Script=Hangul}+|\P{Script=Hangul}+/gu;
const HANGUL = /\p{Script=Hangul}/u;
/** `HTTPServer2` → HTTP, Server, 2. */
const HUMP = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}\p{N}]+|\p{N}+|\p{Lu}/gu;
const PLAIN_ASCII = /^[a-z]+$/;
/** Of Latin letters, and what makes a picture of a digit. */
const ACCENTS = /(?<=[\p{Script=Latin}\p{N}])[\p{Mn}\p{Me}]+/gu;

/** What is longer is no word; its beginning is enough to find it by. */
const MAX_TERM = 64;
const MAX_CHUNK = 1024;
/** `v2`, `L1`, `utf8`: the parts would say nothing. */
const LONGEST_UNSPLIT = 4;
/** A hash falls into many bits. */
const MOST_HUMPS = 8;

export function analyse(chunk: string): Word {
  if (chunk.length <= MAX_TERM && PLAIN_ASCII.test(chunk)) return { terms: [chunk], parts: [] };
  const segments = chunk.slice(0, MAX_CHUNK).normalize('NFKC').split(SEPARATORS).filter(Boolean);
  const words = segments.flatMap((segment) => segmentWords(cut(segment)));
  if (words.length === 1) return words[0] as Word;
  const isIdentifier = !HANGUL.test(chunk);
  return {
    terms: isIdentifier && words.length > 0 ? [cut(fold(segments.join('')))] : [],
    parts: words,
  };
}

/** All terms of a word, for the index. */
export function termsOf({ terms, parts }: Word): string[] {
  return [...new Set([...terms, ...parts.flatMap(termsOf)])];
}

/** `세션ID를` is 세션 and ID; `API를` is API alone. */
function segmentWords(segment: string): Word[] {
  const runs = segment.match(SCRIPT_RUN) ?? [];
  return runs.flatMap((run, index) => {
    if (!HANGUL.test(run)) return [identifierWord(run)];
    return index > 0 && isOnlyEndings(run)
      ? []
      : [{ terms: [run, ...koreanStems(run)], parts: [] }];
  });
}

function identifierWord(run: string): Word {
  const humps = run.length > LONGEST_UNSPLIT ? (run.match(HUMP) ?? []) : [];
  const isSplit = humps.length > 1 && humps.length <= MOST_HUMPS;
  return {
    terms: [fold(run)],
    parts: isSplit ? humps.map((hump) => ({ terms: [fold(hump)], parts: [] })) : [],
  };
}

/** `Café` → cafe. */
function fold(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(ACCENTS, '').normalize('NFC');
}

/** Half a surrogate pair would come back from disk as another character. */
function cut(text: string): string {
  return text.length <= MAX_TERM ? text : text.slice(0, MAX_TERM).replace(/[\ud800-\udbff]$/, '');
}
