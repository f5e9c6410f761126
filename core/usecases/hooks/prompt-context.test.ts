import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { promptRow, replyRow } from '../../../tests/bed/made-session.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { type HookOutput, parseHookInput } from './hook-input.ts';
import { addPromptContext } from './prompt-context.ts';

/** What the hook answers to a prompt of a user with these rules. */
function answerWith(rules: (path: string) => void): Promise<HookOutput | undefined> {
  const home = tempFolder();
  const own = join(home, '.claude', 'memory-keeper');
  const project = join(home, 'project');
  for (const folder of [own, project]) mkdirSync(folder, { recursive: true });
  rules(join(own, 'rules.md'));
  const env = { HOME: home, CLAUDE_PROJECT_DIR: project, LANG: 'en_US.UTF-8' };
  return addPromptContext(parseHookInput('{"session_id":"one","prompt":"go on"}', env));
}

it('M14 rules go along with a prompt; empty rules are mentioned neither to Claude nor to the user', async () => {
  const answer = await answerWith((path) => writeFileSync(path, '- Be brief.\n'));
  expect(answer?.systemMessage).toBe('[rules injected]');
  expect(answer?.hookSpecificOutput?.additionalContext).toContain('- Be brief.');
  expect(await answerWith((path) => writeFileSync(path, '\n'))).toBeUndefined();
});

it('M14 rules that cannot be read are reported, and the default ones go along', async () => {
  const answer = await answerWith((path) => mkdirSync(path));
  expect(answer?.hookSpecificOutput?.additionalContext).toContain('Do not assume');
  expect(answer?.systemMessage).toMatch(/^\[rules injected\]\n.*is not a file/);
});

it('L1e C5 where the window is unknown the warning counts tokens, and a threshold in percent gives none', async () => {
  const home = tempFolder();
  const own = join(home, '.claude', 'memory-keeper');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'rules.md'), '');
  const transcript = join(home, 'session.jsonl');
  writeFileSync(transcript, `${promptRow('a')}\n${replyRow(900_000, { model: 'glm-5.1' })}\n`);
  const input = { session_id: 'one', prompt: 'go on', transcript_path: transcript, cwd: home };
  const answer = () =>
    addPromptContext(parseHookInput(JSON.stringify(input), { HOME: home, LANG: 'en_US.UTF-8' }));
  expect(await answer()).toBeUndefined();
  writeFileSync(join(own, 'config.json'), JSON.stringify({ thresholds: { warn: 150_000 } }));
  const { systemMessage, hookSpecificOutput } = (await answer()) ?? {};
  expect(systemMessage).toMatch(/^\[MEMORY KEEPER\] Context 900,000 tokens\./);
  expect(hookSpecificOutput?.additionalContext).toContain('Usage: 900,000 tokens');
});
