/**
 * M10 and F8 on the labelled facts: one at a time, regrouped after each batch, no model. Of the
 * held-out half only totals are told.
 */
import { describe, expect, it } from 'vitest';
import heldOut from '../../../tests/labelled/concepts-held-out.json' with { type: 'json' };
import tuning from '../../../tests/labelled/concepts-tuning.json' with { type: 'json' };
import { addToConcept, bandOf, newConceptIndex } from './concept-index.ts';
import { type PlacedFact, regroup } from './regroup.ts';
import { type ConceptFact, isAnchored, termsOf } from './terms.ts';

interface Labelled extends ConceptFact {
  concept: string;
  clear: boolean;
}

/** As many facts as the product gets in a few sessions. */
const BATCH = 50;

/** What the product does, without the model that would decide on the unclear ones. */
function keep(facts: readonly Labelled[]): (string | undefined)[] {
  let placed: PlacedFact[] = [];
  let made = 0;
  const newId = (): string => `c${made++}`;
  for (let from = 0; from < facts.length; from += BATCH) {
    placed = inOrder(
      [...placed, ...atFirstSight(placed, facts.slice(from, from + BATCH), newId)],
      newId,
    );
  }
  return placed.map(({ conceptId }) => conceptId);
}

function atFirstSight(
  placed: readonly PlacedFact[],
  facts: readonly Labelled[],
  newId: () => string,
): PlacedFact[] {
  const index = newConceptIndex();
  const add = (fact: ConceptFact, conceptId: string | undefined): void => {
    if (conceptId !== undefined) addToConcept(index, conceptId, termsOf(fact));
  };
  for (const { fact, conceptId } of placed) add(fact, conceptId);
  return facts.map((fact) => {
    const verdict = bandOf(termsOf(fact), isAnchored(fact), index);
    const conceptId =
      verdict.band === 'match' ? verdict.conceptId : verdict.band === 'miss' ? newId() : undefined;
    add(fact, conceptId);
    return { fact, conceptId };
  });
}

function inOrder(placed: readonly PlacedFact[], newId: () => string): PlacedFact[] {
  const concepts = new Map<number, string>();
  for (const group of regroup(placed).groups) {
    const conceptId = group.conceptId ?? newId();
    for (const at of group.facts) concepts.set(at, conceptId);
  }
  return placed.map(({ fact }, at) => ({ fact, conceptId: concepts.get(at) }));
}

function judge(
  facts: readonly Labelled[],
  concepts: readonly (string | undefined)[],
  only: (fact: Labelled) => boolean = () => true,
) {
  const all = facts
    .map((fact, at) => ({ fact, label: fact.concept, concept: concepts[at] }))
    .filter(({ fact }) => only(fact));
  const placed = all.filter(({ concept }) => concept !== undefined);
  const pairs = { same: 0, joined: 0, both: 0 };
  placed.forEach((a, at) => {
    for (const b of placed.slice(at + 1)) {
      if (a.label === b.label) pairs.same++;
      if (a.concept === b.concept) pairs.joined++;
      if (a.label === b.label && a.concept === b.concept) pairs.both++;
    }
  });
  const precision = pairs.both / pairs.joined;
  const recall = pairs.both / pairs.same;
  return {
    precision,
    recall,
    f1: (2 * precision * recall) / (precision + recall),
    coverage: placed.length / all.length,
  };
}

/**
 * Concepts made, and how many of them are a second one for a topic that has one: the label of most
 * facts says what it is for.
 */
function countConcepts(facts: readonly Labelled[], concepts: readonly (string | undefined)[]) {
  const labels = new Map<string, Map<string, number>>();
  concepts.forEach((concept, at) => {
    if (concept === undefined) return;
    const counts = labels.get(concept) ?? new Map<string, number>();
    labels.set(concept, counts);
    const label = (facts[at] as Labelled).concept;
    counts.set(label, (counts.get(label) ?? 0) + 1);
  });
  const topics = [...labels.values()].map(
    (counts) => [...counts].sort((a, b) => b[1] - a[1])[0]?.[0],
  );
  return { made: topics.length, duplicates: topics.length - new Set(topics).size };
}

function told({ precision, recall, f1, coverage }: ReturnType<typeof judge>): string {
  const [p, r, f, c] = [precision, recall, f1, coverage].map((figure) => figure.toFixed(3));
  return `precision ${p}, recall ${r}, F1 ${f}, coverage ${c}`;
}

describe('concepts of labelled facts', () => {
  it.each([
    ['tuned on', tuning.facts, 40],
    ['never tuned on', heldOut.facts, 40],
    ['both, 1,000 facts', [...tuning.facts, ...heldOut.facts], 80],
  ] as [string, Labelled[], number][])(
    'M10 F8 groups by topic across languages, without duplicates: %s',
    (half, facts, topics) => {
      const concepts = keep(facts);
      const all = judge(facts, concepts);
      const clear = judge(facts, concepts, (fact) => fact.clear);
      const { made, duplicates } = countConcepts(facts, concepts);
      process.stdout.write(
        `concepts, ${half}: ${told(all)}\n  clear facts alone: ${told(clear)}\n  ${made} concepts for ${topics} topics, ${duplicates} duplicates\n`,
      );
      expect(all.f1).toBeGreaterThanOrEqual(0.9);
      expect(clear.f1).toBeGreaterThanOrEqual(0.9);
      expect(all.coverage).toBeGreaterThanOrEqual(0.7);
      expect(clear.coverage).toBeGreaterThanOrEqual(0.8);
      expect(duplicates / topics).toBeLessThanOrEqual(0.1);
    },
  );

  it('M10 comes to the same result each time', () => {
    const facts = tuning.facts.slice(0, 150);
    expect(keep(facts)).toEqual(keep(facts));
  });
});
