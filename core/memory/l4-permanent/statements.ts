/**
 * What the project's facts state, prepared for comparison: which fact says the same, which are
 * contradicted.
 */
import {
  FACT_LISTS,
  type Fact,
  type FactList,
  type FactsFile,
  PERMANENT_LISTS,
} from '../l2-facts/facts-file.ts';
import { type Relation, relationOf } from './relation/relation.ts';
import { prepare, type Statement, type Word } from './relation/statement.ts';

interface Known {
  list: FactList | 'permanent';
  fact: Fact;
  statement: Statement;
}

/** Preparing costs more than comparing, and the same statements come again with every change. */
const prepared = new Map<string, Statement>();
const MAX_PREPARED = 20_000;

export class Statements {
  readonly #known: Known[] = [];

  constructor(facts: FactsFile) {
    for (const list of FACT_LISTS) for (const fact of facts[list]) this.add(list, fact);
    for (const list of PERMANENT_LISTS)
      for (const fact of facts.permanent[list]) this.add('permanent', fact);
  }

  add(list: Known['list'], fact: Fact): void {
    this.#known.push({ list, fact, statement: statementOf(fact.content) });
  }

  /**
   * The fact that says the same, in force, or superseded only after the time at which this is said.
   * Issues are compared with issues only.
   */
  same(content: string, list: FactList, at: string): { list: FactList; fact: Fact } | undefined {
    const related = this.#related(content, list, 'same');
    const alike = related.filter((known) => known.list !== 'permanent');
    const found =
      alike.find(({ fact }) => isInForce(fact)) ??
      alike.find(({ fact }) => (fact.supersededAt ?? '') > at);
    return found as { list: FactList; fact: Fact } | undefined;
  }

  /** The facts in force, permanent ones included, that cannot hold if this one does. */
  contradicted(content: string, list: FactList): Fact[] {
    const facts = this.#related(content, list, 'contradicts').map(({ fact }) => fact);
    return facts.filter(isInForce);
  }

  /** The fact that a model calls the same, unless they contradict or have nothing in common. */
  meant(id: string, content: string, list: FactList): { list: FactList; fact: Fact } | undefined {
    const [fact] = this.named(id, content, list);
    const known = this.#known.find(
      (candidate) => candidate.fact === fact && candidate.list !== 'permanent',
    );
    const isOpposite =
      known !== undefined && relationOf(known.statement, statementOf(content)) === 'contradicts';
    return isOpposite ? undefined : (known as { list: FactList; fact: Fact } | undefined);
  }

  /** The facts in force with this id that have a word in common with the content. */
  named(id: string, content: string, list: FactList): Fact[] {
    const { ids } = statementOf(content);
    const isCommon = ({ id: word, weight }: Word) => weight === 'full' && ids.has(word);
    return this.#known.flatMap((known) => {
      const isMeant = known.fact.id === id && isInForce(known.fact) && isComparable(known, list);
      return isMeant && known.statement.words.some(isCommon) ? [known.fact] : [];
    });
  }

  #related(content: string, list: FactList, kind: Relation): Known[] {
    const statement = statementOf(content);
    return this.#known.filter(
      (known) => isComparable(known, list) && relationOf(known.statement, statement) === kind,
    );
  }
}

export function saysTheSame(one: string, other: string): boolean {
  return relationOf(statementOf(one), statementOf(other)) === 'same';
}

function statementOf(content: string): Statement {
  const known = prepared.get(content);
  if (known !== undefined) return known;
  if (prepared.size >= MAX_PREPARED) prepared.clear();
  const statement = prepare(content);
  prepared.set(content, statement);
  return statement;
}

function isInForce({ supersededBy }: Fact): boolean {
  return supersededBy === undefined;
}

function isComparable({ list }: Known, other: FactList): boolean {
  return (list === 'issues') === (other === 'issues');
}
