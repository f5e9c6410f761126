/**
 * Looks words up in the lists in resources (M11): which words mean the same in either language, how
 * much a word says, and which choice it is (npm and pnpm are two choices of one package manager).
 */
import alternatives from '../../../../resources/alternatives.json' with { type: 'json' };
import glossary from '../../../../resources/glossary.json' with { type: 'json' };
import statementWords from '../../../../resources/statement-words.json' with { type: 'json' };
import { isVerbTail, splitTail, type Token, tokensOf } from './tokens.ts';

/** One of several things of which a statement chooses one. */
export interface Choice {
  /** What it is a choice of: "package manager". */
  of: string;
  member: number;
  /** A project has one of them, whatever the statement is about. */
  isAlone: boolean;
  /** Says whom or what a statement is about (frontend, Windows), not what was decided. */
  isScope: boolean;
  /** Ids of words that the choice implies: "install" where package managers are compared. */
  about: ReadonlySet<string>;
}

/**
 * "stop" words ("the", "use", "쓴다") say nothing, "light" ones what is done ("show"), "weak" ones
 * ("app") what it is about, if nothing better does.
 */
type Weight = 'stop' | 'light' | 'weak' | 'full';

interface Entry {
  id?: string;
  weight: Weight;
  choices: (Choice & { needsCapital: boolean })[];
}

export interface Meaning {
  id: string;
  weight: Weight;
  choices: Choice[];
  /** How many tokens it takes. */
  count: number;
  /** The Korean particle or ending of the last token. */
  tail: string;
}

const LONGEST_PHRASE = 5;
const entries = new Map<string, Entry>();

function listOf(text: string, separator = ','): string[] {
  return text.split(separator).map((term) => term.trim());
}

function keyOf(term: string): string {
  return tokensOf(term)
    .map(({ stem }) => stem)
    .join(' ')
    .replace(/(?<=[가-힣]{2})다$/, '');
}

function entryOf(term: string): Entry {
  const key = keyOf(term);
  const entry = entries.get(key) ?? { weight: 'full', choices: [] };
  entries.set(key, entry);
  return entry;
}

/** Gives all terms one id, that of the first one that has been named before. */
function equate(terms: readonly string[]): void {
  const group = terms.map(entryOf);
  const id = group.find((entry) => entry.id !== undefined)?.id ?? keyOf(terms[0] ?? '');
  for (const entry of group) entry.id ??= id;
}

function readAlternatives(list: (typeof alternatives)[number]): Set<string> {
  const { of, members, alone, scope } = list;
  const kind = { of, about: new Set<string>(), isAlone: alone === true, isScope: scope === true };
  for (const [member, names] of listOf(members).entries()) {
    const terms = listOf(names, '|');
    // Customers and members are both users, but not the same.
    if (!kind.isScope) equate(terms);
    for (const term of terms) {
      // "Go", "Make" and "Express" are everyday words in lower case.
      const needsCapital = /^[A-Z](?:[a-z]+|[A-Z]+)$/.test(term);
      entryOf(term).choices.push({ ...kind, member, needsCapital });
    }
  }
  return kind.about;
}

function readLists(): void {
  const { same, light, weak, stop } = statementWords;
  for (const terms of same) equate(listOf(terms));
  // Before the glossary, which has alternatives of one topic in one group.
  const implied = alternatives.map(readAlternatives);
  for (const terms of glossary) equate(terms);
  // Only now every word has its id.
  for (const [at, { about }] of alternatives.entries())
    for (const term of listOf(about)) implied[at]?.add(entryOf(term).id ?? keyOf(term));
  for (const [weight, terms] of Object.entries({ light, weak, stop }))
    for (const term of listOf(terms)) entryOf(term).weight = weight as Weight;
}

/** Read when first asked: reading them takes longer than a whole hook. */
function knownEntries(): ReadonlyMap<string, Entry> {
  if (entries.size === 0) readLists();
  return entries;
}

/** Says nothing and takes one token. */
export const NOTHING: Meaning = { id: '', weight: 'stop', choices: [], count: 1, tail: '' };

/** The longest known phrase at this place, else the word itself. */
export function meaningAt(tokens: readonly Token[], at: number): Meaning {
  const known = knownEntries();
  const isCapital = tokens[at]?.isCapital === true;
  let base = '';
  let found: Meaning | undefined;
  for (let count = 1; count <= LONGEST_PHRASE; count++) {
    const token = tokens[at + count - 1];
    if (token === undefined || token.script === 'mark') break;
    const isKnown = (stem: string) => known.has(base + stem);
    const { stem, tail } = token.script === 'hangul' ? splitTail(token.stem, isKnown) : token;
    const entry = known.get(base + stem);
    if (entry !== undefined) {
      const choices = entry.choices.filter(({ needsCapital }) => !needsCapital || isCapital);
      found = { id: entry.id ?? base + stem, weight: entry.weight, choices, count, tail };
    } else if (count === 1)
      found = { id: stem, weight: isVerbTail(tail) ? 'light' : 'full', choices: [], count, tail };
    base += `${token.stem} `;
  }
  return found ?? NOTHING;
}
