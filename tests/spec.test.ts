/**
 * docs/SPEC.md and the tests know of the same rules: each has its line, and each that holds is in
 * the name of a test.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
/** The last rule of each letter; those of L1 are told apart by small letters. */
const LAST = { C: 5, M: 21, A: 10, G: 9, T: 8, L1: 'e', K: 9, V: 5, P: 3, F: 11, B: 18 };
/** Rules that hold as far as can be told, but that no test can show here. */
const NOT_TESTED: Record<string, string> = {
  K1: 'it takes real transcripts, which are other people’s work: `npm run bench -- --only continuity`',
};

const spec = readFileSync(join(ROOT, 'docs/SPEC.md'), 'utf8');
const rules = [...spec.matchAll(/^- \*\*([A-Z]\d+[a-e]?)\*\* (\*\(later\)\*)?/gm)].map(
  ([, id = '', later]) => ({
    id,
    isHeld: later === undefined,
  }),
);

/** The ids at the beginning of the names of tests and groups. */
const carried = new Set(
  ['core', 'cli', 'electron', 'renderer', 'scripts', 'tests'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.test\.tsx?$|^e2e\/cases\//.test(name) && name !== 'spec.test.ts')
      .flatMap((name) => idsIn(readFileSync(join(ROOT, folder, name), 'utf8'))),
  ),
);

function idsIn(source: string): string[] {
  // `it('…`, `describe('…`, and the second pair of brackets of `it.each([…])('…`.
  const names = source.matchAll(
    /(?:\b(?:it|describe|describeWith)|\))\(\s*['"`]((?:(?:[CMAGTFKBVP]\d+|L1[a-e]) )+)/g,
  );
  return [...names].flatMap(([, ids = '']) => ids.trim().split(' '));
}

it('every rule has its line, once, in order', () => {
  const all = Object.entries(LAST).flatMap(([letter, last]) =>
    typeof last === 'number'
      ? Array.from({ length: last }, (_, index) => `${letter}${index + 1}`)
      : [...'abcde'.slice(0, 'abcde'.indexOf(last) + 1)].map((small) => `${letter}${small}`),
  );
  expect(rules.map(({ id }) => id)).toEqual(all);
});

it('every rule that holds is in the name of a test, or it is told why not', () => {
  const unproven = rules.filter(({ id, isHeld }) => isHeld && !carried.has(id)).map(({ id }) => id);
  expect(unproven).toEqual(Object.keys(NOT_TESTED));
});

it('tests carry no id that is no rule', () => {
  expect([...carried].filter((id) => !rules.some((rule) => rule.id === id))).toEqual([]);
});
