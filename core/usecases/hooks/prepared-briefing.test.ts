import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { promptRow, replyRow } from '../../../tests/bed/made-session.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import { parseHookInput } from './hook-input.ts';
import { saveTurn } from './save-turn.ts';
import { briefSession } from './session-briefing.ts';

const MARK = 'only in what was prepared';

/** A session without the mod, after a reply; what is prepared for after its `/clear` has a mark. */
async function repliedSession() {
  const home = tempFolder();
  const project = join(home, 'project');
  mkdirSync(project);
  const transcript = join(home, 'session.jsonl');
  writeFileSync(transcript, `${promptRow('the colour is teal')}\n${replyRow(20_000)}\n`);
  const env = {
    HOME: home,
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_PID: '4711',
    MEMORY_KEEPER_PARENT: '4711',
    LANG: 'en_US.UTF-8',
  };
  const input = (hook_event_name: string, fields: object) =>
    parseHookInput(
      JSON.stringify({
        session_id: 'one',
        transcript_path: transcript,
        hook_event_name,
        ...fields,
      }),
      env,
    );
  const reply = input('Stop', {});
  await saveTurn(reply);
  const path = join(reply.places.home, 'prepared/one.briefing.json');
  const prepared = JSON.parse(readFileSync(path, 'utf8'));
  const rewrite = (text: string) => writeFileSync(path, text);
  rewrite(JSON.stringify({ ...prepared, contexts: [MARK] }));
  /** What the next session is given. */
  const cleared = async (source = 'clear') => {
    await saveTurn(input('SessionEnd', { reason: 'clear' }));
    const answer = await briefSession(input('SessionStart', { session_id: 'next', source }));
    return answer?.hookSpecificOutput?.additionalContext ?? '';
  };
  return { memory: reply.memory, transcript, prepared, rewrite, cleared };
}

it('K2 M13 without a mod the briefing after a /clear is told after each reply, and is used then', async () => {
  const { prepared, cleared } = await repliedSession();
  expect(prepared.contexts.join()).toContain('the colour is teal');
  const text = await cleared();
  expect(text).toContain(MARK);
  expect(text).not.toContain('teal');
});

it('K2 M13 what was said since makes it void', async () => {
  const { transcript, cleared } = await repliedSession();
  writeFileSync(transcript, `${promptRow('and teal it stays')}\n`, { flag: 'a' });
  const text = await cleared();
  expect(text).toContain('and teal it stays');
  expect(text).not.toContain(MARK);
});

it('K2 M13 so does a memory.md that is edited, and any other start', async () => {
  const { memory, cleared } = await repliedSession();
  expect(await cleared('startup')).not.toContain(MARK);
  mkdirSync(dirname(memoryMdPath(memory)), { recursive: true });
  expect(existsSync(memoryMdPath(memory))).toBe(false);
  writeFileSync(memoryMdPath(memory), '# project\n\n## Project\n\nIt is a shop.\n');
  utimesSync(memoryMdPath(memory), 1000, 1000);
  expect(await cleared()).not.toContain(MARK);
});

it.each(['', '{ "half', '[]', '{"version":1}', '{"version":1,"files":[7],"contexts":[7]}'])(
  'K2 M13 a broken one is as none: %j',
  async (text) => {
    const { rewrite, cleared } = await repliedSession();
    rewrite(text);
    expect(await cleared()).toContain('the colour is teal');
  },
);
