/**
 * The facts that a prompt may be reminded of (K7): in force, and proved by words of the user or of
 * Claude or written by a person. What a repository brought is left out even where it was adopted.
 */
import { FACT_LISTS, type Fact, type FactsFile, PERMANENT_LISTS } from '../l2-facts/facts-file.ts';
import { isTrusted } from '../l2-facts/l2-verify.ts';

export interface RecallableFact {
  fact: Fact;
  /** What it is, for its note. */
  what: string;
}

const WHAT = { decisions: 'Decision', patterns: 'Pattern', issues: 'Open issue', notes: 'Fact' };
const PERMANENT = 'Permanent fact';

/** By id. */
export function recallableFacts(file: FactsFile): Map<string, RecallableFact> {
  const permanent = PERMANENT_LISTS.flatMap((list) => file.permanent[list]);
  const promoted = new Set(permanent.flatMap(({ from }) => from ?? []));
  const facts = [
    ...FACT_LISTS.flatMap((list) => file[list].map((fact) => ({ fact, what: WHAT[list] }))),
    ...permanent.map((fact) => ({ fact, what: PERMANENT })),
  ];
  return new Map(
    facts
      .filter(({ fact }) => isRecallable(fact) && !promoted.has(fact.id))
      .map(({ fact, what }) => [fact.id, { fact, what: `${what}, ${fact.date}` }]),
  );
}

function isRecallable({ evidence, editedAt, origin, supersededBy, status }: Fact): boolean {
  const isProved = evidence.some(isTrusted) || editedAt !== undefined;
  return isProved && origin === undefined && supersededBy === undefined && status !== 'resolved';
}
