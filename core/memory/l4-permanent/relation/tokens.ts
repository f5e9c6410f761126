/**
 * Splits a statement into tokens (M11): Latin words, Hangul words, numbers and marks, in order. A
 * Korean particle on an English word ("Redis로") becomes a token of its own.
 */
import { englishStem } from './stems.ts';

export interface Token {
  /** Lower case. */
  text: string;
  /** What the lexicon knows it by: the stem of a Latin word, else the text. */
  key: string;
  script: 'latin' | 'hangul' | 'number' | 'mark';
  /** Follows the token before without a space. */
  isGlued: boolean;
  /** Begins with a capital letter. */
  isCapital: boolean;
}

/** `\2` is its separator, as the second group of TOKEN. */
const DATE_FORMAT = String.raw`(?<![a-z])(?:y{2,4}|m{2,3}|d{1,2})([-./]?)(?:y{2,4}|m{2,3}|d{1,2})\2(?:y{2,4}|m{2,3}|d{1,2})(?![a-z])`;
const NUMBER = String.raw`\d+(?:[.,:]\d+)*`;
const LATIN = `[.@]?[a-z][a-z0-9]*(?:[.'+#][a-z0-9]+)*[+#]{0,2}`;
const TOKEN = new RegExp(
  `(${DATE_FORMAT})|(${NUMBER})|(${LATIN})|([가-힣]+)|([;.!?,:()%→\n"])`,
  'gi',
);

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [raw, date, , number, latin, hangul] = match;
    const isGlued =
      match.index > 0 && match.index - end <= 1 && !/\s/.test(text[match.index - 1] ?? ' ');
    end = match.index + raw.length;
    const lower = raw.toLowerCase().replace(/'s$/, '');
    const isCapital = raw !== raw.toLowerCase();
    if (date !== undefined)
      tokens.push({ text: lower, key: lower, script: 'latin', isGlued, isCapital: false });
    else if (number !== undefined)
      tokens.push({ text: raw, key: raw, script: 'number', isGlued, isCapital: false });
    else if (latin !== undefined)
      tokens.push({ text: lower, key: englishStem(lower), script: 'latin', isGlued, isCapital });
    else if (hangul !== undefined)
      tokens.push({ text: raw, key: raw, script: 'hangul', isGlued, isCapital: false });
    else tokens.push({ text: raw, key: raw, script: 'mark', isGlued, isCapital: false });
  }
  return tokens;
}
