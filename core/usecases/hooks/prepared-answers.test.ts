import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { promptRow, replyRow } from '../../../tests/bed/made-session.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { keepingNotePath } from '../../claude/status/keeping-note-path.ts';
import { raiseGuard } from '../../clear/delivery/guard.ts';
import { saveL1 } from '../../memory/log/l1-store.ts';
import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { fileStates } from '../../platform/store/file-states.ts';
import { placesFrom } from '../../platform/store/places.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import { projectMemory } from '../../projects/project-memory.ts';
import { prepareAnswers } from './prepared-answers.ts';

const WHEN = new Date('2026-01-01T00:00:00.123Z');

/** A file from long ago. */
function write(path: string, text: string): void {
  writeFileSync(path, text);
  utimesSync(path, WHEN, WHEN);
}

/** A session with one turn, and what is prepared for it. */
function madeSession(settings: object = {}) {
  const home = tempFolder();
  const env = { HOME: home, LANG: 'en_US.UTF-8' };
  const places = placesFrom(env);
  const root = join(home, 'project');
  for (const folder of [root, places.home]) mkdirSync(folder, { recursive: true });
  write(join(places.home, 'config.json'), JSON.stringify(settings));
  write(join(places.home, 'rules.md'), '- Be brief.\n');
  const transcript = join(home, 'session.jsonl');
  writeFileSync(transcript, `${promptRow('the colour is teal')}\n${replyRow(20_000)}\n`);
  const memory = projectMemory(places, root, env);
  saveL1(memory, { sessionId: 'one', transcript });
  const prepare = (context = { tokens: 20_000, window: 200_000 }) =>
    prepareAnswers({ sessionId: 'one', claudePid: '4711', root, transcript, context, env });
  return { places, memory, prepare, transcript };
}

it('K2 M14 a prompt is prepared with the rules, and names the files that they came from', async () => {
  const { places, memory, prepare } = madeSession();
  const { prompt } = await prepare();
  expect(prompt?.contexts).toEqual([expect.stringContaining('- Be brief.')]);
  expect(prompt?.says).toBe('[rules injected]');
  const paths = prompt?.files.map(({ path }) => path);
  for (const path of [
    join(places.home, 'rules.md'),
    join(memory.folder, 'rules.md'),
    join(memory.folder, 'adopted-rules.json'),
    join(places.home, 'config.json'),
    join(memory.folder, 'config.json'),
  ])
    expect(paths).toContain(path);
});

it('K2 C5 a context past its threshold is in what is prepared', async () => {
  const { prompt } = await madeSession().prepare({ tokens: 165_010, window: 200_000 });
  expect(prompt?.says).toContain('[CRITICAL] Context 83%');
  expect(prompt?.contexts[0]).toContain('[CONTEXT_WARNING] Usage: 83%. CRITICAL');
});

it('K2 M14 no prompt is prepared where prompts are counted, one may be held back, news wait or words are not saved', async () => {
  expect((await madeSession({ rulesInjectionFrequency: 3 }).prepare()).prompt).toBeUndefined();
  const guarded = madeSession();
  raiseGuard(guarded.places, { pid: 4711, sessionId: 'one' }, '/clear');
  expect((await guarded.prepare()).prompt).toBeUndefined();
  const unkept = madeSession();
  const note = keepingNotePath(unkept.places, 'one');
  mkdirSync(dirname(note), { recursive: true });
  write(note, '{}');
  expect((await unkept.prepare()).prompt).toBeUndefined();
  const unsaved = madeSession();
  appendFileSync(unsaved.transcript, `${promptRow('and the next one')}\n`);
  expect((await unsaved.prepare()).prompt).toBeUndefined();
});

it('K2 M13 the briefing after a clear is prepared as far as the session is saved', async () => {
  const { memory, prepare } = madeSession();
  const { briefing } = await prepare();
  expect(briefing?.contexts.join()).toContain('the colour is teal');
  expect(briefing?.says).toMatch(/briefing restored\. To go back: claude --resume one$/); // K9
  expect(briefing?.l1Bytes).toBe(readMemoryIndex(memory).sessions.one?.l1Bytes);
  expect(briefing?.files.map(({ path }) => path)).toContain(memoryMdPath(memory));
});

it('K2 a file is not relied on while a later change could leave it with the same time', () => {
  const path = join(tempFolder(), 'file');
  expect(fileStates([path], 0)).toEqual([{ path, size: -1, mtimeMs: 0 }]);
  write(path, 'abc');
  const at = WHEN.getTime();
  expect(fileStates([path], at + 10)).toBeUndefined();
  expect(fileStates([path], at + 100)).toEqual([{ path, size: 3, mtimeMs: at }]);
  const whole = new Date('2026-01-01T00:00:00Z'); // of a file system that counts seconds, perhaps
  utimesSync(path, whole, whole);
  expect(fileStates([path], whole.getTime() + 100)).toBeUndefined();
  expect(fileStates([path], whole.getTime() + 2100)).toHaveLength(1);
});
