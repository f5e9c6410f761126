/**
 * Reads the summary of a session or month that a search hit names (M17). Returns only files that
 * the search itself reads, and cuts what is longer than a window can use.
 */
import { readFileSync } from 'node:fs';
import { pagesOf } from '../../memory/search/memory-search.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { shortened } from '../../platform/text/sentences.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';

const MAX_CHARS = 200_000;

export function pageText(memory: ProjectMemory, path: string): { text: string } {
  const text = pagesOf(memory).includes(path)
    ? attempt(() => readFileSync(path, 'utf8'), undefined)
    : undefined;
  if (text === undefined) throw new ExpectedError(message('memory.summaryGone'));
  return { text: shortened(text, MAX_CHARS) };
}
