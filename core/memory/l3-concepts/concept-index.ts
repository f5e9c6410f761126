/**
 * Counts how often each term was seen in each concept, and decides by it which of the three bands
 * of M10 a fact falls into: it clearly belongs to one concept, clearly to none, or a model must
 * decide.
 */
import type { Terms } from './terms.ts';

export interface ConceptIndex {
  /** Concept id → number of its facts. */
  sizes: Map<string, number>;
  /** Term → concept id → number of the concept's facts that have the term. */
  sightings: Map<string, Map<string, number>>;
}

interface Candidate {
  conceptId: string;
  /** 0 to 1. */
  similarity: number;
}

/** A term that was seen once may be chance; this many imagined sightings stand against it. */
const DOUBT = 0.4;

export function newConceptIndex(): ConceptIndex {
  return { sizes: new Map(), sightings: new Map() };
}

export function addToConcept(index: ConceptIndex, conceptId: string, terms: Terms): void {
  index.sizes.set(conceptId, (index.sizes.get(conceptId) ?? 0) + 1);
  for (const term of terms.keys()) {
    const seen = index.sightings.get(term) ?? new Map<string, number>();
    index.sightings.set(term, seen);
    seen.set(conceptId, (seen.get(conceptId) ?? 0) + 1);
  }
}

export function removeFromConcept(index: ConceptIndex, conceptId: string, terms: Terms): void {
  lower(index.sizes, conceptId);
  for (const term of terms.keys()) {
    const seen = index.sightings.get(term);
    if (seen === undefined) continue;
    lower(seen, conceptId);
    if (seen.size === 0) index.sightings.delete(term);
  }
}

/**
 * Nearest first. Each term is a witness for the concepts it was seen in, by its weight and by the
 * share of its sightings that each of them has; the similarity is the chance that at least one
 * witness is right. A word that is everywhere bears witness to nothing.
 */
export function similarConcepts(index: ConceptIndex, terms: Terms): Candidate[] {
  const doubts = new Map<string, number>();
  for (const [term, weight] of terms) {
    const seen = index.sightings.get(term);
    if (seen === undefined) continue;
    let total = DOUBT;
    for (const count of seen.values()) total += count;
    for (const [conceptId, count] of seen) {
      doubts.set(conceptId, (doubts.get(conceptId) ?? 1) * (1 - (weight * count) / total));
    }
  }
  return [...doubts]
    .map(([conceptId, doubt]) => ({ conceptId, similarity: 1 - doubt }))
    .sort((a, b) => b.similarity - a.similarity || (a.conceptId < b.conceptId ? -1 : 1));
}

function lower(counts: Map<string, number>, key: string): void {
  const count = (counts.get(key) ?? 0) - 1;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

export type ConceptBand = { band: 'match'; conceptId: string } | { band: 'miss' | 'unclear' };

const MATCH_SIMILARITY = 0.7;
/** Below this nothing is left to weigh. */
const MISS_SIMILARITY = 0.4 * MATCH_SIMILARITY;
/** By how much the odds of the nearest concept must exceed those of the second. */
const LEAD = 2.8;

/** Without an anchor a fact is never a clear miss: it may say a concept's topic in other words. */
export function bandOf(terms: Terms, anchored: boolean, index: ConceptIndex): ConceptBand {
  const [first, second] = similarConcepts(index, terms);
  const similarity = first?.similarity ?? 0;
  const hasLead = odds(similarity) >= LEAD * odds(second?.similarity ?? 0);
  if (first !== undefined && similarity >= MATCH_SIMILARITY && hasLead)
    return { band: 'match', conceptId: first.conceptId };
  return { band: anchored && similarity < MISS_SIMILARITY ? 'miss' : 'unclear' };
}

function odds(similarity: number): number {
  return similarity / (1 - Math.min(similarity, 0.999));
}
