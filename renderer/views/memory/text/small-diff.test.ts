import { describe, expect, it } from 'vitest';
import { smallDiff } from './small-diff.ts';

const shown = (before: string, after: string) =>
  smallDiff(before, after)
    .map(({ kind, text }) =>
      kind === 'same' ? text : kind === 'gone' ? `[-${text}-]` : `[+${text}+]`,
    )
    .join('');

describe('before and after', () => {
  it('M19 shows the words that changed and leaves the others', () => {
    expect(shown('Sessions last seven days.', 'Sessions last thirty days.')).toBe(
      'Sessions last [-seven-][+thirty+] days.',
    );
  });

  it('M19 texts with little in common are shown one after the other, not word among word', () => {
    expect(
      shown('Importing the supplier list takes 40 s', 'Changed the words of a fact here'),
    ).toBe('[-Importing the supplier list takes 40 s-][+Changed the words of a fact here+]');
  });

  it('M19 shows what was added or taken away as a whole', () => {
    expect(shown('', 'new')).toBe('[+new+]');
    expect(shown('old', '')).toBe('[-old-]');
    expect(smallDiff('same', 'same')).toEqual([{ kind: 'same', text: 'same' }]);
  });

  it('M19 both texts can be read out of it', () => {
    const [before, after] = ['a b c d e f', 'a x c e f g'];
    const pieces = smallDiff(before, after);
    const without = (kind: string) =>
      pieces.flatMap((piece) => (piece.kind === kind ? [] : piece.text)).join('');
    expect(without('new')).toBe(before);
    expect(without('gone')).toBe(after);
  });

  it('M19 a long text is shortened around the change', () => {
    const long = 'word '.repeat(20_000);
    const text = shown(`${long}\nold\n${long}`, `${long}\nnew\n${long}`);
    expect(text).toContain('[-old\n-][+new\n+]');
    expect(text.length).toBeLessThan(500);
  });

  it('M19 two long texts that have nothing in common cost no table', () => {
    const lines = (word: string) =>
      Array.from({ length: 3000 }, (_, index) => `${word} ${index}`).join('\n');
    expect(smallDiff(lines('a'), lines('b')).map(({ kind }) => kind)).toEqual(['gone', 'new']);
  });
});
