/**
 * The labelled secrets can be trusted as a measure: each label really stands in its text, and the
 * half that is never tuned on has nothing in common with the others. No redactor is run here.
 */
import { describe, expect, it } from 'vitest';
import secondHeldOut from './secrets-2-held-out.json' with { type: 'json' };
import secondTuning from './secrets-2-tuning.json' with { type: 'json' };
import thirdTuning from './secrets-3.json' with { type: 'json' };
import thirdHeldOut from './secrets-3-held-out.json' with { type: 'json' };
import fourthHeldOut from './secrets-4-held-out.json' with { type: 'json' };
import fourthTuning from './secrets-4-tuning.json' with { type: 'json' };
import fifthHeldOut from './secrets-5-held-out.json' with { type: 'json' };
import fifthTuning from './secrets-5-tuning.json' with { type: 'json' };
import firstHeldOut from './secrets-held-out.json' with { type: 'json' };
import firstTuning from './secrets-tuning.json' with { type: 'json' };
import moreTuning from './secrets-tuning-more.json' with { type: 'json' };

interface Item {
  id: string;
  kind: string;
  secret: boolean;
  text: string;
  value: string;
  also?: string[];
  keep?: string[];
}

const tuning: readonly Item[] = secondTuning;
const heldOut: readonly Item[] = secondHeldOut;
const earlier: readonly Item[] = [...firstTuning, ...moreTuning, ...firstHeldOut];
const third: readonly Item[] = thirdTuning;
const thirdKept: readonly Item[] = thirdHeldOut;
const fourth: readonly Item[] = fourthTuning;
const fourthKept: readonly Item[] = fourthHeldOut;
const fifth: readonly Item[] = fifthTuning;
const fifthKept: readonly Item[] = fifthHeldOut;
const all = [tuning, heldOut, third, thirdKept, fourth, fourthKept, fifth, fifthKept].flat();

const labelsOf = (item: Item): string[] => [item.value, ...(item.also ?? [])];
const kindsOf = (items: readonly Item[], secret: boolean): Set<string> =>
  new Set(items.filter((item) => item.secret === secret).map(({ kind }) => kind));
const twice = (texts: readonly string[]): string[] =>
  texts.filter((text, index) => texts.indexOf(text) !== index);

describe('M18 the second to fifth labelled sets of secrets', () => {
  it('each label stands in its text exactly once', () => {
    const wrong = all.filter((item) =>
      labelsOf(item).some((label) => label === '' || item.text.split(label).length !== 2),
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it('a secret names words around it that must stay, and they are no part of it', () => {
    const wrong = all.filter(
      (item) =>
        item.secret && (!item.keep?.length || !item.keep.every((word) => stays(item, word))),
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it('no id and no text comes twice, in the earlier sets neither', () => {
    expect(twice([...all, ...earlier].map(({ id }) => id))).toEqual([]);
    expect(twice([...all, ...earlier].map(({ text }) => text))).toEqual([]);
  });

  it('no label of the held-out half is known from another set', () => {
    const known = new Set([...tuning, ...third, ...fourth, ...fifth, ...earlier].flatMap(labelsOf));
    const kept = [...heldOut, ...thirdKept, ...fourthKept, ...fifthKept];
    expect(kept.flatMap(labelsOf).filter((label) => known.has(label)).length).toBe(0);
  });

  it('every kind for tuning is held out too, and some kinds are only held out', () => {
    for (const secret of [true, false]) {
      expect(
        [...kindsOf(tuning, secret)].filter((kind) => !kindsOf(heldOut, secret).has(kind)),
      ).toEqual([]);
    }
    expect(kindsOf(tuning, true).size).toBeGreaterThanOrEqual(60);
    expect(kindsOf(heldOut, true).size).toBeGreaterThan(kindsOf(tuning, true).size);
  });

  it('the third set has two hundred secrets of sixty kinds and three hundred harmless lines', () => {
    const both = [...third, ...thirdKept];
    expect(both.filter(({ secret }) => secret).length).toBeGreaterThanOrEqual(200);
    expect(both.filter(({ secret }) => !secret).length).toBeGreaterThanOrEqual(300);
    expect(kindsOf(both, true).size).toBeGreaterThanOrEqual(60);
  });

  it.each([
    ['tuning', tuning],
    ['held-out', heldOut],
    ['third tuning', third],
    ['third held-out', thirdKept],
  ])('the %s half has at least 150 harmless lines', (_name, items) => {
    expect(items.filter(({ secret }) => !secret).length).toBeGreaterThanOrEqual(150);
  });

  it.each([
    ['tuning', fourth],
    ['held-out', fourthKept],
  ])('the fourth %s half has 140 harmless lines, and secrets of 140 kinds', (_name, items) => {
    expect(items.filter(({ secret }) => !secret).length).toBeGreaterThanOrEqual(140);
    expect(kindsOf(items, true).size).toBeGreaterThanOrEqual(140);
  });

  it.each([
    ['tuning', fifth],
    ['held-out', fifthKept],
  ])('the fifth %s half has 150 harmless lines, and secrets of 120 kinds', (_name, items) => {
    expect(items.filter(({ secret }) => !secret).length).toBeGreaterThanOrEqual(150);
    expect(kindsOf(items, true).size).toBeGreaterThanOrEqual(120);
  });
});

function stays(item: Item, word: string): boolean {
  const withoutSecrets = labelsOf(item).reduce(
    (text, label) => text.replace(label, '\n'),
    item.text,
  );
  return withoutSecrets.includes(word);
}
