import { describe, expect, it } from 'vitest';
import { seeds } from '../../../tests/bed/seeds.ts';
import { likely, NotJson, type Wanted, WantedReader, WHOLE, wantedFields } from './wanted-json.ts';

const read = (json: string, fields: Record<string, Wanted>) => {
  const reader = new WantedReader();
  reader.start(Buffer.from(json), 0, Buffer.byteLength(json));
  return reader.fields(wantedFields(fields));
};

/** Values that are hard to step over. */
const VALUES = [
  null,
  true,
  false,
  0,
  -1.5e-7,
  '',
  'plain',
  '안녕 🙂 "quoted" \\ \\" } ] , : {',
  'long '.repeat(40),
  `${'x'.repeat(47)}\\`,
  `${'x'.repeat(48)}"`,
  '\\'.repeat(99),
  '"'.repeat(97),
  [],
  {},
  [1, [2, ['}']], { a: '"]' }],
  { a: { b: [{ c: '\u2028' }] }, type: 'inner', wanted: 'inner' },
];
const at = <T>(list: readonly T[], seed: number) => list[seed % list.length] as T;

/** As other writers of JSON might spell it. */
function spelled(value: unknown, seed: number): string {
  const json = JSON.stringify(value, null, seed % 3);
  const blanks = json.replace(/\n\s*/g, at(['', ' ', '\t'], seed));
  return seed % 2 === 0
    ? blanks
    : blanks.replace('"wanted"', '"w\\u0061nted"').replace('"type"', '"\\u0074ype"');
}

describe('wanted JSON', () => {
  it('L1a is what JSON.parse gives, in any order, spelling and spacing', () => {
    for (const seed of seeds(600)) {
      const fields = ['a', 'wanted', 'list', 'inner', 'type', 'zz'].map(
        (name, index) => [name, at(VALUES, seed * 7 + index * 5)] as const,
      );
      const turned = [...fields.slice(seed % 6), ...fields.slice(0, seed % 6)];
      const row = {
        ...Object.fromEntries(turned),
        wanted: at(VALUES, seed),
        list: [{ type: 'x', a: 1 }, 'y'],
      };
      const json = spelled(row, seed);
      const whole = JSON.parse(json);
      expect(
        read(json, {
          wanted: WHOLE,
          type: likely('plain'),
          list: { items: { fields: wantedFields({ type: WHOLE }) } },
        }),
        json,
      ).toEqual({ wanted: whole.wanted, type: whole.type, list: [{ type: 'x' }, 'y'] });
    }
  });

  it('L1a of a long string the beginning is enough, never half a character', () => {
    for (const text of ['한글 단어 '.repeat(50), 'word '.repeat(99), '\u0001'.repeat(300), 'short'])
      for (const chars of [1, 10, 60]) {
        const { text: beginning } = read(JSON.stringify({ text }), { text: { chars } });
        expect(text.startsWith(String(beginning))).toBe(true);
        expect(String(beginning).length).toBeGreaterThanOrEqual(Math.min(chars, text.length));
      }
  });

  it('L1a a line that was torn anywhere is not taken for a whole one', () => {
    const json = JSON.stringify({ a: VALUES, wanted: 'x "y" \\', b: { c: [1] } });
    for (let length = 0; length < json.length; length++)
      expect(() => read(json.slice(0, length), { wanted: WHOLE }), json.slice(0, length)).toThrow(
        NotJson,
      );
    expect(read(json, { wanted: WHOLE })).toEqual({ wanted: 'x "y" \\' });
  });

  it('L1a leaves the rest unread once it is enough', () => {
    const json = '{"type":"progress","rest":not even JSON';
    const reader = new WantedReader();
    reader.start(Buffer.from(json), 0, json.length);
    const record = reader.fields(wantedFields({ type: WHOLE }), ({ type }) => type !== undefined);
    expect(record).toEqual({ type: 'progress' });
  });
});
