/**
 * Reads a character as the plain letter that it looks like: full-width and decorated letters,
 * letters with accents, and those of other alphabets that a reader takes for Latin ones (T3).
 */

/** A Latin letter, then what looks like it, in lower case. */
const LOOK_ALIKES = [
  'aаαɑᴀ⍺ꭺ',
  'bьвʙ',
  'cсϲᴄⅽ',
  'dԁɗᴅ',
  'eеεҽєᴇ',
  'fғꜰϝ',
  'gɡɢԍց',
  'hһнհʜ',
  'jјᴊϳ',
  'kкκᴋ',
  'mмᴍμ',
  'nոɴпη',
  'oоοօᴏσ',
  'pрρᴘ',
  'qԛգ',
  'rгʀᴦ',
  'sѕꜱʂ',
  'tтτᴛ',
  'uսυᴜцʋ',
  'vνѵᴠ',
  'wԝᴡѡω',
  'xхχⅹ',
  'yуүʏγ',
  'zᴢʐ',
  // A capital I, a small L, a one and a bar are the same stroke.
  'li1|ıіιɩɪʟӏǀ׀',
  'o0',
];
const LETTERS = new Map(
  LOOK_ALIKES.flatMap(([letter = '', ...others]) => others.map((other) => [other, letter])),
);

/** Letters that look alike are the same; a ligature is several. Anything but letters stays. */
export function asPlainLetters(character: string): string {
  const lower = character.toLowerCase();
  const known = LETTERS.get(lower);
  if (known !== undefined) return known;
  if (character <= '\x7f') return lower;
  const parts = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return [...parts].map((part) => LETTERS.get(part) ?? part).join('');
}
