/**
 * Accepts the facts of a model's answer about a range of L1 (M9): adds verified ones to the
 * project's and the session's facts, and refuses the others with a reason. A fact said again only
 * gains evidence; of two that contradict each other, the later one supersedes the other.
 */
import { type Message, message } from '../../messages/message.ts';
import { readDocument } from '../../platform/store/document.ts';
import { shorten } from '../../platform/text/sentences.ts';
import { sessionFactsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import {
  type Evidence,
  type Fact,
  type FactList,
  MAX_FACTS_PER_SESSION,
  nextId,
  type SessionFacts,
  sessionFactsFile,
} from '../l2-facts/facts-file.ts';
import { type FactCandidate, parseFactsAnswer } from '../l2-facts/l2-answer.ts';
import { entryText, inventedDetail, isTrusted, verifyFact } from '../l2-facts/l2-verify.ts';
import { lastSaid, supersede } from '../l4-permanent/l4-permanent.ts';
import type { Statements } from '../l4-permanent/statements.ts';
import { itemUid, type JournalEvent, uidOf } from '../log/journal.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { readL1Range } from '../log/l1-store.ts';
import type { Documents } from './documents.ts';

/** What an answer is verified against. */
interface Source {
  /** The entries of the range, by id. */
  entries: ReadonlyMap<string, L1Entry>;
  /** All entries up to its end: what Claude repeats from a tool's output counts as the tool's. */
  earlier: readonly L1Entry[];
}

/** With the uid that the fact gets if it is new. */
type NamedCandidate = FactCandidate & { uid: string };

/** Shorter ones ("yes", "go on") decide nothing by themselves. */
const MIN_TELLING_CHARS = 40;
/** The question asks for at most ten. */
const MAX_CANDIDATES = 50;
const MAX_REFUSED_CHARS = 300;

export function acceptFacts(
  memory: ProjectMemory,
  documents: Documents,
  event: Extract<JournalEvent, { type: 'facts' }>,
): void {
  const { session, file, from, to, text } = event;
  const own = documents.sessionFacts(file, session);
  const range = readL1Range(memory, file, from, to) ?? entriesFromEvidence(memory, file);
  const entries = new Map(range.map((entry) => [entry.id, entry]));
  const source = { entries, earlier: readL1Range(memory, file, 0, to) ?? range };
  const candidates = (parseFactsAnswer(text) ?? []).slice(0, MAX_CANDIDATES);
  if (candidates.length === 0) return;
  const eventUid = uidOf(event);
  for (const [position, candidate] of candidates.entries()) {
    const uid = itemUid(eventUid, position);
    const why = acceptFact(documents, own, { ...candidate, uid }, source);
    const content = shorten(candidate.content, MAX_REFUSED_CHARS);
    if (why !== undefined && !own.refused.some((refused) => refused.content === content))
      own.refused.push({ content, why });
  }
}

/** L1 has been deleted (M12): what is left of it in the session's facts. */
function entriesFromEvidence(memory: ProjectMemory, l1File: string): L1Entry[] {
  const reading = readDocument(sessionFactsPath(memory, l1File), sessionFactsFile);
  if (reading.state !== 'ok') return [];
  const entries = new Map<string, L1Entry>();
  for (const { content, reason = '', resolution = '', evidence } of reading.value.facts) {
    for (const { entry: id, at: ts, quote, role } of evidence) {
      const entry = entries.get(id);
      const before = entry?.role === 'tool' ? entry.output : (entry?.text ?? '');
      const text = `${before}${quote}\n${content}\n${reason}\n${resolution}\n`;
      const tool = { id, ts, role: 'tool', name: '', cmd: '', output: text } as const;
      entries.set(id, role === 'tool' ? tool : { id, ts, role, text });
    }
  }
  return [...entries.values()];
}

/** The reason why a candidate is refused; undefined if it is accepted. */
function acceptFact(
  documents: Documents,
  own: SessionFacts,
  candidate: NamedCandidate,
  { entries, earlier }: Source,
): Message | undefined {
  const verdict = verifyFact(candidate, own.session, entries, earlier);
  if (!verdict.ok) return verdict.why;
  const { evidence } = verdict;
  const known = knownFact(documents.statements, candidate, evidence);
  if (known === undefined && documents.isForgotten(candidate.content))
    return message('memory.factRemoved');
  const inSession = own.facts.find(({ id }) => id === known?.fact.id);
  if (inSession === undefined && own.facts.length >= MAX_FACTS_PER_SESSION)
    return message('memory.factsFull', { count: MAX_FACTS_PER_SESSION });
  const checked = withoutInvented(candidate, entries.get(evidence.entry));
  const { list, fact } = known ?? newFact(documents, checked, evidence);
  bringUpToDate(fact, checked, evidence);
  addEvidence(fact, evidence);
  if (isTrusted(evidence)) settleContradictions(documents, { list, fact }, candidate, evidence);
  if (inSession === undefined) own.facts.push({ ...asFound(fact), list, evidence: [evidence] });
  else addEvidence(inSession, evidence);
  return undefined;
}

/** By what it says, or by the id that the model named, unless the two contradict each other. */
function knownFact(
  statements: Statements,
  { content, list, sameAs }: FactCandidate,
  { at }: Evidence,
): { list: FactList; fact: Fact } | undefined {
  return (
    statements.same(content, list, at) ??
    (sameAs === undefined ? undefined : statements.meant(sameAs, content, list))
  );
}

/** Without the fields that only facts.json has. */
function asFound({
  conceptId: _,
  conceptBy: _by,
  supersededBy: _newer,
  supersededAt: _at,
  ...fact
}: Fact): Fact {
  return fact;
}

/** Drops a reason or a resolution with invented details. */
function withoutInvented(candidate: NamedCandidate, entry: L1Entry | undefined): NamedCandidate {
  const words = entry === undefined ? '' : entryText(entry);
  const verified = (text: string | undefined) =>
    text === undefined || inventedDetail(text, words) !== undefined ? undefined : text;
  return {
    ...candidate,
    reason: verified(candidate.reason),
    resolution: verified(candidate.resolution),
  };
}

function newFact(
  documents: Documents,
  candidate: NamedCandidate,
  evidence: Evidence,
): { list: FactList; fact: Fact } {
  const { uid, list, content, reason, files, keywords } = candidate;
  const suggested = candidate.conceptId ?? candidate.conceptName;
  const fact: Fact = {
    id: nextId(documents.facts, list),
    uid,
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

/** For trusted evidence alone: a tool's words change nothing that people said. */
function settleContradictions(
  documents: Documents,
  { list, fact }: { list: FactList; fact: Fact },
  { content, supersedes }: FactCandidate,
  evidence: Evidence,
): void {
  const { statements, facts } = documents;
  const named = supersedes === undefined ? [] : statements.named(supersedes, content, list);
  // Two issues can exist at once: only a status or a name says which one is over.
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

/** An issue may be resolved or open again; the last word counts. */
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

/** Entries long enough to tell something that no fact of the session came from. */
export function uncoveredEntries(facts: SessionFacts, entries: readonly L1Entry[]): L1Entry[] {
  const covered = new Set(
    facts.facts.flatMap(({ evidence }) => evidence.map(({ entry }) => entry)),
  );
  return entries.filter(
    (entry) =>
      entry.role !== 'tool' && !covered.has(entry.id) && entry.text.length >= MIN_TELLING_CHARS,
  );
}
