/** `search` (K8): the best hits as two short lines each, with the id that `get` takes. */
import type * as v from 'valibot';
import { type MemoryHit, searchMemory } from '../../memory/search/memory-search.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { SessionMemory } from './session-memory.ts';
import { hitId } from './shown-ids.ts';
import { matchingSuggestions, suggestionLines } from './suggestion-lines.ts';
import type { SearchArguments } from './tool-arguments.ts';
import { fencedAnswer, inLine, MAX_LIST_CHARS, timeOf } from './tool-text.ts';

const WHOSE = { user: 'the user', assistant: 'Claude', tool: 'a tool' } as const;
const WHAT = {
  l1: 'said',
  l2: 'fact',
  l3: 'concept',
  l4: 'permanent fact',
  memory: 'memory.md',
  summary: 'summary',
} as const;

export function searchTool(
  { places, project: { memory } }: SessionMemory,
  { query, in: layers, since, until, limit }: v.InferOutput<typeof SearchArguments>,
): string {
  const hits = searchMemory(places, memory, query, {
    limit,
    ...(layers && { layers }),
    ...(since && { since }),
    ...(until && { until }),
  });
  const own = layers === undefined ? matchingSuggestions(memory, query) : [];
  if (hits.length + own.length === 0)
    return `Nothing in this project's memory matches "${inLine(query)}". Try other words.`;
  return fencedAnswer(
    `${hits.length + own.length} found for "${inLine(query)}", best first.`,
    [...own.map(suggestionLines), ...hits.map((hit) => hitLines(memory, hit))],
    MAX_LIST_CHARS,
    '`get` with an id shows it in full.',
  );
}

function hitLines(memory: ProjectMemory, hit: MemoryHit): string {
  const { layer, role, at, snippet, missing } = hit;
  const what = role === undefined ? WHAT[layer] : `said by ${WHOSE[role]}`;
  const lacks = missing.length === 0 ? '' : `without: ${missing.slice(0, 5).join(', ')}`;
  const head = [hitId(memory, hit), what, timeOf(at), lacks].filter((word) => word !== '');
  return `${inLine(head.join(' · '), 300)}\n  ${snippet}`;
}
