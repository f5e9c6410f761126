import { describe, expect, it } from 'vitest';
import { mergeTexts } from './merge-texts.ts';

const BASE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

describe('M19 two changes of one text', () => {
  it('become one where they do not touch', () => {
    expect(mergeTexts(BASE, BASE.replace('one', 'ONE'), BASE.replace('six\n', ''))).toBe(
      'ONE\ntwo\nthree\nfour\nfive\nseven\n',
    );
    expect(mergeTexts(BASE, `zero\n${BASE}`, `${BASE}eight\n`)).toBe(`zero\n${BASE}eight\n`);
    expect(mergeTexts(BASE, BASE.replace('two', '2\n2\n2'), BASE.replace('five\nsix', '5'))).toBe(
      'one\n2\n2\n2\nthree\nfour\n5\nseven\n',
    );
  });

  it('are refused where they touch the same place', () => {
    expect(mergeTexts(BASE, BASE.replace('two', '2'), BASE.replace('two', 'zwei'))).toBeUndefined();
    expect(mergeTexts(BASE, BASE.replace('two', '2'), BASE.replace('three', '3'))).toBeUndefined();
    expect(mergeTexts(BASE, `${BASE}eight\n`, `${BASE}acht\n`)).toBeUndefined();
    expect(
      mergeTexts(BASE, BASE.replace('two\nthree\nfour\n', ''), BASE.replace('three', '3')),
    ).toBeUndefined();
  });

  it('are applied once where both made the same change', () => {
    const both = BASE.replace('two', '2');
    expect(mergeTexts(BASE, both, both.replace('seven', '7'))).toBe(both.replace('seven', '7'));
    expect(mergeTexts(BASE, both, both)).toBe(both);
    expect(mergeTexts(BASE, BASE, both)).toBe(both);
    expect(mergeTexts(BASE, both, BASE)).toBe(both);
  });

  it('are that side alone where only one side changed', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    for (let round = 0; round < 300; round++) {
      const base = Array.from({ length: random(12) }, () => 'abc'[random(3)]).join('\n');
      const theirs = Array.from({ length: random(12) }, () => 'abc'[random(3)]).join('\n');
      // A line that is nowhere else, far from all that they changed.
      const ours = `new\n-\n-\n${base}`;
      const joined = mergeTexts(`-\n-\n${base}`, ours, `-\n-\n${theirs}`);
      if (joined !== undefined) expect(joined).toBe(`new\n-\n-\n${theirs}`);
    }
  });

  it('are left to the person where nearly everything differs, in bounded time', () => {
    const lines = (word: string) =>
      Array.from({ length: 20_000 }, (_, n) => `${word} ${n}`).join('\n');
    expect(mergeTexts(lines('a'), lines('b'), lines('c'))).toBeUndefined();
  });
});
