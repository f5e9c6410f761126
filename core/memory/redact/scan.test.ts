import { describe, expect, it } from 'vitest';
import { type Rule, Scan } from './scan.ts';

/** How often a judge looks at a text in which every character is suspicious. */
function looks(length: number, cost: number): number {
  let count = 0;
  const rule: Rule = { words: [], cost, judge: () => void count++ };
  const scan = new Scan('x'.repeat(length));
  for (let at = 0; at < length; at++) scan.look(rule, at, at + 1);
  return count;
}

describe('one text on its way through redaction', () => {
  it('L1c takes steps in proportion to the length of the text, whatever it contains', () => {
    const short = looks(1_000_000, 100);
    const long = looks(4_000_000, 100);
    expect(short).toBeGreaterThan(1000);
    expect(short * 100).toBeLessThan(1_000_000);
    expect(long).toBeLessThan(short * 4);
  });

  it('L1c a text of ordinary size is looked at wherever a word was found', () => {
    expect(looks(1000, 100)).toBe(1000);
  });

  it('puts one mark in the place of secrets that overlap, and keeps the rest', () => {
    const scan = new Scan('one two three four');
    scan.withhold(8, 13);
    scan.withhold(4, 10);
    expect(scan.cleaned(scan.text, (at) => at)).toBe('one [redacted] four');
  });

  it('has nobody look at what is settled', () => {
    const seen: number[] = [];
    const rule: Rule = { words: [], cost: 1, judge: (_, at) => void seen.push(at) };
    const scan = new Scan('abcdef');
    scan.settle(1, 4);
    for (let at = 0; at < 6; at++) scan.look(rule, at, at + 1);
    expect(seen).toEqual([4, 5]);
    expect(scan.cleaned(scan.text, (at) => at)).toBe('a[redacted]ef');
  });
});
