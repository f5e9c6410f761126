/**
 * `digest.json`: the part of facts.json and concepts.json that a briefing needs first (M13).
 * Reading thousands of facts takes longer than a session's start may; so the digest is made when
 * facts change, and read when a session starts.
 */

import { join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { readDocument } from '../../platform/store/document.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { shortened } from '../../platform/text/sentences.ts';
import { conceptsPath, factsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import {
  FACT_LISTS,
  type Fact,
  type FactList,
  type FactsFile,
  factsFile,
  PERMANENT_LISTS,
} from '../l2-facts/facts-file.ts';
import { type ConceptsFile, conceptsFile } from '../l3-concepts/concepts-file.ts';

const Lines = v.object({ lines: v.array(v.string()), total: v.number() });

const Digest = v.object({
  /** Which facts.json and concepts.json it was made from. */
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

function digestPath(memory: ProjectMemory): string {
  return join(memory.folder, 'digest.json');
}

export function writeDigest(memory: ProjectMemory, facts: FactsFile, concepts: ConceptsFile): void {
  writeFileAtomic(digestPath(memory), JSON.stringify(digestOf(memory, facts, concepts)), {
    durable: false,
  });
}

/**
 * Undefined if there are no facts. Made anew if somebody has changed the files since; then it takes
 * as long as it takes.
 */
export function readDigest(memory: ProjectMemory): Digest | undefined {
  const file = readSmallFile(digestPath(memory), MAX_DIGEST_BYTES);
  const digest = file.state === 'ok' ? parseDigest(file.text) : undefined;
  if (digest?.of === sourcesMark(memory)) return digest;
  const facts = readDocument(factsPath(memory), factsFile);
  if (facts.state !== 'ok') return undefined;
  const concepts = readDocument(conceptsPath(memory), conceptsFile);
  return digestOf(
    memory,
    facts.value,
    concepts.state === 'ok' ? concepts.value : conceptsFile.empty(),
  );
}

function parseDigest(text: string): Digest | undefined {
  try {
    const parsed = v.safeParse(Digest, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined; // torn or changed by hand: made anew
  }
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
  const perFact = new Map<string, number>();
  for (const fact of FACT_LISTS.flatMap((name) => facts[name])) {
    if (fact.conceptId !== undefined)
      perFact.set(fact.conceptId, (perFact.get(fact.conceptId) ?? 0) + 1);
  }
  const byWeight = [...concepts.concepts].sort(
    (a, b) => (perFact.get(a.id) ?? 0) - (perFact.get(b.id) ?? 0),
  );
  return {
    of: sourcesMark(memory),
    permanent: lines(permanent, ({ content, resolution }) =>
      resolution === undefined ? content : `${content} ${resolution}`,
    ),
    decisions: list('decisions'),
    patterns: list('patterns'),
    issues: list('issues'),
    notes: list('notes'),
    concepts: lines(byWeight, ({ name, summary, files }) =>
      [name, summary, files.slice(0, 3).join(', ')].filter((part) => part !== '').join(': '),
    ),
  };
}

function isInForce(fact: Fact): boolean {
  return fact.supersededBy === undefined;
}

/** The last of the items come first: lists grow at their end. */
function lines<T>(items: readonly T[], text: (item: T) => string): Lines {
  const newest = items.slice(-MAX_LINES).reverse();
  return {
    lines: newest.map((item) => shortened(text(item).replace(/\s+/g, ' '), MAX_LINE_CHARS)),
    total: items.length,
  };
}

function sourcesMark(memory: ProjectMemory): string {
  return [factsPath(memory), conceptsPath(memory)].map(fileMark).join(' ');
}
