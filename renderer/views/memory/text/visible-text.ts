/**
 * Memory is written by others: models, web pages, tools. A text comes in, pieces go out in which
 * every character that a reader could not see (controls, bidirectional marks, zero-width ones) is
 * replaced by a sign of its own, so that what is shown is what stands there.
 */

export interface TextPiece {
  text: string;
  /** What stands there in place of the sign, such as `U+202E`; undefined for ordinary text. */
  code?: string;
}

/**
 * All controls but tab and line ends; format characters, but not those that join emoji; separators;
 * half a surrogate pair.
 */
const HIDDEN =
  /(?![\t\n\r])\p{Cc}|\r(?!\n)|(?!\u200d\p{Extended_Pictographic})\p{Cf}|[\u2028\u2029]|\p{Cs}/gu;
/** Of the controls from 0 on; pictures of them are missing in many fonts. */
const CONTROLS =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

/** Written as people know them; the others by their number. */
const NAMES: Record<number, string> = {
  127: 'DEL',
  173: 'SHY',
  1564: 'ALM',
  8203: 'ZWSP',
  8204: 'ZWNJ',
  8205: 'ZWJ',
  8206: 'LRM',
  8207: 'RLM',
  8232: 'LS',
  8233: 'PS',
  8234: 'LRE',
  8235: 'RLE',
  8236: 'PDF',
  8237: 'LRO',
  8238: 'RLO',
  8294: 'LRI',
  8295: 'RLI',
  8296: 'FSI',
  8297: 'PDI',
  65279: 'BOM',
};

export function visiblePieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index) });
    const point = match[0].codePointAt(0) ?? 0;
    pieces.push({
      text: signOf(point),
      code: `U+${point.toString(16).toUpperCase().padStart(4, '0')}`,
    });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}

/** The same as one string, for places that take no more than that: titles, labels, cells. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (found) => signOf(found.codePointAt(0) ?? 0));
}

/** On one line, not longer than `length`: a cell must not lay out a megabyte. */
export function visibleLine(text: string, length = 400): string {
  const start = text.length > length ? `${text.slice(0, length)}…` : text;
  return visibleText(start.replace(/\s+/g, ' ').trim());
}

function signOf(point: number): string {
  return `‹${CONTROLS[point] ?? NAMES[point] ?? point.toString(16).toUpperCase().padStart(4, '0')}›`;
}
