import { describe, expect, it } from 'vitest';
import tuning from '../../../tests/labelled/secrets-2-tuning.json' with { type: 'json' };
import everyday from '../../../tests/labelled/secrets-tuning-more.json' with { type: 'json' };
import { WordFinder } from './word-finder.ts';

const WORDS = ['token', 'key', 'pw:', '비밀번호', '키는 ', 'log in ', 'tok', 'ken.', 'aaaa'];

function found(text: string, words: readonly string[] = WORDS): string[] {
  const all: string[] = [];
  new WordFinder(words).find(text, (at, word) => {
    all.push(`${at} ${words[word]}`);
    return 0;
  });
  return all.sort();
}

/** As one would do it without hurry. */
function searched(text: string, words: readonly string[] = WORDS): string[] {
  const plain = text.toLowerCase().replace(/\s/g, ' ');
  return words
    .flatMap((word) =>
      [...plain].flatMap((_, at) => (plain.startsWith(word, at) ? [`${at} ${word}`] : [])),
    )
    .sort();
}

describe('finding words', () => {
  it.each([
    ['', []],
    ['nothing here', []],
    ['a Token', ['2 tok', '2 token']],
    ['KEY', ['0 key']],
    ['the PW:', ['4 pw:']],
    ['p w:', []],
    ['API 키는 …', ['4 키는 ']],
    ['log\u00a0in\tnow', ['0 log in ']],
    ['log in', []],
    ['비밀번호', ['0 비밀번호']],
    ['totoken.', ['2 tok', '2 token', '4 ken.']],
    ['aaaaa', ['0 aaaa', '1 aaaa']],
  ])('tells every word in "%s" and where it begins', (text, words) => {
    expect(found(text)).toEqual(words);
  });

  it('L1c finds the same words as a plain search', () => {
    for (const { text } of [...tuning, ...everyday]) expect(found(text)).toEqual(searched(text));
  });

  it('does not search what was settled', () => {
    const at: number[] = [];
    new WordFinder(['key']).find('key key key key', (each) => {
      at.push(each);
      return each === 0 ? 9 : 0;
    });
    expect(at).toEqual([0, 12]);
  });

  it('takes no word of less than three characters', () => {
    expect(() => new WordFinder(['pw'])).toThrow(RangeError);
  });
});
