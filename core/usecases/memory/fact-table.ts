/**
 * The facts of a project as pages of table rows, filtered by kind, concept and words, and sorted.
 * Remembers the last query, so that the next page of 50,000 facts costs nothing.
 */

import type { Fact, FactsFile, Permanent } from '../../memory/l2-facts/facts-file.ts';
import { FACT_PARTS, factsIn } from '../../memory/state/edits.ts';
import { shortened } from '../../platform/text/sentences.ts';

/** A row is a glimpse; the fact itself has all of it. */
const MAX_ROW_CHARS = 2000;

export type FactPart = (typeof FACT_PARTS)[number];

export interface FactRow {
  id: string;
  part: FactPart;
  content: string;
  date: string;
  session: string;
  sessions: number;
  isVerified: boolean;
  status: string | null;
  supersededBy: string | null;
  conceptId: string | null;
}

export interface FactPage {
  total: number;
  /** How many there are of each kind, whatever is asked for. */
  counts: Partial<Record<FactPart, number>>;
  rows: FactRow[];
}

export interface FactQuery {
  /** A kind, or all kinds of one of the two tabs. */
  part?: FactPart | 'facts' | 'permanent' | undefined;
  conceptId?: string | undefined;
  words?: string | undefined;
  /** Also what newer facts have replaced. */
  isAll: boolean;
  order: 'newest' | 'oldest' | 'text';
  from: number;
  count: number;
}

interface Kept {
  part: FactPart;
  fact: Fact | Permanent;
  /** Where it stands in the file: of two facts of one day the later one is newer. */
  at: number;
}

export class FactTable {
  readonly file: FactsFile;
  readonly #all: Kept[] = [];
  readonly #counts = new Map<boolean, FactPage['counts']>();
  #byId: Map<string, Kept> | undefined;
  /** What was asked for last, and what it came to. */
  #last: { question: string; found: Kept[] } | undefined;

  constructor(file: FactsFile) {
    this.file = file;
    for (const part of FACT_PARTS)
      for (const fact of factsIn(file, part)) this.#all.push({ part, fact, at: this.#all.length });
  }

  find(id: string): { part: FactPart; fact: Fact | Permanent } | undefined {
    this.#byId ??= new Map(this.#all.map((kept) => [kept.fact.id, kept]));
    return this.#byId.get(id);
  }

  counts(isAll: boolean): FactPage['counts'] {
    const known = this.#counts.get(isAll) ?? this.#count(isAll);
    this.#counts.set(isAll, known);
    return known;
  }

  #count(isAll: boolean): FactPage['counts'] {
    const counts: FactPage['counts'] = {};
    for (const { part, fact } of this.#all)
      if (isAll || fact.supersededBy === undefined) counts[part] = (counts[part] ?? 0) + 1;
    return counts;
  }

  page({ from, count, ...question }: FactQuery): FactPage {
    const found = this.#found(question);
    const rows = found.slice(from, from + count).map(({ part, fact }) => rowOf(part, fact));
    return { total: found.length, counts: this.counts(question.isAll), rows };
  }

  ofConcept(conceptId: string): FactRow[] {
    return this.#all.flatMap(({ part, fact }) =>
      fact.conceptId === conceptId ? [rowOf(part, fact)] : [],
    );
  }

  /** How many facts each concept has. */
  countsOfConcepts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { fact } of this.#all)
      if (fact.conceptId !== undefined)
        counts.set(fact.conceptId, (counts.get(fact.conceptId) ?? 0) + 1);
    return counts;
  }

  #found(question: Omit<FactQuery, 'from' | 'count'>): Kept[] {
    const asked = JSON.stringify(question);
    if (this.#last?.question !== asked)
      this.#last = { question: asked, found: this.#look(question) };
    return this.#last.found;
  }

  #look({ part, conceptId, words, isAll, order }: Omit<FactQuery, 'from' | 'count'>): Kept[] {
    const wanted = wordsIn(words);
    const found = this.#all.filter(
      ({ part: kept, fact }) =>
        isOf(kept, part) &&
        (isAll || fact.supersededBy === undefined) &&
        (conceptId === undefined || fact.conceptId === conceptId) &&
        (wanted.length === 0 || hasWords(fact, wanted)),
    );
    return found.sort(ORDERS[order]);
  }
}

/** `facts` are all that are not permanent. */
function isOf(kept: FactPart, part: FactQuery['part']): boolean {
  if (part === undefined || kept === part) return true;
  const isPermanent = kept.startsWith('permanent.');
  return part === 'permanent' ? isPermanent : part === 'facts' && !isPermanent;
}

const compareText = new Intl.Collator().compare;

const ORDERS: Record<FactQuery['order'], (a: Kept, b: Kept) => number> = {
  newest: (a, b) =>
    a.fact.date === b.fact.date ? b.at - a.at : a.fact.date < b.fact.date ? 1 : -1,
  oldest: (a, b) =>
    a.fact.date === b.fact.date ? a.at - b.at : a.fact.date < b.fact.date ? -1 : 1,
  text: (a, b) => compareText(a.fact.content, b.fact.content),
};

export function wordsIn(words: string | undefined): string[] {
  return (words ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

function hasWords(
  { id, content, reason, keywords, files }: Fact | Permanent,
  wanted: readonly string[],
): boolean {
  const text =
    `${id}\n${content}\n${reason ?? ''}\n${keywords.join('\n')}\n${files.join('\n')}`.toLowerCase();
  return wanted.every((word) => text.includes(word));
}

function rowOf(part: FactPart, fact: Fact | Permanent): FactRow {
  const {
    id,
    content,
    date,
    session,
    evidence,
    status = null,
    supersededBy = null,
    conceptId = null,
  } = fact;
  return {
    id,
    part,
    content: shortened(content, MAX_ROW_CHARS),
    date,
    session,
    sessions: new Set(evidence.map((said) => said.session)).size,
    isVerified: evidence.length > 0,
    status,
    supersededBy,
    conceptId,
  };
}
