/**
 * Regroups the facts of existing concepts (M10, no duplicates): places facts that came too early,
 * merges equal concepts, splits mixed ones. What a model or a person decided stays. Runs after each
 * batch of new facts; the result does not depend on the batches as long as there are at most
 * `REGROUP_ALL_MAX` facts.
 */
import { grouped } from '../../platform/text/grouped.ts';
import { type Group, mergeSimilar } from './average-link.ts';
import {
  addToConcept,
  bandOf,
  type ConceptIndex,
  newConceptIndex,
  removeFromConcept,
} from './concept-index.ts';
import { type ConceptFact, isAnchored, isTopic, type Terms, termsOf } from './terms.ts';

export interface PlacedFact {
  fact: ConceptFact;
  /** Undefined while it is unclear. */
  conceptId: string | undefined;
  /** A model or a person said so. */
  decided?: boolean;
}

/** Facts are given by their index. */
export interface Regrouping {
  /** `conceptId` is the one that most of the facts had; undefined asks for a new one. */
  groups: { conceptId: string | undefined; facts: number[] }[];
  /** A model has to decide on these. */
  unclear: number[];
}

/** Beyond so many facts, concepts that have grown stand, which keeps the work small. */
const REGROUP_ALL_MAX = 1500;
const GROWN = 6;
/** Average similarity that joins two groups, and what is added while few facts show what is rare. */
const NEAR_ENOUGH = 0.1;
const NEAR_ENOUGH_YOUNG = 0.08;
const YOUNG_FACTS = 100;
const RARENESS_POWER = 0.77;
const IMAGINED_FACTS = 60;
/** A term of only one fact cannot join anything; it makes the fact less like all others. */
const LONE_TERM = 0.4;
const SETTLING_ROUNDS = 3;
/** A smaller group must be a clear miss of all others. The limit rises with the number of facts. */
const SURE_SIZE = 3;
const FACTS_PER_MORE = 150;

interface Item {
  terms: Terms;
  anchored: boolean;
  decided: boolean;
  /** Key of the group it is in at the moment. */
  group: string | undefined;
}

export function regroup(facts: readonly PlacedFact[]): Regrouping {
  const items: Item[] = facts.map(({ fact, conceptId, decided = false }) => ({
    terms: termsOf(fact),
    anchored: isAnchored(fact),
    decided: decided && conceptId !== undefined,
    group: undefined,
  }));
  join(items, facts);
  settle(items);
  const groups = groupsOf(items);
  const names = namesFor([...groups.values()], facts);
  return {
    groups: [...groups.values()].map((members, at) => ({ conceptId: names[at], facts: members })),
    unclear: items.flatMap(({ group }, at) => (group === undefined ? [at] : [])),
  };
}

function join(items: readonly Item[], facts: readonly PlacedFact[]): void {
  const concepts = grouped(items.keys(), (at) => facts[at]?.conceptId);
  const bundles = bundlesOf(items, [...concepts.values()]);
  const rareness = rarenessOf(items);
  const groups = bundles.map((bundle) => groupOf(pick(items, bundle), rareness));
  const nearEnough = NEAR_ENOUGH + NEAR_ENOUGH_YOUNG * Math.exp(-items.length / YOUNG_FACTS);
  mergeSimilar(groups, nearEnough).forEach((members, key) => {
    const joined = members.flatMap((member) => bundles[member] as number[]);
    for (const item of pick(items, joined)) item.group = String(key);
  });
  for (const members of concepts.values()) followTheMost(pick(items, members));
}

/** What stays together from the start: concepts that stand, and each other anchored fact alone. */
function bundlesOf(items: readonly Item[], concepts: readonly number[][]): number[][] {
  const standing = concepts
    .map((members) => standingOf(items, members))
    .filter((members) => members.length > 0);
  const bound = new Set(standing.flat());
  const loose = [...items.keys()].filter(
    (at) => !bound.has(at) && items[at]?.anchored === true && items[at]?.decided === false,
  );
  return [...standing, ...loose.map((at) => [at])];
}

/** Of a concept's facts those that stay together: all, or the decided ones if they are the most. */
function standingOf(items: readonly Item[], members: readonly number[]): number[] {
  if (items.length > REGROUP_ALL_MAX && members.length >= GROWN) return [...members];
  const decided = members.filter((at) => items[at]?.decided === true);
  const loose = members.filter(
    (at) => items[at]?.decided === false && items[at]?.anchored === true,
  );
  return decided.length >= loose.length ? decided : [];
}

