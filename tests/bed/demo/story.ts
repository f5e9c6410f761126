/**
 * What a made-up project has lived through: sessions on past days, what was said in each, and the
 * facts that a model would have found in it. Pure data: `demo-memory.ts` makes a memory of it by
 * the product's own code.
 */

export interface StoryFact {
  kind: 'decision' | 'pattern' | 'issue' | 'note';
  content: string;
  /** The words it came from; all of the line, unless said. */
  quote?: string;
  reason?: string;
  status?: 'open' | 'resolved';
  resolution?: string;
  files?: string[];
  keywords?: string[];
  /** The content of the fact that this one takes the place of. */
  replaces?: string;
}

export type Line =
  | { user: string; facts?: StoryFact[] }
  | { assistant: string; facts?: StoryFact[] }
  | { tool: string; input: string; output: string };

export interface StorySession {
  daysAgo: number;
  /** UTC, such as 09:40. */
  at: string;
  lines: Line[];
  /** What stands in memory.md of it. */
  summary: string;
}

export interface Story {
  /** The name of its folder. */
  name: string;
  sessions: StorySession[];
  /** Sections of memory.md that the user has written, by title. */
  sections: Record<string, string>;
}

export const user = (text: string, ...facts: StoryFact[]): Line => ({ user: text, facts });
export const claude = (text: string, ...facts: StoryFact[]): Line => ({ assistant: text, facts });
export const tool = (name: string, input: string, output: string): Line => ({
  tool: name,
  input,
  output,
});
