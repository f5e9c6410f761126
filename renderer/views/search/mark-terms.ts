/**
 * Which words of a hit answered (M17): the snippet and the terms that the index found come in,
 * places to be marked go out. Words are taken apart the way the index does it, so that 기억을 is
 * marked for 기억 and loadMemory for memory.
 */

import { analyse, scanChunks, termsOf } from '../../../core/memory/search/tokenize.ts';
import type { Place } from '../memory/text/find-quote.ts';

const LONGEST = 2000;

export function markTerms(text: string, terms: readonly string[], longest = LONGEST): Place[] {
  const wanted = new Set(terms);
  const places: Place[] = [];
  scanChunks(text.slice(0, longest), (start, end) => {
    const chunk = text.slice(start, end);
    if (!termsOf(analyse(chunk)).some((term) => wanted.has(term))) return;
    const seen = inside(chunk, terms).map((place) => ({
      start: start + place.start,
      end: start + place.end,
    }));
    places.push(...(seen.length === 0 ? [{ start, end }] : seen));
  });
  return places;
}

/** The terms themselves where they can be seen in the word; none where only its stem answered. */
function inside(chunk: string, terms: readonly string[]): Place[] {
  const folded = chunk.toLowerCase();
  if (folded.length !== chunk.length) return [];
  const found = terms.filter((term) => term !== '').flatMap((term) => occurrences(folded, term));
  const places: Place[] = [];
  for (const place of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = places.at(-1);
    if (last !== undefined && place.start <= last.end) last.end = Math.max(last.end, place.end);
    else places.push({ ...place });
  }
  return places;
}

function occurrences(text: string, term: string): Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length))
    places.push({ start: at, end: at + term.length });
  return places;
}
