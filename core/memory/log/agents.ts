/** The plugin's agents that answer questions of ours (M16), as a session calls them. */
export const AGENTS = {
  delta: 'memory-keeper:delta-summarizer',
  facts: 'memory-keeper:l2-summarizer',
} as const;
