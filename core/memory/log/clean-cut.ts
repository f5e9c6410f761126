/**
 * Cuts texts of tools short for L1 (L1b, M18): takes secrets out before it cuts, because half a key
 * would not be recognised. However long a text is, it looks at a bounded part of it.
 */

export type Redact = (text: string) => string;

/** Redaction also sees so much text beyond the cut, and then up to the next blank. */
export const LOOK_AHEAD_CHARS = 128;
const MAX_LOOK_AHEAD_CHARS = 4096;
/** A secret that spans lines is recognised by its beginning only. */
const SPANS_LINES = /PRIVATE KEY|<private/i;
/** Longer texts are not looked through: Claude Code itself cuts outputs far below. */
const MAX_CHARS = 1024 * 1024;

/** The beginning of a text. */
export function cleanHead(text: string, limit: number, redact: Redact): string {
  if (text === '') return '';
  const clean = redact(text.slice(0, endOfLook(text, limit)));
  return clean.length <= limit ? clean : `${clean.slice(0, limit)}…`;
}

/** Whether a part of the text may be the middle of a secret that begins before it. */
export function maySpanLines(text: string): boolean {
  return text.length > MAX_CHARS || SPANS_LINES.test(text);
}

function endOfLook(text: string, limit: number): number {
  if (text.length <= limit + LOOK_AHEAD_CHARS) return text.length;
  const from = limit + LOOK_AHEAD_CHARS;
  const most = limit + MAX_LOOK_AHEAD_CHARS;
  const blank = text.slice(from, most).search(/\s/);
  return blank < 0 ? Math.min(most, text.length) : from + blank;
}
