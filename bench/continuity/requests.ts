/**
 * How much of what the user asked for a text carries: of each request most of the words that mean
 * something, near to each other.
 */
import { wordsIn } from './names.ts';

/** Of a long request its beginning counts. */
const HEAD_CHARS = 500;
const MIN_WORDS = 3;
const ENOUGH = 0.6;
/** So many words in a row must hold enough of them. */
const NEAR_WORDS = 80;
const COMMON = new Set(
  `about above after again against also and any are because been before being below between both but
  can could did does doing down each either every first for from further get got had has have having
  hello here how into its just let like make maybe might more most much must need never not now off
  once one only other our out over own please really same see should since some still such than that
  the their theirs them then there these they thing things think this those through too under until
  using very want wants was way were what when where which while who why will with would yes you your
  yourself right looks another actually something anything use`.split(/\s+/),
);

/** The words of a request that tell what it is about; undefined if they are too few. */
export function requestWords(request: string): Set<string> | undefined {
  const words = new Set(wordsIn(request.slice(0, HEAD_CHARS)).filter((word) => !COMMON.has(word)));
  return words.size < MIN_WORDS ? undefined : words;
}

/** The share of the requests that the text carries. */
export function carriedShare(requests: readonly ReadonlySet<string>[], text: string): number {
  const places = Map.groupBy(
    wordsIn(text).map((word, at) => ({ word, at })),
    ({ word }) => word,
  );
  const carried = requests.filter((request) => {
    const enough = Math.max(1, Math.round(request.size * ENOUGH));
    const hits = [...request].flatMap((word) => places.get(word) ?? []);
    return isNear(
      hits.sort((one, other) => one.at - other.at),
      enough,
    );
  });
  return carried.length / Math.max(1, requests.length);
}

function isNear(hits: readonly { word: string; at: number }[], enough: number): boolean {
  const seen = new Map<string, number>();
  let first = 0;
  for (const { word, at } of hits) {
    seen.set(word, (seen.get(word) ?? 0) + 1);
    for (
      let hit = hits[first];
      hit !== undefined && at - hit.at >= NEAR_WORDS;
      hit = hits[++first]
    ) {
      const left = (seen.get(hit.word) ?? 0) - 1;
      if (left === 0) seen.delete(hit.word);
      else seen.set(hit.word, left);
    }
    if (seen.size >= enough) return true;
  }
  return false;
}
