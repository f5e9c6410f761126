import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';

const PROMPT = join(import.meta.dirname, '../../dist/plugin/hooks/prompt.cjs');
const INPUT = JSON.stringify({
  hook_event_name: 'UserPromptSubmit',
  session_id: 'one',
  prompt: 'go on',
});

/** Starts the built program with a shell command, in a home of its own. */
function runPrompt(command: string, input: string, config?: object) {
  const home = tempFolder();
  const own = join(home, '.claude/memory-keeper');
  mkdirSync(join(home, 'project'));
  writeFileSync(join(home, 'input'), input);
  if (config !== undefined) {
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'config.json'), JSON.stringify(config));
  }
  const env = {
    HOME: home,
    PATH: process.env.PATH ?? '',
    CLAUDE_PROJECT_DIR: join(home, 'project'),
  };
  const args = ['-c', command, 'sh', process.execPath, PROMPT];
  const { stdout } = spawnSync('sh', args, { cwd: home, env, encoding: 'utf8' });
  const log = join(own, 'hooks.log');
  return { stdout, log: existsSync(log) ? readFileSync(log, 'utf8') : '' };
}

it('G8 that Claude Code has ended before the answer is no error; what goes wrong is written down', () => {
  const unread = '{ "$1" "$2" prompt < input; } | :';
  expect(runPrompt(unread, INPUT).log).toBe('');
  expect(runPrompt(unread, '{ "half').log).toContain('hooks.notJson');
});

it('G8 a built program finds what it loads later', () => {
  const config = { rulesInjectionFrequency: 2, saveInterval: 'often' };
  const { stdout, log } = runPrompt('"$1" "$2" prompt < input', INPUT, config);
  expect(log).toBe('');
  expect(stdout).toMatch(/\[rules injection error: .*saveInterval.*\[rules injected\]/);
});
