/**
 * What an edit changed, for people (M19): two texts come in, pieces go out that are the same, gone
 * or new. Word by word where texts are short, line by line where they are long, and the unchanged
 * beginning and end of long ones shortened to a few words.
 */

export interface DiffPiece {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** So many steps at most: beyond it, all of the middle counts as changed. */
const MAX_CELLS = 250_000;
const WORDWISE_CHARS = 4000;
const CONTEXT_CHARS = 90;
/** Of the longer text's middle. */
const LITTLE = 0.4;

export function smallDiff(before: string, after: string): DiffPiece[] {
  const isLong = before.length + after.length > WORDWISE_CHARS;
  const a = split(before, isLong);
  const b = split(after, isLong);
  const head = sharedStart(a, b);
  const tail = sharedStart(a.slice(head).reverse(), b.slice(head).reverse());
  const middle = readable(
    diffMiddle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
  );
  const pieces = [
    ...same(shortEnd(a.slice(0, head).join(''))),
    ...middle,
    ...same(shortStart(a.slice(a.length - tail).join(''))),
  ];
  return joined(
    pieces.map((piece) =>
      piece.kind === 'same' ? { ...piece, text: shortMiddle(piece.text) } : piece,
    ),
  );
}

function split(text: string, isLong: boolean): string[] {
  return text === ''
    ? []
    : text.split(
        isLong ? /(?<=\n)/ : /(?<=\s)(?=\S)|(?<=\S)(?=\s)|(?<=[\p{P}\p{S}])|(?=[\p{P}\p{S}])/u,
      );
}

function sharedStart(a: readonly string[], b: readonly string[]): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

function diffMiddle(a: readonly string[], b: readonly string[]): DiffPiece[] {
  if (a.length * b.length > MAX_CELLS) return [...piece('gone', a), ...piece('new', b)];
  const table = lengths(a, b);
  const width = b.length + 1;
  const length = (i: number, j: number) => table[i * width + j] ?? 0;
  const pieces: DiffPiece[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      pieces.push({ kind: 'same', text: a[i] ?? '' });
      i++;
      j++;
    } else if (length(i + 1, j) >= length(i, j + 1))
      pieces.push({ kind: 'gone', text: a[i++] ?? '' });
    else pieces.push({ kind: 'new', text: b[j++] ?? '' });
  }
  return [...pieces, ...piece('gone', a.slice(i)), ...piece('new', b.slice(j))];
}

/**
 * Texts with little in common are shown one after the other: single words of one among those of the
 * other tell nobody anything.
 */
function readable(pieces: readonly DiffPiece[]): DiffPiece[] {
  const out = grouped(pieces);
  const text = (kind: DiffPiece['kind']) =>
    pieces.flatMap((each) => (each.kind === kind || each.kind === 'same' ? each.text : []));
  const [old, now] = [text('gone'), text('new')];
  const kept = out.reduce((sum, each) => sum + (each.kind === 'same' ? each.text.length : 0), 0);
  const isLittle = kept < LITTLE * Math.max(old.join('').length, now.join('').length);
  return isLittle ? [...piece('gone', old), ...piece('new', now)] : out;
}

/**
 * What is gone stands before what is new, and a blank or comma between two changes belongs to them.
 */
function grouped(pieces: readonly DiffPiece[]): DiffPiece[] {
  const out: DiffPiece[] = [];
  let gone: string[] = [];
  let fresh: string[] = [];
  const flush = () => {
    out.push(...piece('gone', gone), ...piece('new', fresh));
    [gone, fresh] = [[], []];
  };
  for (const { kind, text } of pieces) {
    const isBetween =
      kind === 'same' && gone.length + fresh.length > 0 && !/[\p{L}\p{N}]/u.test(text);
    if (kind === 'gone' || isBetween) gone.push(text);
    if (kind === 'new' || isBetween) fresh.push(text);
    if (kind !== 'same' || isBetween) continue;
    flush();
    out.push({ kind, text });
  }
  flush();
  return out;
}

/** How much the rest of both has in common, from each pair of places on. */
function lengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i * width + j] =
        a[i] === b[j]
          ? (table[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
  return table;
}

function piece(kind: DiffPiece['kind'], parts: readonly string[]): DiffPiece[] {
  return parts.length === 0 ? [] : [{ kind, text: parts.join('') }];
}

function same(text: string): DiffPiece[] {
  return text === '' ? [] : [{ kind: 'same', text }];
}

function joined(pieces: readonly DiffPiece[]): DiffPiece[] {
  const out: DiffPiece[] = [];
  for (const next of pieces) {
    const last = out.at(-1);
    if (last?.kind === next.kind) last.text += next.text;
    else out.push({ ...next });
  }
  return out;
}

function shortEnd(text: string): string {
  return text.length <= CONTEXT_CHARS ? text : `…${text.slice(-CONTEXT_CHARS)}`;
}

function shortStart(text: string): string {
  return text.length <= CONTEXT_CHARS ? text : `${text.slice(0, CONTEXT_CHARS)}…`;
}

function shortMiddle(text: string): string {
  return text.length <= 2 * CONTEXT_CHARS + 2
    ? text
    : `${text.slice(0, CONTEXT_CHARS)} … ${text.slice(-CONTEXT_CHARS)}`;
}
