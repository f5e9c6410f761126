/**
 * L4, permanent memory (M11): facts that people or Claude said in three or more sessions, and that
 * nothing contradicts, become permanent with their evidence. What is contradicted is marked and
 * kept; what is long out of date is retired.
 */
import {
  FACT_LISTS,
  type Fact,
  type FactList,
  type FactsFile,
  nextId,
  PERMANENT_LISTS,
  type Permanent,
  type PermanentList,
} from '../l2-facts/facts-file.ts';
import { isTrusted } from '../l2-facts/l2-verify.ts';

const SESSIONS_TO_BECOME_PERMANENT = 3;
const DAY_MS = 24 * 60 * 60 * 1000;
const KEEP_SUPERSEDED_DAYS = 90;
const KEEP_UNSEEN_DAYS = 365;

/** What becomes of facts of each kind; notes stay notes. Issues only once they are solved. */
const BECOMES: Partial<Record<FactList, PermanentList>> = {
  decisions: 'rules',
  patterns: 'core_logic',
  issues: 'solutions',
};

/** When people or Claude last said it, or a person last wrote it. A tool's words do not count. */
export function lastSaid({ evidence, editedAt = '' }: Fact): string {
  return evidence.filter(isTrusted).reduce((last, { at }) => (at > last ? at : last), editedAt);
}

/** The older one stays, marked, and is no longer told to Claude. */
export function supersede(file: FactsFile, older: Fact, newer: Fact): void {
  const mark = { supersededBy: newer.id, supersededAt: lastSaid(newer) };
  const marked = [older, ...permanents(file).filter(({ from }) => from === older.id)];
  for (const fact of marked) if (fact.supersededBy === undefined) Object.assign(fact, mark);
}

/**
 * Runs with each `compress` event, whose uid becomes part of the uids. What the user has removed is
 * not promoted again.
 */
export function promoteAndRetire(
  file: FactsFile,
  { now, eventUid }: { now: string; eventUid: () => string },
  isForgotten: (content: string) => boolean,
): void {
  for (const list of FACT_LISTS)
    for (const fact of file[list])
      if (isLasting(list, fact, now)) promote(file, list, fact, { now, eventUid }, isForgotten);
  for (const list of PERMANENT_LISTS)
    file.permanent[list] = keepCurrent(file, file.permanent[list], now);
  for (const list of FACT_LISTS) file[list] = keepCurrent(file, file[list], now);
}

function isLasting(list: FactList, fact: Fact, now: string): boolean {
  if (fact.supersededBy !== undefined || (list === 'issues' && fact.status !== 'resolved'))
    return false;
  const sessions = new Set(fact.evidence.filter(isTrusted).map(({ session }) => session));
  return sessions.size >= SESSIONS_TO_BECOME_PERMANENT && !isUnseen(fact, now);
}

function promote(
  file: FactsFile,
  list: FactList,
  fact: Fact,
  { now, eventUid }: { now: string; eventUid: () => string },
  isForgotten: (content: string) => boolean,
): void {
  const target = BECOMES[list];
  const known = permanents(file).find(({ from }) => from === fact.id);
  if (known !== undefined) known.evidence = [...fact.evidence];
  else if (target !== undefined && !isForgotten(fact.content)) {
    // Its concept is the fact's own affair: that may change.
    const { conceptId: _, conceptBy: _by, ...rest } = fact;
    const uid = permanentUid(fact.uid, eventUid());
    const own = { id: nextId(file, target), uid, from: fact.id, since: now };
    file.permanent[target].push({ ...rest, evidence: [...fact.evidence], ...own });
  }
}

/** A fact may be promoted again long after: the event tells the two apart. */
export function permanentUid(factUid: string | undefined, eventUid: string): string | undefined {
  return factUid === undefined ? undefined : `${factUid}-p${eventUid.slice(-8)}`;
}

function keepCurrent<T extends Permanent>(file: FactsFile, items: readonly T[], now: string): T[] {
  const isOld = (item: T) =>
    item.supersededAt === undefined
      ? item.since !== undefined && isUnseen(item, now)
      : daysBetween(item.supersededAt, now) > KEEP_SUPERSEDED_DAYS;
  file.retired.push(...items.filter(isOld));
  return items.filter((item) => !isOld(item));
}

/** Nobody has said it for long. One whose time is not known stays. */
function isUnseen(fact: Fact, now: string): boolean {
  return daysBetween(lastSaid(fact), now) > KEEP_UNSEEN_DAYS;
}

function daysBetween(earlier: string, later: string): number {
  return (Date.parse(later) - Date.parse(earlier)) / DAY_MS;
}

function permanents(file: FactsFile): Permanent[] {
  return PERMANENT_LISTS.flatMap((list) => file.permanent[list]);
}
