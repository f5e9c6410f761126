/**
 * The plugin's agents as Claude Code reads them: what each is called, which model it has and what
 * it may do (F9).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AGENTS } from '../core/memory/log/agents.ts';
import { READING_TOOLS } from '../core/usecases/hooks/permission.ts';

const FOLDER = join(import.meta.dirname, '../agents');

/** What stands between the two lines of dashes. */
function frontMatter(file: string): Record<string, string> {
  const [, head = ''] = readFileSync(join(FOLDER, file), 'utf8').split('---\n');
  return Object.fromEntries(
    head
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/).slice(0, 2)),
  );
}

const agents = readdirSync(FOLDER).map(frontMatter);

it('F9 there are four, and hooks ask for the summarisers by the names that they have', () => {
  expect(agents.map(({ name }) => name)).toEqual([
    'context-loader',
    'delta-summarizer',
    'l2-summarizer',
    'memory-keeper',
  ]);
  for (const asked of Object.values(AGENTS))
    expect(agents.map(({ name }) => `memory-keeper:${name}`)).toContain(asked);
});

it('F9 a summariser is a small model that can read and nothing else; no agent can write', () => {
  for (const { name, model, tools } of agents) {
    if (name?.endsWith('summarizer'))
      expect({ model, tools }).toEqual({ model: 'haiku', tools: 'Read' });
    else if (name === 'context-loader')
      expect(tools).toBe([...READING_TOOLS, 'Bash(memory-keeper:*)', 'Read'].join(', '));
    else expect(tools).toBe('Bash(memory-keeper:*), Read');
  }
});
