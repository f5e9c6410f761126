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
export function joinAlike(groups: readonly Group[], nearEnough: number): number[][] {
  const joined = groups.map((group, at) => ({ group, members: [at] }));
  const alike = likenesses(groups);
  const alive = new Set(joined.keys());
  const nearest = joined.map((_, at) => nearestOf(at, alive, alike));
  for (;;) {
    const [a, b] = nearestPair(alive, nearest, alike);
    if (a === undefined || b === undefined || likeness(alike, a, b) < nearEnough) break;
    const [one, other] = [joined[a], joined[b]] as [(typeof joined)[0], (typeof joined)[0]];
    if (areSiblings(one.group, other.group)) {
      setLikeness(alike, a, b, NEVER);
      for (const at of [a, b]) nearest[at] = nearestOf(at, alive, alike);
      continue;
    }
    alive.delete(b);
    for (const at of alive)
      if (at !== a)
        setLikeness(
          alike,
          a,
          at,
          averageLikeness(alike, at, a, one.group.size, b, other.group.size),
        );
    one.group = together(one.group, other.group);
    one.members.push(...other.members);
    refreshNearest(a, b, alive, nearest, alike);
  }
  return [...alive].map((at) => (joined[at] as (typeof joined)[0]).members);
}

interface Likenesses {
  count: number;
  values: Float32Array;
}

function likenesses(groups: readonly Group[]): Likenesses {
  const alike = { count: groups.length, values: new Float32Array(groups.length ** 2) };
  const postings = new Map<string, [number, number][]>();
  groups.forEach((group, at) => {
    for (const [term, weight] of group.vector) {
      const share = weight / group.size;
      const seen = postings.get(term) ?? [];
      for (const [other, otherShare] of seen)
        setLikeness(alike, at, other, likeness(alike, at, other) + share * otherShare);
      seen.push([at, share]);
      postings.set(term, seen);
    }
  });
  return alike;
}

function likeness({ count, values }: Likenesses, a: number, b: number): number {
  return values[a * count + b] as number;
}

function setLikeness({ count, values }: Likenesses, a: number, b: number, value: number): void {
  values[a * count + b] = value;
  values[b * count + a] = value;
}

function averageLikeness(
  alike: Likenesses,
  to: number,
  a: number,
  sizeA: number,
  b: number,
  sizeB: number,
): number {
  const [likeA, likeB] = [likeness(alike, to, a), likeness(alike, to, b)];
  if (likeA === NEVER || likeB === NEVER) return NEVER;
  return (likeA * sizeA + likeB * sizeB) / (sizeA + sizeB);
}

function nearestOf(at: number, alive: ReadonlySet<number>, alike: Likenesses): number | undefined {
  let best: number | undefined;
  for (const other of alive) {
    if (
      other !== at &&
      (best === undefined || likeness(alike, at, other) > likeness(alike, at, best))
    )
      best = other;
  }
  return best;
}

function nearestPair(
  alive: ReadonlySet<number>,
  nearest: readonly (number | undefined)[],
  alike: Likenesses,
): (number | undefined)[] {
  let best: [number, number] | undefined;
  for (const at of alive) {
    const other = nearest[at];
    if (other === undefined) continue;
    if (best === undefined || likeness(alike, at, other) > likeness(alike, ...best))
      best = [at, other];
  }
  return best ?? [];
}

/** After `b` went into `a`. */
function refreshNearest(
  a: number,
  b: number,
  alive: ReadonlySet<number>,
  nearest: (number | undefined)[],
  alike: Likenesses,
): void {
  for (const at of alive) {
    const known = nearest[at];
    if (at === a || known === undefined || known === a || known === b)
      nearest[at] = nearestOf(at, alive, alike);
    else if (likeness(alike, at, a) > likeness(alike, at, known)) nearest[at] = a;
  }
}

function together(a: Group, b: Group): Group {
  return {
    vector: sum(a.vector, b.vector),
    topics: sum(a.topics, b.topics),
    size: a.size + b.size,
  };
}

function sum(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): Map<string, number> {
  const total = new Map(a);
  for (const [key, value] of b) total.set(key, (total.get(key) ?? 0) + value);
  return total;
}

/**
 * Session cache and session restore: they share a word, but each has a topic that the other lacks.
 */
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
