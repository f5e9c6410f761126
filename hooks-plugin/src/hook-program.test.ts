import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';

const PROMPT = join(import.meta.dirname, '../../dist/plugin/hooks/prompt.cjs');
const TOLD = JSON.stringify({
  hook_event_name: 'UserPromptSubmit',
  session_id: 'one',
  prompt: 'go on',
});

/** Runs a hook of which nobody takes the answer; gives back what it logged. */
function loggedFor(told: string): string {
  const home = tempFolder();
  mkdirSync(join(home, 'project'));
  writeFileSync(join(home, 'told'), told);
  const command = '{ "$1" "$2" prompt < told; } | :';
  const env = {
    HOME: home,
    PATH: process.env.PATH ?? '',
    CLAUDE_PROJECT_DIR: join(home, 'project'),
  };
  spawnSync('sh', ['-c', command, 'sh', process.execPath, PROMPT], { cwd: home, env });
  const log = join(home, '.claude/memory-keeper/hooks.log');
  return existsSync(log) ? readFileSync(log, 'utf8') : '';
}

it('G8 that Claude Code has ended before the answer is no error; what goes wrong is written down', () => {
  expect(loggedFor(TOLD)).toBe('');
  expect(loggedFor('{ "half')).toContain('hooks.notJson');
});
