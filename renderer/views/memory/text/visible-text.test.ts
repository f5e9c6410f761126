import { describe, expect, it } from 'vitest';
import { visibleLine, visiblePieces, visibleText } from './visible-text.ts';

describe('characters that nobody could see', () => {
  it('G2 a control character is shown by its name, a tab and line ends stay', () => {
    expect(visibleText('a\0b\x1b[31m\tc\r\nd\x7f')).toBe('a‹NUL›b‹ESC›[31m\tc\r\nd‹DEL›');
  });

  it('G2 a lone carriage return cannot hide what stands before it', () => {
    expect(visibleText('safe\rrm -rf')).toBe('safe‹CR›rm -rf');
  });

  it('G2 bidirectional controls are shown by name and with their number', () => {
    expect(visibleText('user\u202egpj.exe\u2066')).toBe('user‹RLO›gpj.exe‹LRI›');
    expect(visiblePieces('a\u202eb')).toEqual([
      { text: 'a' },
      { text: '‹RLO›', code: 'U+202E' },
      { text: 'b' },
    ]);
  });

  it('G2 zero-width, tag and C1 characters and half a pair are shown by number or name', () => {
    expect(visibleText('a\u200bb\u{e0041}c\x9bd\ud800e')).toBe('a‹ZWSP›b‹E0041›c‹009B›d‹D800›e');
  });

  it('G6 Korean, emoji that are joined, and right-to-left letters stay as they are', () => {
    for (const text of ['기억을 지킨다', '👩‍💻 ok', 'שלום', 'café'])
      expect(visibleText(text)).toBe(text);
  });

  it('G2 a cell is one line and never a megabyte', () => {
    expect(visibleLine('a\n\n b')).toBe('a b');
    expect(visibleLine('x'.repeat(1_000_000)).length).toBeLessThan(500);
  });
});
