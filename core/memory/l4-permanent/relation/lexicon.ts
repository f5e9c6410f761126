/**
 * Looks words up in the lists in resources (M11): which words mean the same in either language,
 * which category of alternatives a word belongs to, and which pole of a pair of opposites it is.
 */
import alternatives from '../../../../resources/alternatives.json' with { type: 'json' };
import glossary from '../../../../resources/glossary.json' with { type: 'json' };
import opposites from '../../../../resources/opposites.json' with { type: 'json' };
import statementWords from '../../../../resources/statement-words.json' with { type: 'json' };
import { eojeol } from './stems.ts';
import { type Token, tokensOf } from './tokens.ts';

export interface Category {
  name: string;
  /** Words that the category implies: "install" where package managers are compared. */
  about: ReadonlySet<string>;
  /** Members name whom a statement is about (frontend, backend), not what was decided. */
  isScope: boolean;
  /** A project has one of them, whatever else the statement says. */
  isAlone: boolean;
  /** Several members together are still one choice: Monday to Thursday. */
  isSeveral: boolean;
}

export interface Membership {
  category: Category;
  member: number;
}

export interface Pole {
  axis: number;
  side: 0 | 1;
}

interface Entry {
  id: string;
  /** Weak words ("app", "화면") are a subject only where there is no better one. */
  weight: 'stop' | 'light' | 'weak' | 'full';
  members: (Membership & { needsCapital: boolean })[];
  poles: Pole[];
  /** Written in several words. */
  isPhrase: boolean;
}

export interface Meaning extends Omit<Entry, 'members'> {
  members: Membership[];
  /** How many tokens it takes. */
  count: number;
  /** What is left over of the last token: the Korean particle or ending. */
  tail: string;
}

const LONGEST_PHRASE = 5;
const entries = new Map<string, Entry>();

function termsOf(list: string, separator: string): string[] {
  return list
    .split(separator)
    .map((term) => term.trim())
    .filter((term) => term !== '');
}

/** 지운다 stands for 지우고, 지우지 and the like too. */
function withVerbStem(term: string): string[] {
  const { stem, tail } = /^[가-힣]{2,}다$/.test(term)
    ? eojeol(term, () => false)
    : { stem: term, tail: '' };
  if (tail === '') return [term];
  entryOf(term).id = entries.get(stem)?.id ?? stem;
  return stem.length < 2 ? [term] : [term, stem];
}

function keyOf(term: string): string {
  return tokensOf(term)
    .map(({ key }) => key)
    .join('');
}

function entryOf(term: string): Entry {
  const key = keyOf(term);
  const isPhrase = /[ -]/.test(term);
  const known = entries.get(key);
  if (known !== undefined) {
    known.isPhrase ||= isPhrase;
    return known;
  }
  const entry: Entry = { id: key, weight: 'full', members: [], poles: [], isPhrase };
  entries.set(key, entry);
  return entry;
}

/** Gives all terms one id, that of the first one that has been named before. */
function equate(terms: readonly string[], named: Set<Entry>): void {
  const group = terms.map(entryOf);
  const id = (group.find((entry) => named.has(entry)) ?? group[0])?.id;
  if (id === undefined) return;
  for (const entry of group) {
    if (!named.has(entry)) entry.id = id;
    named.add(entry);
  }
}

function readLists(): void {
  const named = new Set<Entry>();
  for (const terms of statementWords.same) equate(termsOf(terms, ','), named);
  // Before the glossary, which has words of opposite meaning in one group where they are of one
  // topic.
  const categories = alternatives.map((list) => readCategory(list, named));
  for (const terms of glossary) equate(terms, named);
  // Only now every word has its id.
  categories.forEach((category, index) => {
    category.about = new Set(
      termsOf(alternatives[index]?.about ?? '', ',').map((term) => entryOf(term).id),
    );
  });
  opposites.forEach((sides, axis) => {
    for (const side of [0, 1] as const)
      for (const term of termsOf(sides[side] ?? '', ',').flatMap(withVerbStem))
        entryOf(term).poles.push({ axis, side });
  });
  for (const term of termsOf(statementWords.light, ',').flatMap(withVerbStem))
    entryOf(term).weight = 'light';
  for (const term of termsOf(statementWords.weak, ',')) entryOf(term).weight = 'weak';
  for (const term of termsOf(statementWords.stop, ',')) entryOf(term).weight = 'stop';
}

