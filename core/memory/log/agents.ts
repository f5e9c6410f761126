/**
 * The plugin's agents that answer for Memory Keeper (M16), by the names that a session calls them
 * by.
 */
export const AGENTS = {
  delta: 'memory-keeper:delta-summarizer',
  facts: 'memory-keeper:l2-summarizer',
} as const;
