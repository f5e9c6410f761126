/**
 * Merges groups whose facts are similar on average (M10, no duplicates). The two nearest groups
 * merge first, again and again, until none are near enough; two groups with topics of their own
 * never do.
 */

export interface Group {
  /** Sum of the facts' vectors, each of length 1. */
  vector: Map<string, number>;
  /** Topic → number of the group's facts that have it. */
  topics: Map<string, number>;
  size: number;
}

/** From this size on a group's topics tell what it is about. */
const TELLING_SIZE = 5;
const CORE_SHARE = 0.75;
const STRANGE_SHARE = 0.15;
const NEVER = -1;

/** The indexes of the groups that belong together; every index is in one of the lists. */
export function mergeSimilar(groups: readonly Group[], nearEnough: number): number[][] {
  const joined = groups.map((group, at) => ({ group, members: [at] }));
  const nearest = new Nearest(groups);
  for (;;) {
    const [a, b] = nearest.pair(nearEnough);
    const [one, other] = [joined[a ?? NEVER], joined[b ?? NEVER]];
    if (a === undefined || b === undefined || one === undefined || other === undefined) break;
    if (areSiblings(one.group, other.group)) nearest.separate(a, b);
    else {
      nearest.merge(a, b, one.group.size, other.group.size);
      one.group = {
        vector: sum(one.group.vector, other.group.vector),
        topics: sum(one.group.topics, other.group.topics),
        size: one.group.size + other.group.size,
      };
      one.members.push(...other.members);
    }
  }
  return [...nearest.alive].map((at) => joined[at]?.members ?? []);
}

/** Keeps for each group the one that is nearest to it. */
class Nearest {
  /** The groups that have not gone into another one. */
  readonly alive: Set<number>;
  readonly #similarity: Similarity;
  readonly #nearest: (number | undefined)[];

  constructor(groups: readonly Group[]) {
    this.alive = new Set(groups.keys());
    this.#similarity = new Similarity(groups);
    this.#nearest = groups.map((_, at) => this.#nearestTo(at));
  }

  /** The two that are nearest to each other; nothing if they are not near enough. */
  pair(nearEnough: number): [number, number] | [] {
    const a = maxBy(this.alive, (at) => this.#similarity.of(at, this.#nearest[at]));
    const b = this.#nearest[a ?? NEVER];
    if (a === undefined || b === undefined) return [];
    return (this.#similarity.of(a, b) ?? NEVER) < nearEnough ? [] : [a, b];
  }

  separate(a: number, b: number): void {
    this.#similarity.set(a, b, NEVER);
    for (const at of [a, b]) this.#nearest[at] = this.#nearestTo(at);
  }

  /** `b` goes into `a`. */
  merge(a: number, b: number, sizeA: number, sizeB: number): void {
    this.alive.delete(b);
    for (const at of this.alive) if (at !== a) this.#similarity.average(at, a, b, sizeA, sizeB);
    for (const at of this.alive) {
      const known = this.#nearest[at];
      const isStale = at === a || known === undefined || known === a || known === b;
      if (isStale) this.#nearest[at] = this.#nearestTo(at);
      else if ((this.#similarity.of(at, a) ?? 0) > (this.#similarity.of(at, known) ?? 0))
        this.#nearest[at] = a;
    }
  }

  #nearestTo(at: number): number | undefined {
    return maxBy(this.alive, (other) =>
      other === at ? undefined : this.#similarity.of(at, other),
    );
  }
}

/** The average similarity of each two groups. */
class Similarity {
  readonly #count: number;
  readonly #values: Float32Array;

  constructor(groups: readonly Group[]) {
    this.#count = groups.length;
    this.#values = new Float32Array(groups.length ** 2);
    const postings = new Map<string, [number, number][]>();
    groups.forEach(({ vector, size }, at) => {
      for (const [term, weight] of vector) {
        const seen = postings.get(term) ?? [];
        for (const [other, share] of seen)
          this.set(at, other, (this.of(at, other) ?? 0) + (weight / size) * share);
        postings.set(term, seen);
        seen.push([at, weight / size]);
      }
    });
  }

  of(a: number, b: number | undefined): number | undefined {
    return b === undefined ? undefined : this.#values[a * this.#count + b];
  }

  set(a: number, b: number, value: number): void {
    this.#values[a * this.#count + b] = value;
    this.#values[b * this.#count + a] = value;
  }

  /** Of `at` to `a`, after `b` has gone into it. */
  average(at: number, a: number, b: number, sizeA: number, sizeB: number): void {
    const [likeA = NEVER, likeB = NEVER] = [this.of(at, a), this.of(at, b)];
    const isNever = likeA === NEVER || likeB === NEVER;
    this.set(at, a, isNever ? NEVER : (likeA * sizeA + likeB * sizeB) / (sizeA + sizeB));
  }
}

/** The first of those with the highest score; what has none is left out. */
function maxBy(
  values: Iterable<number>,
  scoreOf: (value: number) => number | undefined,
): number | undefined {
  let best: { value: number; score: number } | undefined;
  for (const value of values) {
    const score = scoreOf(value);
    if (score !== undefined && (best === undefined || score > best.score)) best = { value, score };
  }
  return best?.value;
}

function sum(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): Map<string, number> {
  const total = new Map(a);
  for (const [key, value] of b) total.set(key, (total.get(key) ?? 0) + value);
  return total;
}

/** Session cache and session restore share a word, but each has a topic that the other lacks. */
function areSiblings(a: Group, b: Group): boolean {
  return Math.min(a.size, b.size) >= TELLING_SIZE && hasOwnTopic(a, b) && hasOwnTopic(b, a);
}

function hasOwnTopic(group: Group, other: Group): boolean {
  return [...group.topics].some(
    ([topic, count]) =>
      count >= CORE_SHARE * group.size &&
      (other.topics.get(topic) ?? 0) <= STRANGE_SHARE * other.size,
  );
}
