/** One thing in a file of somebody else's: the rest stays byte for byte (G4). */
import { describe, expect, it } from 'vitest';
import { literalAt, parseWithComments, withLiteral, withoutEntry } from './edit-json.ts';

const off = (text: string) => withLiteral(text, ['flag'], 'false');

describe('one flag of a file that belongs to somebody else', () => {
  it.each([
    ['an empty object', '{}', '{"flag": false}'],
    ['one line', '{"a":1}', '{"a":1, "flag": false}'],
    ['one line and an end', '{"a":1}\n', '{"a":1,\n  "flag": false\n}\n'],
    ['plain lines', '{\n    "a": 1\n}\n', '{\n    "a": 1,\n    "flag": false\n}\n'],
    ['tabs and CRLF', '{\r\n\t"a": 1\r\n}', '{\r\n\t"a": 1,\r\n\t"flag": false\r\n}'],
    ['a comma at the end', '{\n  "a": [1, 2,],\n}', '{\n  "a": [1, 2,],\n  "flag": false\n}'],
    [
      'comments behind the last entry',
      '{\n  "a": 1 // one }\n  /* two */\n}',
      '{\n  "a": 1, // one }\n  /* two */\n  "flag": false\n}',
    ],
    [
      'the flag as it was',
      '{ "flag" : true /* mine */, "z": {"flag": 1} }',
      '{ "flag" : false /* mine */, "z": {"flag": 1} }',
    ],
    ['the flag of something else', '{"z": {"flag": true}}', '{"z": {"flag": true}, "flag": false}'],
    ['the flag as a word', '{"a": "flag", "flag": true}', '{"a": "flag", "flag": false}'],
    ['the flag twice', '{"flag": true, "flag": true}', '{"flag": true, "flag": false}'],
    ['brackets and quotes in words', '{"a": "}\\"//{"}', '{"a": "}\\"//{", "flag": false}'],
    ['a mark at the start', '\uFEFF{"a": 1}', '\uFEFF{"a": 1, "flag": false}'],
    ['Korean', '{\n  "이름": "값" // 주석\n}', '{\n  "이름": "값", // 주석\n  "flag": false\n}'],
  ])('G4 is set, and nothing else: %s', (_, before, after) => {
    expect(off(before)).toBe(after);
    expect(off(after)).toBe(after);
    expect(parseWithComments(after)).toMatchObject({ flag: false });
  });

  it.each([
    '',
    '[1]',
    '{"a": ',
    '{"a": 1}}',
    '{"flag": {"deep": 1}}',
    '{"a": \'b\'}',
    'null',
    '{"a" 1}',
    '{/* }',
  ])('G4 is refused where the file is not understood: %s', (text) => {
    expect(() => off(text)).toThrow('plugin.notUnderstood');
  });
});

describe('a word inside of something', () => {
  it.each([
    [
      'one line',
      '{"s": {"c": "old", "p": 2}, "c": "other"}',
      '{"s": {"c": "new", "p": 2}, "c": "other"}',
    ],
    [
      'comments, CRLF and tabs',
      '{\r\n\t"s": { // mine\r\n\t\t"p": {"c": "x"},\r\n\t\t"c" : "ol\\u0064", // 옛것\r\n\t},\r\n}',
      '{\r\n\t"s": { // mine\r\n\t\t"p": {"c": "x"},\r\n\t\t"c" : "new", // 옛것\r\n\t},\r\n}',
    ],
    ['a name in other letters', '{"\\u0073": {"c": "old"}}', '{"\\u0073": {"c": "new"}}'],
  ])('G4 is replaced, and comes back as it was written: %s', (_, before, after) => {
    const literal = literalAt(before, ['s', 'c']) ?? '';
    expect(JSON.parse(literal)).toBe('old');
    expect(withLiteral(before, ['s', 'c'], '"new"')).toBe(after);
    expect(withLiteral(after, ['s', 'c'], literal)).toBe(before);
  });

  it.each([
    '{"s": {}}',
    '{"s": "c"}',
    '{"c": "old"}',
    '{"s": {"c": ["old"]}}',
    '{"s": {"d": {"c": "old"}}}',
  ])('G4 is refused where there is none: %s', (text) => {
    expect(literalAt(text, ['s', 'c'])).toBeUndefined();
    expect(() => withLiteral(text, ['s', 'c'], '"new"')).toThrow('plugin.notUnderstood');
  });
});

describe('an entry of a file that belongs to somebody else', () => {
  it.each([
    ['the only one', '{"s": {"c": 1}}', '{}'],
    ['the first', '{\n  "s": {"c": 1},\n  "a": 1\n}\n', '{\n  "a": 1\n}\n'],
    ['the last', '{\r\n  "a": 1,\r\n  "s": [1, {}]\r\n}', '{\r\n  "a": 1\r\n}'],
    ['one among others', '{"a": 1, "s": "x", "b": {"s": 2}}', '{"a": 1, "b": {"s": 2}}'],
    [
      'one behind a comment',
      '{\n  "a": 1, // one\n  /* two */\n  "s": 1\n}',
      '{\n  "a": 1 // one\n  /* two */\n}',
    ],
    ['one with a comma at the end', '{\n  "a": 1,\n  "s": 1,\n}', '{\n  "a": 1,\n}'],
    ['none', '{"a": {"s": 1}}', '{"a": {"s": 1}}'],
  ])('G4 is taken out, and nothing else: %s', (_, before, after) => {
    expect(withoutEntry(before, 's')).toBe(after);
  });

  it.each(['', '[1]', '{"s": ', '{"s": 1, "s": 2}'])(
    'G4 is refused where the file is not understood: %s',
    (text) => {
      expect(() => withoutEntry(text, 's')).toThrow('plugin.notUnderstood');
    },
  );
});
