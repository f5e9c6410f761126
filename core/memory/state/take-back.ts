/**
 * Takes the facts of sessions that were imported and taken back out of the documents (L1d). What was
 * also said elsewhere stays with that evidence, and so does what a person wrote or changed.
 */
import { FACT_LISTS, type Fact, PERMANENT_LISTS } from '../l2-facts/facts-file.ts';
import type { Documents } from './documents.ts';

export function takeBackFacts(documents: Documents, sessions: readonly string[]): void {
  const gone = new Set(sessions);
  const removed = new Set<string>();
  const without = <T extends Fact>(facts: readonly T[]): T[] =>
    facts.flatMap((fact) => {
      const evidence = fact.evidence.filter(({ session }) => !gone.has(session));
      const isOnlyOfThem = evidence.length === 0 && fact.evidence.length > 0;
      if (!isOnlyOfThem || fact.editedAt !== undefined) return [{ ...fact, evidence }];
      removed.add(fact.id);
      return [];
    });
  const { facts } = documents;
  for (const list of FACT_LISTS) facts[list] = without(facts[list]);
  for (const list of PERMANENT_LISTS) facts.permanent[list] = without(facts.permanent[list]);
  facts.retired = without(facts.retired);
  // What only they had superseded holds again.
  for (const fact of FACT_LISTS.flatMap((list) => facts[list]))
    if (removed.has(fact.supersededBy ?? '')) {
      fact.supersededBy = undefined;
      fact.supersededAt = undefined;
    }
  documents.forgetStatements();
}
