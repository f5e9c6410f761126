/**
 * The facts of a project as pages of table rows, filtered by kind, concept and words, and sorted.
 * Remembers the last query, so that the next page of 50,000 facts costs nothing.
 */
import type { Fact, FactsFile, Permanent } from '../../memory/l2-facts/facts-file.ts';
import { FACT_PARTS, factsIn } from '../../memory/state/edits.ts';
import { shorten } from '../../platform/text/sentences.ts';

/** A row shows the beginning of a long text. */
export const MAX_ROW_CHARS = 2000;

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
  /** A repository brought it, and the user has adopted it. */
  isAdopted: boolean;
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

type Filter = Omit<FactQuery, 'from' | 'count'>;

interface PlacedFact {
  part: FactPart;
  fact: Fact | Permanent;
  /** Its position in the file: of two facts of one day the later one is newer. */
  at: number;
}

export class FactTable {
  readonly file: FactsFile;
  readonly #all: PlacedFact[] = [];
  #last: { query: string; found: PlacedFact[]; counts: FactPage['counts'] } | undefined;

  constructor(file: FactsFile) {
    this.file = file;
    for (const part of FACT_PARTS)
      for (const fact of factsIn(file, part)) this.#all.push({ part, fact, at: this.#all.length });
  }

  find(id: string): { part: FactPart; fact: Fact | Permanent } | undefined {
    return this.#all.find(({ fact }) => fact.id === id);
  }

  /** `isAll`: also facts that newer ones have replaced. */
  counts(isAll: boolean): FactPage['counts'] {
    const counts: FactPage['counts'] = {};
    for (const { part, fact } of this.#all)
      if (isAll || fact.supersededBy === undefined) counts[part] = (counts[part] ?? 0) + 1;
    return counts;
  }

  page({ from, count, ...filter }: FactQuery): FactPage {
    const query = JSON.stringify(filter);
    if (this.#last?.query !== query)
      this.#last = { query, found: this.#find(filter), counts: this.counts(filter.isAll) };
    const { found, counts } = this.#last;
    return { total: found.length, counts, rows: found.slice(from, from + count).map(rowOf) };
  }

  ofConcept(conceptId: string): FactRow[] {
    return this.#all.filter(({ fact }) => fact.conceptId === conceptId).map(rowOf);
  }

  /** How many facts each concept has. */
  countsOfConcepts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { fact } of this.#all)
      if (fact.conceptId !== undefined)
        counts.set(fact.conceptId, (counts.get(fact.conceptId) ?? 0) + 1);
    return counts;
  }

  #find({ part, conceptId, words, isAll, order }: Filter): PlacedFact[] {
    const found = this.#all.filter(
      (placed) =>
        isOf(placed.part, part) &&
        (isAll || placed.fact.supersededBy === undefined) &&
        (conceptId === undefined || placed.fact.conceptId === conceptId) &&
        (words === undefined || hasWords(textsOf(placed.fact), words)),
    );
    return found.sort(ORDERS[order]);
  }
}

/** `facts` are all that are not permanent. */
function isOf(part: FactPart, wanted: FactQuery['part']): boolean {
  if (wanted === undefined || part === wanted) return true;
  const isPermanent = part.startsWith('permanent.');
  return wanted === 'permanent' ? isPermanent : wanted === 'facts' && !isPermanent;
}

type Order = (a: PlacedFact, b: PlacedFact) => number;

const compareText = new Intl.Collator().compare;
const byDate: Order = (a, b) =>
  a.fact.date === b.fact.date ? a.at - b.at : a.fact.date < b.fact.date ? -1 : 1;

const ORDERS: Record<FactQuery['order'], Order> = {
  newest: (a, b) => byDate(b, a),
  oldest: byDate,
  text: (a, b) => compareText(a.fact.content, b.fact.content),
};

function textsOf({ id, content, reason = '', keywords, files }: Fact): string[] {
  return [id, content, reason, ...keywords, ...files];
}

/** Whether the texts together contain every word. */
export function hasWords(texts: readonly string[], words = ''): boolean {
  if (words === '') return true;
  const text = texts.join('\n').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function rowOf({ part, fact }: PlacedFact): FactRow {
  const { id, content, date, session, evidence } = fact;
  return {
    id,
    part,
    content: shorten(content, MAX_ROW_CHARS),
    date,
    session,
    sessions: new Set(evidence.map((quote) => quote.session)).size,
    isVerified: evidence.length > 0,
    status: fact.status ?? null,
    supersededBy: fact.supersededBy ?? null,
    conceptId: fact.conceptId ?? null,
    isAdopted: fact.origin !== undefined,
  };
}
