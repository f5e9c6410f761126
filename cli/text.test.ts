import { describe, expect, it } from 'vitest';
import { columns, localTime, plain, plainLines, plainText, shorten } from './text.ts';

describe('text for a terminal', () => {
  it('never lets a name steer the terminal', () => {
    expect(plain('a\x1b[31mred\x1b[0m\x07\r\nb\u202e')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(plain('프로젝트 app')).toBe('프로젝트 app');
  });

  it('keeps the lines of a message, and nothing else that steers', () => {
    expect(plainLines('one\ntwo\x1b[2J\r\nthree')).toBe('one\ntwo�\nthree');
  });

  it('G5 prints a text from memory with its lines, tabs and emoji, and nothing that steers', () => {
    const hostile = 'a\tb\r\n\x1b[2J\x1b]0;title\x07\x9b31m \u202egnp.exe 👩‍💻 한국어\x00';
    expect(plainText(hostile)).toMatch(/^a\tb\n.*gnp\.exe 👩‍💻 한국어�$/);
    expect(plainText(hostile).replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  it('measures Korean as wide as it is', () => {
    expect(columns('메모리')).toBe(6);
    expect(columns('abc')).toBe(3);
    expect(columns('\x1b[31mabc\x1b[0m')).toBe(3);
  });

  it('shortens in the middle and keeps to the width', () => {
    expect(shorten('memory-keeper', 20)).toBe('memory-keeper');
    expect(shorten('a-very-long-project-name', 11)).toBe('a-ver…-name');
    for (const width of [2, 5, 8, 13])
      expect(columns(shorten('아주긴프로젝트이름입니다', width))).toBeLessThanOrEqual(width);
  });

  it('shows a time where the user is, and leaves other text as it is', () => {
    const time = new Date(2026, 10, 6, 4, 3, 2);
    expect(localTime(time.toISOString())).toBe('2026-11-06 04:03:02');
    expect(localTime('2026-11-06')).toBe('2026-11-06');
    expect(localTime('Today')).toBe('Today');
  });
});
