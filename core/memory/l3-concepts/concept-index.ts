/**
 * Counts how often each term was seen in each concept, and computes the similarity of a fact to
 * each concept (M10, F8). It holds only counts, no facts, so it can be rebuilt from the facts at
 * any time.
 */
import type { Terms } from './terms.ts';

export interface ConceptIndex {
  /** Concept id → number of its facts. */
  sizes: Map<string, number>;
  /** Term → concept id → number of the concept's facts that have the term. */
  sightings: Map<string, Map<string, number>>;
}

export interface Candidate {
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
    let seen = index.sightings.get(term);
    if (seen === undefined) {
      seen = new Map();
      index.sightings.set(term, seen);
    }
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
