/**
 * L2: accepts the facts of a model's answer about a range of a session (M9). Verified ones are
 * added to the project's facts and the session's own list; others are refused with a reason. The
 * same fact said again only gains evidence; of two that contradict each other, the later one
 * supersedes the other.
 */
import { type Message, message } from '../../messages/message.ts';
import { shortened } from '../../platform/text/sentences.ts';
import {
  type Evidence,
  type Fact,
  type FactList,
  MAX_FACTS_PER_SESSION,
  nextId,
  type SessionFacts,
} from '../l2-facts/facts-file.ts';
import { type FactCandidate, parseFactsAnswer } from '../l2-facts/l2-answer.ts';
import { inventedDetail, isTrusted, verifyFact, wordsOf } from '../l2-facts/l2-verify.ts';
import { lastSaid, supersede } from '../l4-permanent/l4-permanent.ts';
import type { Statements } from '../l4-permanent/statements.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import type { Documents } from './documents.ts';

export interface FactsAnswer {
  session: string;
  /** The session's L1 file. */
  file: string;
  text: string;
  at: string;
}

/** What an answer is judged by. */
export interface Said {
  /** The stretch that was asked about. */
  entries: readonly L1Entry[];
  /**
   * All entries up to the end of the range. A sentence that Claude repeats from a tool's output
   * counts as the tool's.
   */
  heard: readonly L1Entry[];
}

/** Shorter ones ("yes", "go on") decide nothing by themselves. */
const MIN_TELLING_CHARS = 40;
/** At most ten are asked for; no more than these are looked at. */
const MAX_CANDIDATES = 50;
const MAX_REFUSED_CHARS = 300;

export function takeFacts(
  documents: Documents,
  answer: FactsAnswer,
  { entries, heard }: Said,
): void {
  const own = documents.sessionFacts(answer.file, answer.session);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (const candidate of (parseFactsAnswer(answer.text) ?? []).slice(0, MAX_CANDIDATES)) {
    const why = takeFact(documents, own, candidate, { byId, heard });
    const content = shortened(candidate.content, MAX_REFUSED_CHARS);
    if (why !== undefined && !own.refused.some((refused) => refused.content === content))
      own.refused.push({ content, why });
  }
}

/** The reason why a candidate is not taken; undefined if it is. */
function takeFact(
  documents: Documents,
  own: SessionFacts,
  candidate: FactCandidate,
  { byId, heard }: { byId: ReadonlyMap<string, L1Entry>; heard: readonly L1Entry[] },
): Message | undefined {
  const verdict = verifyFact(candidate, own.session, byId, heard);
  if (!verdict.ok) return verdict.why;
  const { evidence } = verdict;
  const known = knownAs(documents.statements, candidate, evidence);
  if (known === undefined && documents.isForgotten(candidate.content))
    return message('memory.factRemoved');
  const inSession = own.facts.find(({ id }) => id === known?.fact.id);
  if (inSession === undefined && own.facts.length >= MAX_FACTS_PER_SESSION)
    return message('memory.factsFull', { count: MAX_FACTS_PER_SESSION });
  const checked = withoutInvented(candidate, byId.get(evidence.entry));
  const { list, fact } = known ?? newFact(documents, checked, evidence);
  bringUpToDate(fact, checked, evidence);
  addEvidence(fact, evidence);
  if (isTrusted(evidence)) settleContradictions(documents, { list, fact }, candidate, evidence);
  if (inSession === undefined) own.facts.push({ ...asFound(fact), list, evidence: [evidence] });
  else addEvidence(inSession, evidence);
  return undefined;
}

/**
 * By what it says; or by the id that the model named, which has seen the known facts, unless the
 * two contradict each other.
 */
function knownAs(
  statements: Statements,
  { content, list, sameAs }: FactCandidate,
  { at }: Evidence,
): { list: FactList; fact: Fact } | undefined {
  return (
    statements.same(content, list, at) ??
    (sameAs === undefined ? undefined : statements.meant(sameAs, content, list))
  );
}

/** What becomes of it later is told in facts.json alone. */
function asFound({
  conceptId: _,
  conceptBy: _by,
  supersededBy: _newer,
  supersededAt: _at,
  ...fact
}: Fact): Fact {
  return fact;
}

/** The reason and the solution are told as they were said, or not at all. */
function withoutInvented(candidate: FactCandidate, entry: L1Entry | undefined): FactCandidate {
  const words = entry === undefined ? '' : wordsOf(entry);
  const said = (text: string | undefined) =>
    text === undefined || inventedDetail(text, words) !== undefined ? undefined : text;
  return { ...candidate, reason: said(candidate.reason), resolution: said(candidate.resolution) };
}

function newFact(
  documents: Documents,
  candidate: FactCandidate,
  evidence: Evidence,
): { list: FactList; fact: Fact } {
  const { list, content, reason, files, keywords } = candidate;
  const suggested = candidate.conceptId ?? candidate.conceptName;
  const fact: Fact = {
    id: nextId(documents.facts, list),
    date: evidence.at.slice(0, 'YYYY-MM-DD'.length),
    content,
    ...(reason !== undefined && { reason }),
    session: evidence.session,
    files,
    keywords,
    ...(suggested !== undefined && { suggestedConcept: suggested }),
    evidence: [evidence],
  };
  if (list === 'issues') fact.status = 'open';
  documents.facts[list].push(fact);
  documents.statements.add(list, fact);
  return { list, fact };
}

/** What only a tool said changes nothing that people said, so this is for trusted words alone. */
function settleContradictions(
  documents: Documents,
  { list, fact }: { list: FactList; fact: Fact },
  { content, supersedes }: FactCandidate,
  evidence: Evidence,
): void {
  const { statements, facts } = documents;
  const named = supersedes === undefined ? [] : statements.named(supersedes, content, list);
  // Two faults can both be there: which one is over is said by its status, or by who names it.
  const contradicted = list === 'issues' ? [] : statements.contradicted(content, list);
  for (const other of new Set([...contradicted, ...named])) {
    if (other === fact || fact.supersededBy !== undefined) continue;
    if (lastSaid(other) > evidence.at) supersede(facts, fact, other);
    else supersede(facts, other, fact);
  }
}

function addEvidence(fact: Pick<Fact, 'evidence'>, evidence: Evidence): void {
  const isKnown = fact.evidence.some(
    ({ session, entry }) => session === evidence.session && entry === evidence.entry,
  );
  if (!isKnown) fact.evidence.push(evidence);
}

/** An issue may have been solved since, or be back; what was said last holds. */
function bringUpToDate(
  fact: Fact,
  { list, status, resolution }: FactCandidate,
  { at }: Evidence,
): void {
  if (list !== 'issues' || lastSaid(fact) > at) return;
  const now = status?.toLowerCase();
  if (now === 'resolved' || now === 'open') fact.status = now;
  if (resolution !== undefined) fact.resolution = resolution;
}

/** Entries with something to say that no fact of the session came from. */
export function uncoveredEntries(facts: SessionFacts, entries: readonly L1Entry[]): L1Entry[] {
  const covered = new Set(
    facts.facts.flatMap(({ evidence }) => evidence.map(({ entry }) => entry)),
  );
  return entries.filter(
    (entry) =>
      entry.role !== 'tool' && !covered.has(entry.id) && entry.text.length >= MIN_TELLING_CHARS,
  );
}
