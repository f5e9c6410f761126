/**
 * `digest.json`: what a briefing needs first of facts.json and concepts.json (M13). Written when
 * facts change and read when a session starts, which cannot wait for thousands of facts.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { readDocument } from '../../platform/store/document.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { shorten } from '../../platform/text/sentences.ts';
import { conceptsPath, factsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import {
  ADOPTED,
  FACT_LISTS,
  type Fact,
  type FactList,
  type FactsFile,
  factsFile,
  PERMANENT_LISTS,
} from '../l2-facts/facts-file.ts';
import { type Concept, type ConceptsFile, conceptsFile } from '../l3-concepts/concepts-file.ts';

const Lines = v.object({ lines: v.array(v.string()), total: v.number() });

const Digest = v.object({
  /** Marks of the facts.json and concepts.json that it was made from. */
  of: v.string(),
  /** Each newest first. */
  permanent: Lines,
  decisions: Lines,
  patterns: Lines,
  issues: Lines,
  notes: Lines,
  concepts: Lines,
});

export type Digest = v.InferOutput<typeof Digest>;
type Lines = v.InferOutput<typeof Lines>;

const MAX_LINES = 100;
const MAX_LINE_CHARS = 300;
const MAX_DIGEST_BYTES = 1024 * 1024;

export function digestPath(memory: ProjectMemory): string {
  return join(memory.folder, 'digest.json');
}

export function writeDigest(memory: ProjectMemory, facts: FactsFile, concepts: ConceptsFile): void {
  writeFileAtomic(digestPath(memory), JSON.stringify(digestOf(memory, facts, concepts)), {
    durable: false,
  });
}

/** Undefined if there are no facts. Made again, slowly, if the files have changed since. */
export function readDigest(memory: ProjectMemory): Digest | undefined {
  const file = readSmallFile(digestPath(memory), MAX_DIGEST_BYTES);
  const digest = file.state === 'ok' ? parseDigest(file.text) : undefined;
  if (digest?.of === sourcesMark(memory)) return digest;
  const facts = readDocument(factsPath(memory), factsFile);
  if (facts.state !== 'ok') return undefined;
  const reading = readDocument(conceptsPath(memory), conceptsFile);
  const concepts = reading.state === 'ok' ? reading.value : conceptsFile.empty();
  return digestOf(memory, facts.value, concepts);
}

function parseDigest(text: string): Digest | undefined {
  const parsed = v.safeParse(Digest, parseJson(text));
  return parsed.success ? parsed.output : undefined;
}

function digestOf(memory: ProjectMemory, facts: FactsFile, concepts: ConceptsFile): Digest {
  const permanent = PERMANENT_LISTS.flatMap((list) => facts.permanent[list]).filter(isInForce);
  const isPermanent = new Set(permanent.flatMap(({ from }) => from ?? []));
  const list = (name: FactList) => {
    const items = facts[name].filter(
      (fact) => isInForce(fact) && !isPermanent.has(fact.id) && fact.status !== 'resolved',
    );
    return lines(items, (fact) => fact.content);
  };
  const factCounts = new Map<string | undefined, number>();
  for (const { conceptId } of FACT_LISTS.flatMap((name) => facts[name]))
    factCounts.set(conceptId, (factCounts.get(conceptId) ?? 0) + 1);
  const factCount = ({ id }: Concept) => factCounts.get(id) ?? 0;
  const byFactCount = concepts.concepts.toSorted((a, b) => factCount(a) - factCount(b));
  return {
    of: sourcesMark(memory),
    permanent: lines(permanent, ({ content, resolution }) =>
      resolution === undefined ? content : `${content} ${resolution}`,
    ),
    decisions: list('decisions'),
    patterns: list('patterns'),
    issues: list('issues'),
    notes: list('notes'),
    concepts: lines(byFactCount, ({ name, summary, files }) =>
      [name, summary, files.slice(0, 3).join(', ')].filter((part) => part !== '').join(': '),
    ),
  };
}

function isInForce(fact: Fact): boolean {
  return fact.supersededBy === undefined;
}

/** The newest first: lists grow at their end. */
function lines<T extends Fact | Concept>(items: readonly T[], text: (item: T) => string): Lines {
  const newest = items.slice(-MAX_LINES).reverse();
  return {
    lines: newest.map((item) => {
      // However long the text, the label of what a repository brought is never cut off (T1).
      const label = item.origin === undefined ? '' : ` (${ADOPTED})`;
      const room = MAX_LINE_CHARS - label.length;
      return shorten(text(item).replace(/\s+/g, ' '), room) + label;
    }),
    total: items.length,
  };
}

function sourcesMark(memory: ProjectMemory): string {
  return [factsPath(memory), conceptsPath(memory)].map(fileMark).join(' ');
}
