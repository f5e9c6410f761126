/**
 * Chooses the few sentences that a prompt is reminded of (K7), out of the entries and facts that a
 * search has found: those that speak of what the prompt speaks of, and beside them those that name
 * what the session has not in its context yet. Within a number of characters, and one entry a turn.
 */
import { namesIn } from '../restore/name-worth.ts';
import { analyse, chunksOf, termsOf } from '../search/tokenize.ts';
import { noteSentences } from './sentences.ts';

/** An entry of L1 or a fact. */
export interface Candidate {
  /** As Claude may ask for it. */
  id: string;
  /** Who said it, or what it is. */
  who: string;
  text: string;
  /** Of the hit, against the best one. */
  relevance: number;
  /** Its terms that the prompt has. */
  terms: readonly string[];
  /** What was said in one turn is about the same. */
  turn: string;
}

export interface Note extends Pick<Candidate, 'id' | 'who' | 'turn'> {
  /** In the order of the entry. */
  sentences: string[];
}

/** What the session has in its context. */
export interface KnownContext {
  hasName(name: string): boolean;
  hasSentence(sentence: string): boolean;
}

/** Between two sentences of a note. */
export const JOINT = ' … ';
const MAX_SENTENCES = 4;
/** What the sentences of a note that speaks of the prompt must have of its words, by their rarity. */
const LEAST_MATCH = 0.9;
/** Other sentences count only so near to one that does. */
const NEAR = 3;
/** A sentence costs its length, and a little for being one more. */
const COST_CHARS = 40;
/** Of a name that every hit has. */
const MAX_NAME_WORTH = 5;
/** So that a long sentence is not better for its length alone. */
const SHORT_TERMS = 3;

interface Sentence {
  of: Candidate;
  at: number;
  text: string;
  /** How much it has of the prompt's words. */
  match: number;
  /** The same against its length. */
  density: number;
  names: string[];
}

export function chooseNotes(
  candidates: readonly Candidate[],
  known: KnownContext,
  { rarity, maxChars }: { rarity(word: string): number; maxChars: number },
): Note[] {
  const worth = nameWorth(candidates, known);
  const sentences = candidates.flatMap((candidate) => sentencesOf(candidate, known, worth, rarity));
  const chosen = new Map<Candidate, Sentence[]>();
  const told = new Set<string>();
  const turns = new Set<string>();
  let room = maxChars;

  const costOf = ({ of, text }: Sentence) =>
    text.length + (chosen.has(of) ? JOINT.length : noteHead(of).length + 1);
  const worthTaking = (sentence: Sentence): number => {
    const { of, at, text, match, density, names } = sentence;
    const others = chosen.get(of) ?? [];
    const mayBegin = match >= LEAST_MATCH && !turns.has(of.turn);
    const mayFollow =
      others.length < MAX_SENTENCES &&
      others.some((other) => Math.abs(other.at - at) <= NEAR) &&
      others.every((other) => other.text !== text);
    const cost = costOf(sentence);
    if (cost > room || !(others.length === 0 ? mayBegin : mayFollow)) return 0;
    const fresh = names.filter((name) => !told.has(name));
    const named = fresh.reduce((sum, name) => sum + (worth.get(name) ?? 0), 0);
    return ((density + named) * of.relevance) / (cost + COST_CHARS);
  };

  for (;;) {
    const best = bestOf(sentences, worthTaking);
    if (best === undefined) break;
    room -= costOf(best);
    chosen.set(best.of, [...(chosen.get(best.of) ?? []), best]);
    turns.add(best.of.turn);
    for (const name of best.names) told.add(name);
  }
  return [...chosen].map(([{ id, who, turn }, some]) => {
    const inOrder = some.toSorted((one, other) => one.at - other.at);
    return { id, who, turn, sentences: inOrder.map(({ text }) => text) };
  });
}

/** What stands before a note's sentences; the id of an entry begins with its day. */
export function noteHead({ id, who }: Pick<Candidate, 'id' | 'who'>): string {
  return `- ${id} ${who}: `;
}

/** What each name that the session does not know is worth: the more hits have it, the more. */
function nameWorth(candidates: readonly Candidate[], known: KnownContext): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { text, relevance } of candidates)
    for (const name of namesIn(text))
      if (!known.hasName(name)) sums.set(name, (sums.get(name) ?? 0) + relevance);
  return new Map([...sums].map(([name, sum]) => [name, Math.min(MAX_NAME_WORTH, Math.sqrt(sum))]));
}

function sentencesOf(
  of: Candidate,
  known: KnownContext,
  worth: ReadonlyMap<string, number>,
  rarity: (word: string) => number,
): Sentence[] {
  const wanted = new Map(of.terms.map((term) => [term, rarity(term)]));
  return noteSentences(of.text).flatMap((text, at) => {
    if (known.hasSentence(text)) return [];
    const terms = new Set(chunksOf(text).flatMap((word) => termsOf(analyse(word))));
    let match = 0;
    for (const term of terms) match += wanted.get(term) ?? 0;
    const density = match / Math.sqrt(SHORT_TERMS + terms.size);
    const names = [...namesIn(text)].filter((name) => worth.has(name));
    return [{ of, at, text, match, density, names }];
  });
}

function bestOf<T>(items: readonly T[], value: (item: T) => number): T | undefined {
  let best: T | undefined;
  let most = 0;
  for (const item of items) {
    const found = value(item);
    if (found > most) [best, most] = [item, found];
  }
  return best;
}
