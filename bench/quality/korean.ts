/**
 * How well Korean questions are answered (M17): 200 questions to 40 made-up conversations, written
 * by somebody who had not read the search, half of them never tuned on (tests/labelled).
 */

import heldOut from '../../tests/labelled/korean-search-questions-held-out.json' with {
  type: 'json',
};
import tuned from '../../tests/labelled/korean-search-questions-tuning.json' with { type: 'json' };
import turns from '../../tests/labelled/korean-search-turns.json' with { type: 'json' };
import { figure, type Result } from '../harness.ts';
import { bm25, type MakeSearcher, product } from './searchers.ts';

const FIRST = 5;
const LEAST = 0.95;

export function koreanResults(): Result[] {
  return [resultOf('tuned on', tuned), resultOf('never tuned on', heldOut)];
}

function resultOf(half: string, questions: typeof tuned): Result {
  const share = (make: MakeSearcher) => {
    const search = make(turns);
    const hits = questions.filter(({ question, answer }) =>
      search(question)
        .slice(0, FIRST)
        .some((place) => turns[place]?.id === answer),
    );
    return hits.length / questions.length;
  };
  const found = share(product);
  const peer = share(bm25({ saturation: 1.2, lengthWeight: 0.75, hasStopWords: false }));
  return {
    name: `quality: Korean turn R@5, ${half}`,
    promise: `at least ${100 * LEAST} %`,
    figures: [
      figure('Memory Keeper', 'product', '%', [100 * found]),
      figure('BM25 (k1 1.2, b 0.75)', 'peer', '%', [100 * peer]),
    ],
    ratios: [{ name: 'over BM25', value: found / peer }],
    holds: found >= LEAST,
  };
}