interface CategoryList {
  of: string;
  about: string;
  members: string;
  scope?: boolean;
  alone?: boolean;
  several?: boolean;
}

function readCategory(list: CategoryList, named: Set<Entry>): Category {
  const category: Category = {
    name: list.of,
    about: new Set(),
    isScope: list.scope === true,
    isAlone: list.alone === true,
    isSeveral: list.several === true,
  };
  termsOf(list.members, ',').forEach((terms, member) => {
    const synonyms = termsOf(terms, '|');
    equate(synonyms, named);
    for (const term of synonyms) {
      // "Go", "Make" and "Express" are everyday words in lower case.
      const needsCapital = /^[A-Z](?:[a-z]+|[A-Z]+)$/.test(term);
      const { members } = entryOf(term);
      if (!members.some((other) => other.category === category))
        members.push({ category, member, needsCapital });
    }
  });
  return category;
}

readLists();

/** The longest known phrase at this place; the word itself where nothing is known of it. */
export function meaningAt(tokens: readonly Token[], at: number): Meaning {
  let base = '';
  let found: Meaning | undefined;
  for (let count = 1; count <= LONGEST_PHRASE; count++) {
    const token = tokens[at + count - 1];
    if (token === undefined || token.script === 'mark') break;
    found = phraseEndingWith(token, base, count, tokens[at]?.isCapital === true) ?? found;
    base += token.key;
  }
  return found === undefined ? unknownWord(tokens[at]) : withInner(found, tokens, at);
}

/** "dev server" is still of the development side, "rendered on the server" still on the server. */
function withInner(phrase: Meaning, tokens: readonly Token[], at: number): Meaning {
  if (phrase.count === 1) return phrase;
  const suffixes = Array.from({ length: phrase.count - 1 }, (_, index) =>
    meaningWithin(tokens, at + index + 1, phrase.count - index - 1),
  );
  const scopes =
    meaningWithin(tokens, at, 1)?.members.filter(({ category }) => category.isScope) ?? [];
  const members = [
    ...phrase.members,
    ...suffixes.flatMap((meaning) => meaning?.members ?? []),
    ...scopes,
  ];
  const poles = [...phrase.poles, ...suffixes.flatMap((meaning) => meaning?.poles ?? [])];
  return {
    ...phrase,
    members: members.filter(
      ({ category }, index) => members.findIndex((other) => other.category === category) === index,
    ),
    poles: poles.filter(
      ({ axis }, index) => poles.findIndex((other) => other.axis === axis) === index,
    ),
  };
}

function meaningWithin(tokens: readonly Token[], at: number, count: number): Meaning | undefined {
  const last = tokens[at + count - 1];
  const base = tokens
    .slice(at, at + count - 1)
    .map(({ key }) => key)
    .join('');
  return last === undefined
    ? undefined
    : phraseEndingWith(last, base, count, tokens[at]?.isCapital === true);
}

function phraseEndingWith(
  token: Token,
  base: string,
  count: number,
  isCapital: boolean,
): Meaning | undefined {
  const { stem, tail } =
    token.script === 'hangul'
      ? eojeol(token.text, (known) => entries.has(base + known))
      : { stem: token.key, tail: '' };
  const entry = entries.get(base + stem);
  // "be long" is not "belong".
  if (
    entry === undefined ||
    (count > 1 && !entry.isPhrase && !token.isGlued && token.script === 'latin')
  )
    return undefined;
  const members = entry.members.filter(({ needsCapital }) => !needsCapital || isCapital);
  return { ...entry, members, count, tail };
}

function unknownWord(token: Token | undefined): Meaning {
  const word = token ?? { text: '', key: '', script: 'mark' };
  const { stem, tail } =
    word.script === 'hangul' ? eojeol(word.text, () => false) : { stem: word.key, tail: '' };
  return {
    id: stem,
    weight: word.script === 'mark' ? 'stop' : 'full',
    members: [],
    poles: [],
    isPhrase: false,
    count: 1,
    tail,
  };
}
