import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';

const PROMPT = join(import.meta.dirname, '../../dist/plugin/hooks/prompt.cjs');

/** What the hook answers to a prompt of a user with these rules. */
function answerWith(rules: (path: string) => void): string {
  const home = tempFolder();
  const own = join(home, '.claude', 'memory-keeper');
  const project = join(home, 'project');
  for (const folder of [own, project]) mkdirSync(folder, { recursive: true });
  rules(join(own, 'rules.md'));
  const input = JSON.stringify({
    hook_event_name: 'UserPromptSubmit',
    session_id: 'one',
    prompt: 'go on',
  });
  const env = { HOME: home, CLAUDE_PROJECT_DIR: project, LANG: 'en_US.UTF-8' };
  return spawnSync(process.execPath, [PROMPT], { env, input, encoding: 'utf8' }).stdout;
}

it('M14 the rules go along with a prompt; of rules that the user has emptied nothing is said, to Claude or to the user', () => {
  expect(answerWith((path) => writeFileSync(path, '- Be brief.\n'))).toMatch(
    /\[rules injected\].*- Be brief\./,
  );
  expect(answerWith((path) => writeFileSync(path, '\n'))).toBe('');
});

it('M14 rules that cannot be read are told, and the default ones go along', () => {
  const answer = answerWith((path) => mkdirSync(path));
  expect(answer).toContain('Do not assume');
  expect(answer).toMatch(/\[rules injected\].*is not a file/);
});
