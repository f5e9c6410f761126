/**
 * Decides which of the three bands of M10 a fact falls into: it clearly belongs to one concept,
 * clearly to none, or a model must decide between candidates. F8 sets the similarity that a clear
 * match needs.
 */
import { type Candidate, type ConceptIndex, similarConcepts } from './concept-index.ts';
import { type ConceptFact, isAnchored, type Terms, termsOf } from './terms.ts';

export type ConceptBand =
  | { band: 'match'; conceptId: string; similarity: number }
  | { band: 'miss' }
  | { band: 'unclear'; candidates: Candidate[] };

export const MATCH_SIMILARITY = 0.7;
/** Below this share of the match's similarity nothing is left to weigh. */
const MISS_SHARE = 0.4;
/** By how much the odds of the nearest concept must exceed those of the second. */
const LEAD = 2.8;
const MAX_CANDIDATES = 5;

export function conceptOf(
  fact: ConceptFact,
  index: ConceptIndex,
  matchSimilarity = MATCH_SIMILARITY,
): ConceptBand {
  return bandOf(termsOf(fact), isAnchored(fact), index, matchSimilarity);
}

/**
 * A fact that nothing anchors never is a clear miss: its words may be another way to say what a
 * concept is about.
 */
export function bandOf(
  terms: Terms,
  anchored: boolean,
  index: ConceptIndex,
  matchSimilarity: number,
): ConceptBand {
  const candidates = similarConcepts(index, terms);
  const [first, second] = candidates;
  const similarity = first?.similarity ?? 0;
  if (
    first !== undefined &&
    similarity >= matchSimilarity &&
    odds(similarity) >= LEAD * odds(second?.similarity ?? 0)
  ) {
    return { band: 'match', ...first };
  }
  if (anchored && similarity < matchSimilarity * MISS_SHARE) return { band: 'miss' };
  return { band: 'unclear', candidates: candidates.slice(0, MAX_CANDIDATES) };
}

function odds(similarity: number): number {
  return similarity / (1 - Math.min(similarity, 0.999));
}
