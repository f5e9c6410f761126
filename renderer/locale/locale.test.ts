/** The window's texts (G6): both languages are complete, and each says the same. */
import { afterEach, describe, expect, it } from 'vitest';
import { DICTIONARIES } from './dictionaries.ts';
import {
  clock,
  duration,
  number,
  relativeTime,
  setLanguage,
  t,
  textIfAny,
  tokens,
} from './locale.ts';

const NAMESPACES = Object.keys(DICTIONARIES.en) as (keyof typeof DICTIONARIES.en)[];
const placeholders = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

afterEach(() => setLanguage('en'));

describe('the texts of the window', () => {
  it.each(NAMESPACES)('G6 of %s are there in Korean, all of them and no others', (namespace) => {
    // Korean has one form for every number.
    const english = Object.keys(DICTIONARIES.en[namespace]).filter((key) => !key.endsWith('_one'));
    expect(Object.keys(DICTIONARIES.ko[namespace]).sort()).toEqual(english.sort());
  });

  it.each(NAMESPACES)(
    'G6 of %s have the same values in both languages, and none is empty',
    (namespace) => {
      for (const [key, korean] of Object.entries(DICTIONARIES.ko[namespace])) {
        const english = DICTIONARIES.en[namespace][key] ?? '';
        expect([key, placeholders(korean)]).toEqual([key, placeholders(english)]);
        expect(korean.trim(), key).not.toBe('');
      }
    },
  );

  it('G6 have a singular where English needs one', () => {
    expect(t('shell.problems', { count: 1 })).toBe('1 problem');
    expect(t('shell.problems', { count: 2 })).toBe('2 problems');
    setLanguage('ko');
    expect(t('shell.problems', { count: 1 })).toBe('문제 1건');
  });

  it('G6 say what they do not know by its key, or not at all', () => {
    expect(textIfAny('settings.label_notThere')).toBeUndefined();
    expect(textIfAny('settings.label_saveInterval')).toBe('Update memory.md every');
  });
});

describe('figures and times', () => {
  it('G6 are written alike everywhere', () => {
    expect(number(1_234_567)).toBe('1,234,567');
    expect([
      tokens(312),
      tokens(9100),
      tokens(712_400),
      tokens(999_600),
      tokens(1_048_576),
    ]).toEqual(['312', '9.1k', '712k', '1M', '1.05M']);
    expect([clock(8000), clock(7001), clock(61_000), clock(-5)]).toEqual([
      '0:08',
      '0:08',
      '1:01',
      '0:00',
    ]);
  });

  it('G6 of how long ago and for how long come in the user’s language', () => {
    const now = Date.parse('2026-01-02T12:00:00Z');
    expect(duration(7_800_000)).toBe('2 h 10 min');
    expect(relativeTime('2026-01-02T11:55:00Z', now)).toBe('5 min. ago');
    setLanguage('ko');
    expect(duration(7_800_000)).toBe('2시간 10분');
    expect(relativeTime('2026-01-02T11:55:00Z', now)).toBe('5분 전');
  });
});
