/**
 * What answers questions: the product's index, and beside it what others would take: BM25 as in the
 * textbook, with and without stop words, and MiniSearch as it comes.
 */
import MiniSearch from 'minisearch';
import stem from 'wink-porter2-stemmer';
import { SearchIndex } from '../../core/memory/search/search-index.ts';
import type { Turn } from './question-sets.ts';

/** Returns the places of turns, the best first. */
export type Searcher = (question: string) => number[];
export type MakeSearcher = (turns: readonly Turn[]) => Searcher;

const HITS = 1000;
const WORDS = /[\p{L}\p{N}]+/gu;
/** The usual short list. */
const STOP_WORDS = new Set(
  (
    'a an and are as at be but by for from had has have he her his i if in into is it its me my no not ' +
    'of on or our she so such that the their them then there these they this to was we were what when ' +
    'where which who why will with you your do does did how about'
  ).split(' '),
);

export function product(turns: readonly Turn[]): Searcher {
  const index = new SearchIndex();
  for (const [place, { session, text }] of turns.entries())
    index.put({ id: String(place), layer: 'l1', project: '/project', session, text });
  return (question) => index.search(question, { limit: HITS }).map(({ id }) => Number(id));
}

export function miniSearch(turns: readonly Turn[]): Searcher {
  const index = new MiniSearch({ fields: ['text'] });
  index.addAll(turns.map(({ text }, id) => ({ id, text })));
  return (question) =>
    index
      .search(question)
      .slice(0, HITS)
      .map(({ id }) => id);
}

interface Bm25 {
  saturation: number;
  lengthWeight: number;
  hasStopWords: boolean;
}

export function bm25({ saturation, lengthWeight, hasStopWords }: Bm25): MakeSearcher {
  const wordsOf = (text: string) =>
    (text.toLowerCase().match(WORDS) ?? [])
      .filter((word) => !hasStopWords || !STOP_WORDS.has(word))
      .map((word) => stem(word));
  return (turns) => {
    const postings = new Map<string, Map<number, number>>();
    const lengths = turns.map(({ text }, place) => {
      const words = wordsOf(text);
      for (const word of words) {
        const places = postings.get(word) ?? new Map<number, number>();
        postings.set(word, places.set(place, (places.get(place) ?? 0) + 1));
      }
      return words.length;
    });
    const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    return (question) => {
      const scores = new Map<number, number>();
      for (const word of new Set(wordsOf(question))) {
        const places = postings.get(word) ?? new Map<number, number>();
        const rarity = Math.log(1 + (turns.length - places.size + 0.5) / (places.size + 0.5));
        for (const [place, often] of places) {
          const relativeLength = (lengths[place] as number) / average;
          const half = saturation * (1 - lengthWeight + lengthWeight * relativeLength);
          const fit = (often * (saturation + 1)) / (often + half);
          scores.set(place, (scores.get(place) ?? 0) + rarity * fit);
        }
      }
      return [...scores]
        .sort(([, one], [, other]) => other - one)
        .slice(0, HITS)
        .map(([place]) => place);
    };
  };
}
