/**
 * How well questions are answered (M17), on the labelled Korean set, and on public sets of questions
 * that are given by `--data`: is a turn that answers among the first five, and its conversation among the first five? Beside
 * it: BM25 as in the textbook, the best of BM25 over a grid with stop words, and MiniSearch.
 */
import { type Bench, type Figure, figure, type Result } from '../harness.ts';
import { factsResults, koreanFactsResults } from './facts.ts';
import { koreanResults } from './korean.ts';
import { type QuestionSet, questionSetsIn } from './question-sets.ts';
import { recallResults } from './recall.ts';
import { bm25, type MakeSearcher, miniSearch, product, type Searcher } from './searchers.ts';

const FIRST = 5;
const FIRST_MORE = 10;
const LEAST_OVER_BM25_TURN = 1.15;
const LEAST_OVER_BM25_SESSION = 1.12;
const PLAIN = { saturation: 1.2, lengthWeight: 0.75 };
const GRID = [0.6, 0.9, 1.2, 1.6, 2].flatMap((saturation) =>
  [0.2, 0.3, 0.4, 0.6, 0.75].map((lengthWeight) => ({ saturation, lengthWeight })),
);

const MEASURES = ['turn hit@5', 'turn hit@10', 'turn MRR', 'session R@5'] as const;
type Measure = (typeof MEASURES)[number];
type Scores = Record<Measure, number>;

export const quality: Bench = {
  name: 'quality',
  about: 'how well questions are answered: Korean ones, and question sets given by --data',
  promise: `at least ${LEAST_OVER_BM25_TURN} × as many turns as BM25 finds`,
  async run(scene, tell, { data, list }) {
    const korean = [...koreanResults(), ...koreanFactsResults()];
    if (data === undefined) return korean;
    const sets = questionSetsIn(data);
    if (sets.length === 0) {
      tell('living through the transcripts again');
      const recalled = recallResults(data, scene);
      return [...recalled, ...factsResults(data, scene, list), ...korean];
    }
    tell(`asking ${sets.reduce((sum, { questions }) => sum + questions.length, 0)} questions`);
    const scoresOf = (make: MakeSearcher) => averageScores(sets, make);
    const grid = GRID.map((values) => scoresOf(bm25({ ...values, hasStopWords: true })));
    const english = results({
      product: scoresOf(product),
      plain: scoresOf(bm25({ ...PLAIN, hasStopWords: false })),
      best: bestOf(grid),
      mini: scoresOf(miniSearch),
    });
    return [...english, ...korean];
  },
};

function averageScores(sets: readonly QuestionSet[], make: MakeSearcher): Scores {
  const sums: Scores = { 'turn hit@5': 0, 'turn hit@10': 0, 'turn MRR': 0, 'session R@5': 0 };
  let questions = 0;
  for (const set of sets) {
    const search = make(set.turns);
    for (const question of set.questions) {
      const scores = scoresFor(search, set, question);
      for (const measure of MEASURES) sums[measure] += scores[measure];
      questions++;
    }
  }
  for (const measure of MEASURES) sums[measure] /= questions;
  return sums;
}

function scoresFor(
  search: Searcher,
  { turns }: QuestionSet,
  { text, answers }: QuestionSet['questions'][number],
): Scores {
  const found = search(text);
  const rank = found.findIndex((place) => answers.has(place));
  const sessionOf = (place: number) => turns[place]?.session;
  const sessions = [...new Set(found.map(sessionOf))].slice(0, FIRST);
  const wanted = [...new Set([...answers].map(sessionOf))];
  return {
    'turn hit@5': rank >= 0 && rank < FIRST ? 1 : 0,
    'turn hit@10': rank >= 0 && rank < FIRST_MORE ? 1 : 0,
    'turn MRR': rank >= 0 ? 1 / (rank + 1) : 0,
    'session R@5': wanted.filter((session) => sessions.includes(session)).length / wanted.length,
  };
}

/** Of each measure the best of all, whichever values gave it. */
function bestOf(all: readonly Scores[]): Scores {
  const best = (measure: Measure) => Math.max(...all.map((scores) => scores[measure]));
  return Object.fromEntries(MEASURES.map((measure) => [measure, best(measure)])) as Scores;
}

function results(by: Record<'product' | 'plain' | 'best' | 'mini', Scores>): Result[] {
  return MEASURES.map((measure) => {
    const share = (name: string, role: Figure['role'], scores: Scores) =>
      figure(name, role, '%', [100 * scores[measure]]);
    const over = (peer: Scores) => by.product[measure] / peer[measure];
    const least = measure === 'session R@5' ? LEAST_OVER_BM25_SESSION : LEAST_OVER_BM25_TURN;
    const isPromised = measure === 'session R@5' || measure === 'turn hit@5';
    return {
      name: `quality: ${measure}`,
      promise: isPromised
        ? `at least ${least} × BM25, and not below the best BM25 with stop words`
        : null,
      figures: [
        share('Memory Keeper', 'product', by.product),
        share('BM25 (k1 1.2, b 0.75), stems', 'peer', by.plain),
        share('BM25 with stop words, the best of a grid of k1 and b', 'peer', by.best),
        share('MiniSearch as it comes', 'peer', by.mini),
      ],
      ratios: [
        { name: 'over BM25', value: over(by.plain) },
        { name: 'over the best BM25', value: over(by.best) },
        { name: 'over MiniSearch', value: over(by.mini) },
      ],
      holds: isPromised ? over(by.plain) >= least && over(by.best) >= 1 : null,
    };
  });
}
