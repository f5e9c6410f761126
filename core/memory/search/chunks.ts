/**
 * Text → chunks, what hangs together: a word, an identifier, a path (M17). Places in the text go
 * out and not pieces of it, since indexing looks at millions of chunks that it has met before; the
 * table of kinds makes it several times as fast as the regular expression for the same.
 */

const OTHER = 0;
const WORD = 1;
const CONNECTOR = 2;

const WORD_CHARACTERS = /[\p{L}\p{N}\p{M}]+/gu;
const WORD_CHARACTER = /^[\p{L}\p{N}\p{M}]/u;
const CONNECTORS = '-_./\\';
/** `::` and `../` are no more than that. */
const MOST_CONNECTORS = 2;
/** From here on a chunk ends at the next connector, so that a megabyte of path is many chunks. */
const LONG_CHUNK = 200;

const CODE_UNITS = 0x10000;
const SURROGATE_BITS = 0xf800;
const SURROGATES = 0xd800;
const FIRST_LOW_SURROGATE = 0xdc00;

const kindOfCode = kindsOfCodes();

export function scanChunks(text: string, visit: (start: number, end: number) => void): void {
  for (let at = 0; at < text.length; at++) {
    if (kindAt(text, at) !== WORD) continue;
    const end = chunkEnd(text, at);
    visit(at, end);
    at = end;
  }
}

export function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  scanChunks(text, (start, end) => chunks.push(text.slice(start, end)));
  return chunks;
}

function chunkEnd(text: string, start: number): number {
  let end = start;
  for (let at = start; at < text.length; at++) {
    const kind = kindAt(text, at);
    if (kind === WORD) end = at + 1;
    else if (kind === OTHER || at - end >= MOST_CONNECTORS || at - start > LONG_CHUNK) break;
  }
  return end;
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return (code & SURROGATE_BITS) === SURROGATES
    ? kindOfPair(text, at)
    : (kindOfCode[code] as number);
}

/** Letters beyond the first plane; most of what is there are emoji. */
function kindOfPair(text: string, at: number): number {
  const start = text.charCodeAt(at) < FIRST_LOW_SURROGATE ? at : at - 1;
  return WORD_CHARACTER.test(text.slice(Math.max(0, start), start + 2)) ? WORD : OTHER;
}

function kindsOfCodes(): Uint8Array {
  const kinds = new Uint8Array(CODE_UNITS);
  const codes = Array.from({ length: CODE_UNITS }, (_, code) =>
    (code & SURROGATE_BITS) === SURROGATES ? 0 : code,
  );
  const all = codes.map((code) => String.fromCharCode(code)).join('');
  for (const { index, 0: run } of all.matchAll(WORD_CHARACTERS))
    kinds.fill(WORD, index, index + run.length);
  for (const connector of CONNECTORS) kinds[connector.charCodeAt(0)] = CONNECTOR;
  return kinds;
}
