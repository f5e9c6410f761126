import { describe, expect, it } from 'vitest';
import tuning from '../../../tests/labelled/secrets-tuning.json' with { type: 'json' };
import everyday from '../../../tests/labelled/secrets-tuning-more.json' with { type: 'json' };
import { ASSIGNMENTS } from './assignments.ts';
import { KOREAN_SENTENCES } from './korean-sentences.ts';
import { SECRET_FORMATS } from './secret-formats.ts';
import { SECRET_PLACES } from './secret-places.ts';
import { WordFinder } from './word-finder.ts';

const GROUPS = [['token', 'key'], ['pw'], ['키'], ['log in '], ['비번', 'to'], ['ken.']];
const found = (finder: WordFinder, text: string) =>
  [...(finder.find(text) ?? [])].flatMap((mark, group) => (mark ? [group] : []));
/** As one would do it without hurry. */
const searched = (groups: readonly (readonly string[])[], text: string) => {
  const plain = text.toLowerCase().replace(/\s/g, ' ');
  return groups.flatMap((words, group) =>
    words.some((word) => plain.includes(word)) ? [group] : [],
  );
};

describe('finding words', () => {
  it.each([
    ['', []],
    ['nothing here', []],
    ['a Token', [0, 4]],
    ['KEY', [0]],
    ['the PW', [1]],
    ['p w', []],
    ['API 키', [2]],
    ['log\u00a0in\tnow', [3]],
    ['log in', []],
    ['비번은', [4]],
    ['totoken.', [0, 4, 5]],
  ])('finds the groups that have a word in "%s"', (text, groups) => {
    expect(found(new WordFinder(GROUPS), text)).toEqual(groups);
  });

  it('finds words anywhere in a long text', () => {
    const finder = new WordFinder(GROUPS);
    for (let at = 16_370; at < 16_390; at++)
      expect(found(finder, `${'x'.repeat(at)}token${'x'.repeat(20_000)}`)).toEqual([0, 4]);
    expect(finder.find('x'.repeat(100_000))).toBeUndefined();
  });

  it('M18 finds the same words as a plain search, and never skips a rule that matches', () => {
    const rules = [
      ...SECRET_FORMATS,
      ...SECRET_PLACES,
      ...ASSIGNMENTS,
      ...KOREAN_SENTENCES.map(([sentence]) => sentence),
    ];
    const groups = rules.map(({ words }) => words);
    const finder = new WordFinder(groups);
    for (const { text } of [...tuning, ...everyday]) {
      const tried = found(finder, text);
      expect(tried).toEqual(searched(groups, text));
      const matching = rules.flatMap(({ pattern, words }, rule) =>
        words.length > 0 && text.search(pattern) >= 0 ? [rule] : [],
      );
      expect(tried).toEqual(expect.arrayContaining(matching));
    }
  });
});
