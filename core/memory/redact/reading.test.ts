import { describe, expect, it } from 'vitest';
import fifthTuning from '../../../tests/labelled/secrets-5-tuning.json' with { type: 'json' };
import { readingOf } from './reading.ts';
import { redact } from './redact.ts';

const asJson = (text: string): string => `{"stdout":${JSON.stringify(`$ run\n${text}`)}}`;
const asJsonInJson = (text: string): string => JSON.stringify({ result: asJson(text) });
const numbered = (text: string): string =>
  text.replace(/^/gm, '     7→').replaceAll('\n', '\n     ');
const added = (text: string): string => text.replace(/^/gm, '+');
const coloured = (text: string): string => text.replace(/^.*$/gm, '\u001b[32m$&\u001b[0m');

const CONFIG = 'DB_USER=app\nDB_PASSWORD=Tulip_Anvil7\nDB_NAME=core';

describe('L1c the reading of a text', () => {
  it.each([
    ['a plain text', 'one two\nthree', 'one two\nthree'],
    ['written ends of lines', String.raw`one\ntwo\tthree`, 'one\ntwo\tthree'],
    ['JSON in JSON', String.raw`{\\\"a\\\":\\\"b\\\"}`, '{"a":"b"}'],
    ['a quote inside of a word', String.raw`\"pa\"ss\"`, String.raw`"pa\"ss"`],
    ['numbers of lines', '     1→one\n    12→two → three', 'one\ntwo → three'],
    ['marks of a diff', '+one\n-two\n- three\n-p four', 'one\ntwo\n- three\n-p four'],
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['entities', '{&quot;a&quot;:&#39;b&amp;c&#39;}', '{"a":\'b&c\'}'],
    ['codes', String.raw`a=1\u0026b=\u0022c\u0022\nd`, 'a=1&b="c"\nd'],
    ['other backslashes', String.raw`C:\dir\\x\n`, 'C:\\dir\\\\x\n'],
  ])('is made without %s', (_name, text, reading) => {
    expect(readingOf(text).text).toBe(reading);
  });

  it('tells for each of its characters where it stands in the text', () => {
    const text = String.raw`     1→a\n     2→\"bc\" \u0026 d`;
    const reading = readingOf(text);
    const places = [...'abcd'].map((letter) => reading.placeOf(reading.text.indexOf(letter)));
    expect(places).toEqual([...'abcd'].map((letter) => text.indexOf(letter)));
  });

  it.each([
    ['quoted JSON', asJson],
    ['JSON in JSON', asJsonInJson],
    ['numbered lines', numbered],
    ['a diff', added],
    ['colours', coloured],
  ])('M18 finds a password in %s, and takes nothing but it', (_name, written) => {
    const text = written(CONFIG);
    expect(redact(text)).toBe(text.replace('Tulip_Anvil7', '[redacted]'));
  });

  it.each([
    ['quoted JSON', asJson],
    ['colours', coloured],
  ])('M18 no harmless line of the fifth set is changed in %s', (_name, written) => {
    const harmless = fifthTuning.filter(({ secret }) => !secret).map(({ text }) => written(text));
    expect(harmless.length).toBeGreaterThan(100);
    expect(harmless.filter((text) => redact(text) !== text)).toEqual([]);
  });

  it('M18 of the secrets of the fifth set 98 % are found in quoted JSON too', () => {
    const secrets = fifthTuning.filter(({ secret }) => secret);
    const lost = secrets.filter(({ text, value }) =>
      redact(asJson(text)).includes(JSON.stringify(value).slice(1, -1)),
    );
    expect(1 - lost.length / secrets.length).toBeGreaterThanOrEqual(0.98);
  });
});
