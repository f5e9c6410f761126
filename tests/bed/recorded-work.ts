/**
 * The work that sessions leave, done without a model and always the same: of each session facts and
 * a summary, then a tidying up. Can be broken off anywhere and done again by whoever comes next, as
 * jobs are. Runs in tests and in the child processes that they kill.
 */

import { join } from 'node:path';
import { readL1Range } from '../../core/memory/log/l1-store.ts';
import { readMemoryIndex } from '../../core/memory/log/memory-index.ts';
import { catchUp, record } from '../../core/memory/state/derive.ts';
import type { Places } from '../../core/platform/store/places.ts';
import { type ProjectMemory, projectMemory } from '../../core/projects/project-memory.ts';

const DAY = '2026-11-20';

/** The places that tests use for a project: beside it. */
export function placesBeside(root: string): Places {
  return { claude: join(root, '..', 'claude'), home: join(root, '..', 'home') };
}

export function memoryAt(root: string): ProjectMemory {
  return projectMemory(placesBeside(root), root);
}

/** `turn`: which session to begin with, so that two at once meet. */
export function recordWork(memory: ProjectMemory, turn = 0): void {
  catchUp(memory);
  const sessions = Object.keys(readMemoryIndex(memory).sessions).sort();
  for (const session of [...sessions.slice(turn), ...sessions.slice(0, turn)]) {
    recordFacts(memory, session);
    recordDelta(memory, session);
  }
  const at = `${DAY}T12:00:00Z`;
  if (readMemoryIndex(memory).compressedAt !== at) record(memory, { type: 'compress', at });
}

function recordFacts(memory: ProjectMemory, session: string): void {
  const {
    file = '',
    factsBytes = 0,
    l1Bytes = 0,
  } = readMemoryIndex(memory).sessions[session] ?? {};
  if (factsBytes >= l1Bytes) return;
  const facts = (readL1Range(memory, file, factsBytes, l1Bytes) ?? []).flatMap((entry) =>
    'text' in entry
      ? [{ kind: 'decision', content: entry.text, entry: entry.id, quote: entry.text }]
      : [],
  );
  const text = JSON.stringify(facts);
  record(memory, {
    type: 'facts',
    at: `${DAY}T10:00:00Z`,
    way: 'mod',
    text,
    session,
    file,
    from: factsBytes,
    to: l1Bytes,
    cover: false,
  });
}

function recordDelta(memory: ProjectMemory, session: string): void {
  const {
    file = '',
    summarisedBytes = 0,
    l1Bytes = 0,
  } = readMemoryIndex(memory).sessions[session] ?? {};
  if (summarisedBytes >= l1Bytes) return;
  record(memory, {
    type: 'delta',
    at: `${DAY}T11:00:00Z`,
    way: 'mod',
    text: `Summary of session ${session} was written.`,
    ends: { [session]: l1Bytes },
    upTo: `${DAY}T09:00:00Z`,
    files: { [session]: file },
    stamp: `${DAY}_1100`,
  });
}
