/**
 * Merges two changes of one text line by line, as git does (M19). Returns undefined if both touch
 * the same place.
 */

/** Lines `from` to `to` of the base become `lines`. */
interface Hunk {
  from: number;
  to: number;
  lines: string[];
}

/** Beyond this many changed lines a person has to look. Bounds time and memory. */
const MAX_CHANGES = 1500;

/** Undefined: both changed the same place, or too much was changed to tell. */
export function mergeTexts(base: string, ours: string, theirs: string): string | undefined {
  if (ours === theirs || theirs === base) return ours;
  if (ours === base) return theirs;
  const lines = base.split('\n');
  const ourHunks = hunksOf(lines, ours.split('\n'));
  const theirHunks = hunksOf(lines, theirs.split('\n'));
  if (ourHunks === undefined || theirHunks === undefined) return undefined;
  const hunks = [
    ...ourHunks,
    ...theirHunks.filter((hunk) => !ourHunks.some((other) => isSame(other, hunk))),
  ].sort((a, b) => a.from - b.from);
  if (hunks.some((hunk, index) => index > 0 && hunk.from <= (hunks[index - 1] as Hunk).to))
    return undefined;
  const merged = hunks.flatMap((hunk, index) => [
    ...lines.slice(hunks[index - 1]?.to ?? 0, hunk.from),
    ...hunk.lines,
  ]);
  return [...merged, ...lines.slice(hunks.at(-1)?.to ?? 0)].join('\n');
}

function isSame(a: Hunk, b: Hunk): boolean {
  return (
    a.from === b.from &&
    a.to === b.to &&
    a.lines.length === b.lines.length &&
    a.lines.every((line, n) => line === b.lines[n])
  );
}

function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] | undefined {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const isEqualAtEnd = () => before[before.length - 1 - end] === after[after.length - 1 - end];
  while (end < before.length - start && end < after.length - start && isEqualAtEnd()) end++;
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  const common = commonLines(old, now);
  if (common === undefined) return undefined;
  const hunks: Hunk[] = [];
  let [x, y] = [0, 0];
  for (const [commonX, commonY] of [...common, [old.length, now.length] as const]) {
    if (commonX > x || commonY > y)
      hunks.push({ from: start + x, to: start + commonX, lines: now.slice(y, commonY) });
    [x, y] = [commonX + 1, commonY + 1];
  }
  return hunks;
}

/** Pairs of indexes of the lines that stayed (Myers: the fewest lines removed and added). */
function commonLines(a: readonly string[], b: readonly string[]): [number, number][] | undefined {
  const most = Math.min(a.length + b.length, MAX_CHANGES);
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

/** Whether the furthest path to here ends with an added line, not a removed one. */
function isAdded(furthest: Int32Array, middle: number, k: number, changes: number): boolean {
  return (
    k === -changes || (k !== changes && at(furthest, middle + k - 1) < at(furthest, middle + k + 1))
  );
}

function at(numbers: Int32Array, index: number): number {
  return numbers[index] ?? 0;
}

/** Walks the path back, from the end to the start. */
function pairsOf(
  a: readonly string[],
  b: readonly string[],
  trace: readonly Int32Array[],
): [number, number][] {
  const pairs: [number, number][] = [];
  let [x, y] = [a.length, b.length];
  for (let changes = trace.length - 1; changes >= 0; changes--) {
    const row = trace[changes] as Int32Array;
    const k = x - y;
    const isDown = isAdded(row, changes, k, changes);
    const beforeX =
      changes === 0 ? 0 : isDown ? at(row, changes + k + 1) : at(row, changes + k - 1);
    const beforeY = changes === 0 ? 0 : beforeX - (isDown ? k + 1 : k - 1);
    while (x > beforeX && y > beforeY) pairs.push([--x, --y]);
    [x, y] = [beforeX, beforeY];
  }
  return pairs.reverse();
}
