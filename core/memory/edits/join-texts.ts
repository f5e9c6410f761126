/**
 * Merges two changes of one text, line by line, as git does (M19). Returns nothing if both touch
 * the same place.
 */

interface Hunk {
  /** Which lines of the base, and what stands there instead. */
  from: number;
  to: number;
  lines: string[];
}

/**
 * Beyond this many changed lines a person has to look. It bounds the time and the room that
 * comparing takes.
 */
const MOST_CHANGES = 1500;

/** Undefined: both changed the same place, or too much was changed to tell. */
export function joinTexts(base: string, ours: string, theirs: string): string | undefined {
  if (ours === theirs || theirs === base) return ours;
  if (ours === base) return theirs;
  const lines = base.split('\n');
  const [mine, others] = [
    changedLines(lines, ours.split('\n')),
    changedLines(lines, theirs.split('\n')),
  ];
  if (mine === undefined || others === undefined) return undefined;
  const all = [
    ...mine,
    ...others.filter((hunk) => !mine.some((known) => isSame(known, hunk))),
  ].sort((a, b) => a.from - b.from);
  if (all.some((hunk, index) => index > 0 && hunk.from <= (all[index - 1] as Hunk).to))
    return undefined;
  const joined: string[] = [];
  let at = 0;
  for (const { from, to, lines: instead } of all) {
    for (; at < from; at++) joined.push(lines[at] as string);
    for (const line of instead) joined.push(line);
    at = to;
  }
  for (; at < lines.length; at++) joined.push(lines[at] as string);
  return joined.join('\n');
}

function isSame(a: Hunk, b: Hunk): boolean {
  return (
    a.from === b.from &&
    a.to === b.to &&
    a.lines.length === b.lines.length &&
    a.lines.every((line, n) => line === b.lines[n])
  );
}

function changedLines(before: readonly string[], after: readonly string[]): Hunk[] | undefined {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const isEqualAtEnd = () => before[before.length - 1 - end] === after[after.length - 1 - end];
  while (end < before.length - start && end < after.length - start && isEqualAtEnd()) end++;
  const [old, now] = [
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  ];
  const kept = keptLines(old, now);
  if (kept === undefined) return undefined;
  const hunks: Hunk[] = [];
  let [x, y] = [0, 0];
  for (const [keptX, keptY] of [...kept, [old.length, now.length] as const]) {
    if (keptX > x || keptY > y)
      hunks.push({ from: start + x, to: start + keptX, lines: now.slice(y, keptY) });
    [x, y] = [keptX + 1, keptY + 1];
  }
  return hunks;
}

/** Pairs of lines that stayed (Myers' algorithm: the fewest lines removed and added). */
function keptLines(a: readonly string[], b: readonly string[]): [number, number][] | undefined {
  const most = Math.min(a.length + b.length, MOST_CHANGES);
  const furthest = new Int32Array(2 * most + 2);
  const trace: Int32Array[] = [];
  for (let changes = 0; changes <= most; changes++) {
    trace.push(furthest.slice(most - changes, most + changes + 2));
    for (let k = -changes; k <= changes; k += 2) {
      let x = isAdded(furthest, most, k, changes)
        ? at(furthest, most + k + 1)
        : at(furthest, most + k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest[most + k] = x;
      if (x >= a.length && x - k >= b.length) return pairsOf(a, b, trace);
    }
  }
  return undefined;
}

/**
 * Whether the furthest way to here came by a line that was added, and not by one that was removed.
 */
function isAdded(furthest: Int32Array, middle: number, k: number, changes: number): boolean {
  return (
    k === -changes || (k !== changes && at(furthest, middle + k - 1) < at(furthest, middle + k + 1))
  );
}

function at(numbers: Int32Array, index: number): number {
  return numbers[index] ?? 0;
}

/** Goes the way back, from the end to the start. */
function pairsOf(
  a: readonly string[],
  b: readonly string[],
  trace: readonly Int32Array[],
): [number, number][] {
  const pairs: [number, number][] = [];
  let [x, y] = [a.length, b.length];
  for (let changes = trace.length - 1; changes >= 0; changes--) {
    const known = trace[changes] as Int32Array;
    const k = x - y;
    const isDown = isAdded(known, changes, k, changes);
    const beforeX =
      changes === 0 ? 0 : isDown ? at(known, changes + k + 1) : at(known, changes + k - 1);
    const beforeY = changes === 0 ? 0 : beforeX - (isDown ? k + 1 : k - 1);
    while (x > beforeX && y > beforeY) pairs.push([--x, --y]);
    [x, y] = [beforeX, beforeY];
  }
  return pairs.reverse();
}
