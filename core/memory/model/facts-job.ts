/**
 * Decides when to look for facts and in which range of which session (M9, F8), writes the question,
 * and finds facts without a model (M16).
 */
import { readDocument } from '../../platform/store/document.ts';
import { conceptsPath, factsPath, sessionFactsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import {
  FACT_LISTS,
  factsFile,
  MAX_FACTS_PER_SESSION,
  type SessionFacts,
  sessionFactsFile,
} from '../l2-facts/facts-file.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { readKeptL1 } from '../log/l1-store.ts';
import {
  changeProgress,
  type MemoryIndex,
  type SessionProgress,
  updateMemoryIndex,
} from '../log/memory-index.ts';
import { uncoveredEntries } from '../state/accept-facts.ts';
import { isFactsDue, isSecondLookDue } from './delta-due.ts';
import type { FactsRange } from './job-attempts.ts';
import { FACTS_SYSTEM, factsPrompt } from './l2-ask.ts';

const MAX_SENTENCE_CHARS = 300;
/** A Hangul syllable counts as two letters. */
const MIN_SENTENCE_LETTERS = 12;
const LASTING =
  /\b(?:from now on|always|never|must(?: not)?|do(?: not|n't) ever|we (?:decided|agreed|chose|will use|use)|let'?s (?:use|go with|stick with)|I (?:prefer|decided|want you to always)|remember that|the rule is)\b|앞으로|항상|언제나|절대|반드시|기억해|하기로 (?:했|하자|결정)|결정했|금지|하지 ?마|규칙은/i;
const QUESTION = /[?？]\s*$|(?:까|나요|니|가요)[.?]?\s*$/;

export function factsDue(
  memory: ProjectMemory,
  index: MemoryIndex,
  saveInterval: number,
  isFree: (key: string) => boolean,
): FactsRange | undefined {
  return firstRange(memory, index, isFree, (session, progress) => {
    const { file, l1Bytes, factsBytes = 0 } = progress;
    return isFactsDue(progress, saveInterval)
      ? { session, file, from: factsBytes, to: l1Bytes, cover: false }
      : undefined;
  });
}

/** Once after each look for facts: the entries that none of them came from. */
export function coverDue(
  memory: ProjectMemory,
  index: MemoryIndex,
  isFree: (key: string) => boolean,
): FactsRange | undefined {
  return firstRange(memory, index, isFree, (session, progress) => {
    const { file, factsBytes = 0, coveredBytes = 0 } = progress;
    return isSecondLookDue(progress)
      ? { session, file, from: coveredBytes, to: factsBytes, cover: true }
      : undefined;
  });
}

function firstRange(
  memory: ProjectMemory,
  index: MemoryIndex,
  isFree: (key: string) => boolean,
  dueRange: (session: string, progress: SessionProgress) => FactsRange | undefined,
): FactsRange | undefined {
  for (const [session, progress] of Object.entries(index.sessions)) {
    const range = isFree(`facts ${session}`) ? dueRange(session, progress) : undefined;
    if (range !== undefined && mayHaveFacts(memory, range)) return range;
    if (range !== undefined) passOver(memory, range);
  }
  return undefined;
}

function mayHaveFacts(memory: ProjectMemory, range: FactsRange): boolean {
  const isWorthAsking = ({ role }: L1Entry) => range.cover || role !== 'tool';
  return room(memory, range) > 0 && entriesOf(memory, range).some(isWorthAsking);
}

/** Marks the range as searched, so that nobody reads it again. */
function passOver(memory: ProjectMemory, { session, to, cover }: FactsRange): void {
  updateMemoryIndex(memory, (index) => {
    const { factsBytes = 0, coveredBytes = 0 } = index.sessions[session] ?? {};
    const passed = cover
      ? { coveredBytes: Math.max(coveredBytes, to) }
      : { factsBytes: Math.max(factsBytes, to), toolsSinceFacts: 0 };
    return changeProgress(index, session, passed);
  });
}

export function factsJob(
  memory: ProjectMemory,
  range: FactsRange,
): { system: string; prompt: string } {
  const facts = readDocument(factsPath(memory), factsFile);
  const concepts = readDocument(conceptsPath(memory), conceptsFile);
  const lists = 'value' in facts ? facts.value : factsFile.empty();
  const prompt = factsPrompt({
    entries: entriesOf(memory, range),
    room: room(memory, range),
    concepts: 'value' in concepts ? concepts.value.concepts : [],
    known: FACT_LISTS.flatMap((list) => lists[list]).filter(
      ({ supersededBy }) => supersededBy === undefined,
    ),
    isSecondLook: range.cover,
  });
  return { system: FACTS_SYSTEM, prompt };
}

export function extractSessionFacts(memory: ProjectMemory, range: FactsRange): string {
  return extractFacts(entriesOf(memory, range), room(memory, range));
}

function entriesOf(
  memory: ProjectMemory,
  { file, from, to, cover, session }: FactsRange,
): L1Entry[] {
  const entries = readKeptL1(memory, file, from, to) ?? [];
  return cover ? uncoveredEntries(sessionFacts(memory, file, session), entries) : entries;
}

function room(memory: ProjectMemory, { file, session }: FactsRange): number {
  return MAX_FACTS_PER_SESSION - sessionFacts(memory, file, session).facts.length;
}

function sessionFacts(memory: ProjectMemory, file: string, session: string): SessionFacts {
  const reading = readDocument(sessionFactsPath(memory, file), sessionFactsFile);
  return reading.state === 'ok' ? reading.value : { ...sessionFactsFile.empty(), session };
}

/**
 * The user's own sentences that are meant to last, as the answer that a model would have given. Few,
 * but certain.
 */
export function extractFacts(entries: readonly L1Entry[], limit: number): string {
  const facts = entries.flatMap((entry) =>
    entry.role === 'user'
      ? sentences(entry.text).flatMap((sentence) => lastingFact(entry, sentence) ?? [])
      : [],
  );
  return JSON.stringify(facts.slice(-limit));
}

function lastingFact(entry: L1Entry, sentence: string): object | undefined {
  const letters = sentence.length + (sentence.match(/\p{Script=Hangul}/gu)?.length ?? 0);
  const fits = letters >= MIN_SENTENCE_LETTERS && sentence.length <= MAX_SENTENCE_CHARS;
  if (!fits || !LASTING.test(sentence) || QUESTION.test(sentence)) return undefined;
  return { kind: 'decision', content: sentence, entry: entry.id, quote: sentence };
}

/** Code and quoted text are not the user's own sentences. */
function sentences(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?(?:```|$)/g, '\n').replace(/^\s*>.*$/gm, '');
  return prose.split(/(?<=[.!?。])\s+|\n+/).map((sentence) => sentence.trim());
}
