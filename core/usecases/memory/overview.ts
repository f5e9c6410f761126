/** What a project's memory holds, what models cost today, and which files are damaged. */
import { join } from 'node:path';
import { FACT_LISTS, PERMANENT_LISTS } from '../../memory/l2-facts/facts-file.ts';
import { type Spent, spentToday, tokensSpentToday } from '../../memory/model/spend.ts';
import type { Message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import { readSettings } from '../../settings/settings.ts';

import { memoryMdOnDisk } from './memory-text.ts';
import type { ProjectCache } from './project-cache.ts';

export interface MemoryOverview {
  facts: number;
  concepts: number;
  permanent: number;
  sessions: number;
  folder: string;
  spentToday: Record<string, Spent>;
  budgetTokens: number;
  /** Why files could not be read. */
  problems: Message[];
}

export function overview(places: Places, cache: ProjectCache): MemoryOverview {
  const { problems, memory } = cache;
  const { settings, problems: ofSettings } = readSettings(places, memory.root);
  const counts = problems.length > 0 ? {} : cache.facts.counts(false);
  const sum = (parts: readonly (keyof typeof counts)[]) =>
    parts.reduce((all, part) => all + (counts[part] ?? 0), 0);
  return {
    facts: sum(FACT_LISTS),
    permanent: sum(PERMANENT_LISTS.map((list) => `permanent.${list}` as const)),
    concepts: problems.length > 0 ? 0 : cache.concepts.concepts.length,
    sessions: cache.sessions.names().length,
    folder: memory.folder,
    spentToday: spentToday(places),
    budgetTokens: settings.budget.tokensPerDay,
    problems: [...problems, ...ofSettings],
  };
}

/** For a person who reads it in a terminal: memory.md, and the saved sessions, oldest first. */
export function showMemory(places: Places, { memory, sessions }: ProjectCache) {
  const rows = sessions.list().toReversed();
  return {
    text: memoryMdOnDisk(memory) ?? null,
    sessions: rows.map(({ session: sessionId, file: name, entries, lastAt }) => {
      const file = join(memory.sessions, name);
      return { sessionId, file, entries, lastAt };
    }),
    spentToday: spentToday(places),
    tokensToday: tokensSpentToday(places),
    budgetTokens: readSettings(places, memory.root).settings.budget.tokensPerDay,
  };
}
