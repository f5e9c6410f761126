/** Tells by which terms entries were found and which words of the query they lack (M17). */
import type { Postings } from './postings.ts';
import type { Matcher, QueryWord } from './query.ts';

interface EntryMatch {
  /** Numbers of the terms that matched, the best first. */
  terms: number[];
  /** Words of the query that it lacks. */
  missing: string[];
}

type Tiers = Map<number, Map<number, number>>;

export function entryMatches(
  postings: Postings,
  words: readonly QueryWord[],
  entries: readonly number[],
): EntryMatch[] {
  const tiers: Tiers = new Map(entries.map((entry) => [entry, new Map()]));
  const sorted = entries.toSorted((one, other) => one - other);
  const having = words.map((word) => collectTerms(postings, word, sorted, tiers));
  const isMissing = (entry: number) => (word: QueryWord, index: number) =>
    !word.isOptional && word.time === undefined && !having[index]?.has(entry);
  return entries.map((entry) => ({
    terms: [...(tiers.get(entry) ?? [])]
      .sort(([, one], [, other]) => other - one)
      .map(([term]) => term),
    missing: words.filter(isMissing(entry)).map(({ text }) => text),
  }));
}

/** Collects the matching terms of each entry; returns the entries that have the word. */
function collectTerms(
  postings: Postings,
  { terms, parts }: Matcher,
  entries: readonly number[],
  tiersByEntry: Tiers,
): Set<number> {
  const having = new Set<number>();
  for (const [term, tier] of terms)
    for (const entry of postings.among(term, entries)) {
      const tiers = tiersByEntry.get(entry);
      tiers?.set(term, Math.max(tier, tiers.get(term) ?? 0));
      having.add(entry);
    }
  const [first, ...others] = parts.map((part) =>
    collectTerms(postings, part, entries, tiersByEntry),
  );
  for (const entry of first ?? []) if (others.every((other) => other.has(entry))) having.add(entry);
  return having;
}
