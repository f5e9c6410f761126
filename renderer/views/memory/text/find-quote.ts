/**
 * Where a quote stands in what was said (M9, G2): quote and text come in, the place in the text
 * goes out. White space, quotation marks, emphasis, dashes, case and thousands separators may
 * differ, as they may where facts are verified; where even so it does not stand there, the longest
 * run of its words that does is shown.
 */

export interface Place {
  start: number;
  end: number;
}

/** A text without what does not count, and for each of its characters where it came from. */
interface Plain {
  text: string;
  from: number[];
}

const IGNORED = /[“”„«»"‘’`'*_~#>「」『』\u200b-\u200d\ufeff]/;
const DASH = /[‐-―−]/;
const MIN_WORDS = 3;
/** Looking for parts of a quote takes time that grows with it; longer ones are cut. */
const MAX_PART_WORDS = 60;

export function findQuote(text: string, quote: string): Place | undefined {
  const exact = quote === '' ? -1 : text.indexOf(quote);
  if (exact >= 0) return { start: exact, end: exact + quote.length };
  const said = plain(text);
  const wanted = plain(quote).text.trim();
  if (wanted === '') return undefined;
  return placeOf(said, wanted) ?? longestPart(said, wanted);
}

function placeOf(said: Plain, wanted: string): Place | undefined {
  const at = said.text.indexOf(wanted);
  if (at < 0) return undefined;
  const last = at + wanted.length - 1;
  return { start: said.from[at] ?? 0, end: (said.from[last] ?? 0) + 1 };
}

/** The longest run of at least three words; a shorter one would stand in any text. */
function longestPart(said: Plain, wanted: string): Place | undefined {
  const words = wanted.split(' ').slice(0, MAX_PART_WORDS);
  for (let count = words.length - 1; count >= MIN_WORDS; count--)
    for (let at = 0; at + count <= words.length; at++) {
      const found = placeOf(said, words.slice(at, at + count).join(' '));
      if (found !== undefined) return found;
    }
  return undefined;
}

function plain(text: string): Plain {
  const from: number[] = [];
  let out = '';
  for (let at = 0; at < text.length; at++) {
    const piece = plainCharacter(text, at, out);
    for (const _ of piece) from.push(at);
    out += piece;
  }
  return { text: out, from };
}

function plainCharacter(text: string, at: number, before: string): string {
  const character = text.charAt(at);
  if (IGNORED.test(character)) return '';
  if (/\s/.test(character)) return before === '' || before.endsWith(' ') ? '' : ' ';
  if (DASH.test(character)) return '-';
  if (character === ',' && /^\d,\d{3}(?!\d)/.test(text.slice(Math.max(0, at - 1), at + 5)))
    return '';
  const folded = character.normalize('NFKC').toLowerCase();
  // One for one, else the places would shift; half a pair has no fold of its own.
  return folded.length === 1 ? folded : character;
}
