import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../resources/locales/messages/catalogue.ts';
import type { Message } from './message.ts';
import { renderWith } from './render.ts';

const TEXTS = {
  'test.left': {
    en: '{project}: {count} {count:minute|minutes} left',
    ko: '{project}: {count}분 남음',
  },
  'test.gone': { en: '{path} is gone', ko: '{path:이/가} 없습니다' },
  'test.because': { en: 'Not cleared: {reason}', ko: '비우지 않음: {reason}' },
  'test.names': { en: 'Seen: {names:list}', ko: '본 것: {names:list}' },
  'test.all': { en: '{reasons}', ko: '{reasons}' },
  'test.lines': { en: '{reasons:lines}', ko: '{reasons:lines}' },
  'test.at': { en: 'Until {at:time}', ko: '{at:time}까지' },
};

const shown = (language: 'en' | 'ko', code: string, values = {}) =>
  renderWith(TEXTS, language, { code, values } as unknown as Message);

describe('a message', () => {
  it('G6 says one minute and two minutes in English, and numbers as each language does', () => {
    expect(shown('en', 'test.left', { project: 'shop', count: 1 })).toBe('shop: 1 minute left');
    expect(shown('en', 'test.left', { project: 'shop', count: 2000 })).toBe(
      'shop: 2,000 minutes left',
    );
    expect(shown('ko', 'test.left', { project: 'shop', count: 2 })).toBe('shop: 2분 남음');
  });

  it('G6 shows what a person wrote as written, whatever it looks like', () => {
    for (const words of ['1 minute', '5 tokens', 'no session runs', 'test.gone', '{count}', '$&']) {
      const message = { project: words, count: 3 };
      expect(shown('ko', 'test.left', message)).toBe(`${words}: 3분 남음`);
    }
    expect(renderWith(TEXTS, 'ko', 'no session runs')).toBe('no session runs');
  });

  it('G6 gives Korean words the particle that fits', () => {
    const forms = {
      파일: '파일이',
      폴더: '폴더가',
      'config.json': 'config.json이',
      메모: '메모가',
    };
    for (const [path, form] of Object.entries(forms))
      expect(shown('ko', 'test.gone', { path })).toBe(`${form} 없습니다`);
  });

  it('G6 renders messages inside messages, and several one after the other', () => {
    const gone = (path: string) => ({ code: 'test.gone', values: { path } });
    expect(shown('ko', 'test.because', { reason: gone('파일') })).toBe(
      '비우지 않음: 파일이 없습니다',
    );
    expect(shown('en', 'test.all', { reasons: [gone('a'), gone('b')] })).toBe(
      'a is gone b is gone',
    );
    expect(shown('en', 'test.names', { names: ['a', 'b'] })).toBe('Seen: a, b');
    expect(shown('en', 'test.lines', { reasons: [gone('a'), 'b'] })).toBe('a is gone\nb');
  });

  it("shows a time as the user's clock does, and any other text as it is", () => {
    const at = new Date(2026, 10, 17, 14, 5).toISOString();
    expect(shown('en', 'test.at', { at })).toBe('Until 14:05');
    expect(shown('en', 'test.at', { at: 'soon' })).toBe('Until soon');
  });

  it('copes with values that a damaged file brings', () => {
    for (const reason of [null, true, {}, [null, 7], { code: 7 }, { code: null, values: null }])
      expect(shown('en', 'test.because', { reason })).toMatch(/^Not cleared: /);
    for (const values of [null, 'x', [], { reason: undefined }])
      expect(shown('en', 'test.because', values as object)).toMatch(/^Not cleared: /);
  });

  it('of a newer version shows its code, and endless nesting ends', () => {
    expect(shown('en', 'later.code', { a: 1 })).toBe('later.code {"a":1}');
    let nested: object = { code: 'test.because', values: { reason: 'end' } };
    for (let depth = 0; depth < 100; depth++)
      nested = { code: 'test.because', values: { reason: nested } };
    expect(renderWith(TEXTS, 'en', nested as Message)).toMatch(/^(Not cleared: ){8}test\.because/);
  });
});

describe('the catalogue', () => {
  const placeholders = (text: string) =>
    [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort();

  it.each(Object.entries(CATALOGUE))('G6 %s says the same in both languages', (_code, text) => {
    expect(text.en.trim()).not.toBe('');
    expect(text.ko.trim()).not.toBe('');
    expect(placeholders(text.ko)).toEqual(placeholders(text.en));
  });

  it('G6 leaves no particle open in Korean', () => {
    const open = Object.entries(CATALOGUE).filter(([, { ko }]) =>
      /\((?:이|가|을|를|은|는|으|과|와)\)/.test(ko),
    );
    expect(open).toEqual([]);
  });
});