/** A few decided facts go where most of their concept went. */
function followTheMost(members: readonly Item[]): void {
  const places = grouped(members, ({ group }) => group);
  const most = [...places].sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
  for (const item of members) if (item.decided && item.group === undefined) item.group = most;
}

function pick(items: readonly Item[], indexes: readonly number[]): Item[] {
  return indexes.map((at) => items[at] as Item);
}

function rarenessOf(items: readonly Item[]): (term: string) => number {
  const counts = new Map<string, number>();
  for (const { terms } of items)
    for (const term of terms.keys()) counts.set(term, (counts.get(term) ?? 0) + 1);
  return (term) => {
    const count = counts.get(term) ?? 0;
    const rareness = Math.log(1 + (items.length + IMAGINED_FACTS) / (count + 1)) ** RARENESS_POWER;
    return count === 1 ? rareness * LONE_TERM : rareness;
  };
}

function groupOf(items: readonly Item[], rareness: (term: string) => number): Group {
  const group: Group = { vector: new Map(), topics: new Map(), size: items.length };
  for (const { terms } of items) {
    const vector = [...terms].map(([term, weight]): [string, number] => [
      term,
      weight * rareness(term),
    ]);
    const length = Math.hypot(...vector.map(([, weight]) => weight)) || 1;
    for (const [term, weight] of vector) {
      group.vector.set(term, (group.vector.get(term) ?? 0) + weight / length);
      if (isTopic(term)) group.topics.set(term, (group.topics.get(term) ?? 0) + 1);
    }
  }
  return group;
}

/** Each fact is judged against all the others: it moves, stays, or is left to a model. */
function settle(items: readonly Item[]): void {
  const index = newConceptIndex();
  for (const { group, terms } of items) if (group !== undefined) addToConcept(index, group, terms);
  for (let round = 0; round < SETTLING_ROUNDS; round++) {
    const moved = items.filter((item) => !item.decided && settleOne(item, index));
    if (moved.length === 0) break;
  }
  dissolveDoubtful(items, index);
}

function settleOne(item: Item, index: ConceptIndex): boolean {
  const before = item.group;
  const wasAlone = before !== undefined && index.sizes.get(before) === 1;
  if (before !== undefined) removeFromConcept(index, before, item.terms);
  const verdict = bandOf(item.terms, item.anchored, index);
  if (verdict.band === 'match') item.group = verdict.conceptId;
  else item.group = verdict.band === 'miss' && wasAlone ? before : undefined;
  if (item.group !== undefined) addToConcept(index, item.group, item.terms);
  return item.group !== before;
}

/** A few facts that do not clearly stand apart would be the second concept for one topic. */
function dissolveDoubtful(items: readonly Item[], index: ConceptIndex): void {
  for (const members of groupsOf(items).values()) {
    const few = pick(items, members);
    if (
      few.length >= SURE_SIZE + Math.min(3, Math.floor(items.length / FACTS_PER_MORE)) ||
      few.some(({ decided }) => decided)
    )
      continue;
    const group = few[0]?.group as string;
    for (const { terms } of few) removeFromConcept(index, group, terms);
    const isMiss = few.every(({ terms }) => bandOf(terms, true, index).band === 'miss');
    for (const item of few) {
      if (isMiss) addToConcept(index, group, item.terms);
      else item.group = undefined;
    }
  }
}

function groupsOf(items: readonly Item[]): Map<string, number[]> {
  return grouped(items.keys(), (at) => items[at]?.group);
}

/** A concept's id goes to the group that has most of its facts. */
function namesFor(
  groups: readonly number[][],
  facts: readonly PlacedFact[],
): (string | undefined)[] {
  const claims = groups.flatMap((members, group) =>
    [...grouped(members, (at) => facts[at]?.conceptId)].map(([conceptId, held]) => ({
      group,
      conceptId,
      count: held.length,
    })),
  );
  const names: (string | undefined)[] = groups.map(() => undefined);
  for (const { group, conceptId } of claims.sort((a, b) => b.count - a.count)) {
    if (names[group] === undefined && !names.includes(conceptId)) names[group] = conceptId;
  }
  return names;
}
