import { describe, expect, it } from 'vitest';
import heldOut from '../../../../tests/labelled/contradictions-held-out.json' with { type: 'json' };
import tuning from '../../../../tests/labelled/contradictions-tuning.json' with { type: 'json' };
import more from '../../../../tests/labelled/contradictions-tuning-more.json' with { type: 'json' };
import { relationOf } from './relation.ts';
import { prepare } from './statement.ts';

interface Pair {
  older: string;
  newer: string;
  contradicts: boolean;
  paraphraseWithoutNegation: boolean;
  note: string;
}

const SORTS = [
  'refinement',
  'same statement',
  'different subject',
  'compatible addition',
  'negation word',
];

const kindOf = ({ older, newer }: Pick<Pair, 'older' | 'newer'>) =>
  relationOf(prepare(older), prepare(newer));

function measure(pairs: readonly Pair[]) {
  const judged = pairs.map((pair) => ({ ...pair, kind: kindOf(pair) }));
  const real = judged.filter(({ contradicts }) => contradicts);
  const found = real.filter(({ kind }) => kind === 'contradicts');
  const alarms = judged.filter(({ contradicts, kind }) => !contradicts && kind === 'contradicts');
  const ofSort = (items: readonly Pair[], sort: string) =>
    items.filter(({ note }) => note.startsWith(sort)).length;
  const same = judged.filter(({ kind }) => kind === 'same');
  const wronglySame = same.filter(
    ({ contradicts, note }) =>
      contradicts || /^(?:different subject|compatible addition)/.test(note),
  );
  return {
    contradictions: real.length,
    found: found.length,
    foundWithNegation: found.filter(({ paraphraseWithoutNegation }) => !paraphraseWithoutNegation)
      .length,
    foundWithoutNegation: found.filter(({ paraphraseWithoutNegation }) => paraphraseWithoutNegation)
      .length,
    falseAlarms: Object.fromEntries(SORTS.map((sort) => [sort, ofSort(alarms, sort)])),
    precision: found.length / (found.length + alarms.length),
    recall: found.length / real.length,
    sameStatements: ofSort(judged, 'same statement'),
    sameFound: ofSort(same, 'same statement'),
    refinementsAsSame: ofSort(same, 'refinement'),
    wronglySame: wronglySame.length,
  };
}

describe('contradictions, as labelled', () => {
  it('M11 V3 are found with few false alarms: more pairs, tuned on', () => {
    const found = more.filter((pair) => kindOf(pair) === 'contradicts');
    const right = found.filter(({ contradicts }) => contradicts).length;
    const same = more.filter((pair) => kindOf(pair) === 'same');
    const recall = right / more.filter(({ contradicts }) => contradicts).length;
    process.stdout.write(
      `contradictions, more, tuned on: precision ${right / found.length}, recall ${recall}\n`,
    );
    expect(right / found.length).toBeGreaterThanOrEqual(0.98);
    expect(recall).toBeGreaterThanOrEqual(0.6);
    expect(same).toEqual([]);
  });

  it.each([
    ['tuned on', tuning, { precision: 0.98, recall: 0.9, same: 4 }],
    ['never tuned on', heldOut, { precision: 0.97, recall: 0.5, same: 0 }],
  ] as [string, Pair[], { precision: number; recall: number; same: number }][])(
    'M11 are found with few false alarms: %s',
    (half, pairs, floor) => {
      const figures = measure(pairs);
      process.stdout.write(`contradictions, ${half}: ${JSON.stringify(figures)}\n`);
      expect(figures.precision).toBeGreaterThanOrEqual(floor.precision);
      expect(figures.recall).toBeGreaterThanOrEqual(floor.recall);
      expect(figures.sameFound).toBeGreaterThanOrEqual(floor.same);
      expect(figures.wronglySame).toBe(0);
      expect(figures.refinementsAsSame).toBe(0);
    },
  );
});
