/**
 * Extracts weighted terms from a fact's text, files and keywords (M10, F8). Words of both languages
 * become terms of the glossary, so that facts meet by meaning; neighbouring words make pairs, as
 * "session cache" is more than both.
 */
import { EMPTY_WORDS, glossary, MAX_TERM_WORDS, PLAIN_TERMS } from './glossary.ts';
import { latinWords, type WordRun, withoutExtension, wordRuns } from './words.ts';

export interface ConceptFact {
  text: string;
  files: readonly string[];
  keywords: readonly string[];
}

/** Term → how much it says of the topic, 0 to 1. Prefixes: @ file, / folder, # identifier. */
export type Terms = ReadonlyMap<string, number>;

/** Found on tests/labelled/concepts-tuning.json alone. */
const WEIGHT = {
  plain: 0.23,
  word: 0.39,
  meaning: 0.65,
  phrase: 0.7,
  pair: 0.46,
  identifier: 0.73,
  file: 0.95,
  folder: 0.5,
};
const SHARE_IN_PHRASE = 0.8;
const SHARE_IN_FILE_NAME = 0.4;
/** A keyword's weight goes this far of the way to 1. */
const KEYWORD_GAIN = 0.5;
/** A sentence of either language begins with its topic: weights fall by this over so many terms. */
const LATE_LOSS = 0.3;
const LATE_AT = 14;

/** Files that every topic touches. */
const COMMON_FILE =
  /(?:^|\/)(?:package(?:-lock)?\.json|readme\.md|changelog\.md|tsconfig[\w.]*\.json|(?:index|main|app|server|types?|constants?|config|utils?|helpers?)\.\w+|\.env[\w.]*|\.gitignore|makefile|cargo\.toml|go\.mod|pyproject\.toml|requirements\.txt|pom\.xml|build\.gradle)$/i;

interface Sighting {
  term: string;
  weight: number;
}

export function termsOf(fact: ConceptFact): Terms {
  const terms = new Map<string, number>();
  const raise = ({ term, weight }: Sighting, share: number): void => {
    terms.set(term, Math.max(weight * share, terms.get(term) ?? 0));
  };
  sightingsIn(fact.text).forEach((sighting, at) => {
    raise(sighting, 1 - LATE_LOSS * Math.min(1, at / LATE_AT));
  });
  for (const keyword of fact.keywords) {
    for (const { term, weight } of sightingsIn(keyword))
      raise({ term, weight: weight + (1 - weight) * KEYWORD_GAIN }, 1);
  }
  const files = fact.files.filter((file) => !COMMON_FILE.test(file));
  for (const sighting of files.flatMap(sightingsInPath))
    raise(sighting, 1 / Math.sqrt(files.length));
  return terms;
}

/** Whether a keyword, or a file that not everything touches, says what the fact is about. */
export function isAnchored(fact: ConceptFact): boolean {
  return fact.keywords.length > 0 || fact.files.some((file) => !COMMON_FILE.test(file));
}

/** Whether facts that share the term are about one thing, not just alike in wording or place. */
export function isTopic(term: string): boolean {
  return glossary().terms.has(term) && !PLAIN_TERMS.has(term);
}

function sightingsInPath(path: string): Sighting[] {
  const clean = path.replace(/^\.\//, '');
  const at = clean.lastIndexOf('/');
  const folder = clean.slice(0, Math.max(0, at)).toLowerCase();
  const name = clean.slice(at + 1);
  const words = meanings(latinWords(withoutExtension(name)));
  return [
    { term: `@${name.toLowerCase()}`, weight: WEIGHT.file },
    // A first folder such as "src" holds everything.
    ...(folder.includes('/') ? [{ term: `/${folder}`, weight: WEIGHT.folder }] : []),
    ...words.map(({ term, weight }) => ({ term, weight: weight * SHARE_IN_FILE_NAME })),
  ];
}

function sightingsIn(text: string): Sighting[] {
  return wordRuns(text).flatMap((run) => [...sightingOfName(run), ...meanings(run.words)]);
}

function sightingOfName({ name }: WordRun): Sighting[] {
  if (name === undefined || COMMON_FILE.test(name.text)) return [];
  const text = name.text.toLowerCase();
  if (name.kind === 'file') return [{ term: `@${text}`, weight: WEIGHT.file }];
  return [{ term: `#${text.replace(/[^a-z0-9]/g, '')}`, weight: WEIGHT.identifier }];
}

function meanings(words: readonly string[]): Sighting[] {
  const seen: Sighting[] = [];
  let before: string | undefined;
  for (let at = 0; at < words.length; ) {
    const { term, length } = meaningAt(words, at);
    at += length;
    if (term !== undefined) {
      seen.push({ term, weight: weightOf(term, length) });
      if (length > 1) seen.push(...words.slice(at - length, at).flatMap(sightingInPhrase));
      if (before !== undefined && before !== term)
        seen.push({ term: [before, term].sort().join(' + '), weight: WEIGHT.pair });
    }
    before = term;
  }
  return seen;
}

function sightingInPhrase(word: string): Sighting[] {
  const { term } = meaningAt([word], 0);
  return term === undefined ? [] : [{ term, weight: weightOf(term, 1) * SHARE_IN_PHRASE }];
}

/** The longest run of words that the glossary knows, else the word itself if it says anything. */
function meaningAt(
  words: readonly string[],
  at: number,
): { term: string | undefined; length: number } {
  for (let length = Math.min(MAX_TERM_WORDS, words.length - at); length > 0; length--) {
    const run = words.slice(at, at + length).join(' ');
    const meaning = glossary().meanings.get(run) ?? glossary().meanings.get(stemOf(run));
    if (meaning !== undefined && !EMPTY_WORDS.has(run)) return { term: meaning, length };
  }
  const word = words[at] as string;
  return { term: saysNothing(word) ? undefined : stemOf(word), length: 1 };
}

function saysNothing(word: string): boolean {
  // A Korean word that ends in 다 is the verb of its sentence.
  return word.length < 2 || EMPTY_WORDS.has(word) || /^\d+$/.test(word) || /[가-힣]다$/.test(word);
}

function weightOf(term: string, length: number): number {
  if (PLAIN_TERMS.has(term)) return WEIGHT.plain;
  if (length > 1) return WEIGHT.phrase;
  return glossary().terms.has(term) ? WEIGHT.meaning : WEIGHT.word;
}

function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z ]+$/.test(word)) return word;
  const single = word
    .replace(/sses$/, 'ss')
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1');
  return single.length < 5 ? single : single.replace(/(?:ing|ed)$/, '').replace(/e$/, '');
}
