import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type HookEvent, ModHost } from '../tests/bed/mod-host.ts';
import { tempFolder } from '../tests/bed/temp-folder.ts';

const WHEN = new Date('2026-01-01T00:00:00.123Z');

/** The mod after a turn for which an answer was prepared out of one file; the transcript is kept. */
async function preparedMod() {
  const folder = tempFolder();
  const [source, index, transcript] = ['rules.md', 'index.json', 'session.jsonl'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const plugin = join(folder, 'plugin');
  mkdirSync(plugin);
  symlinkSync(import.meta.dirname, join(plugin, 'hooks'));
  writeFileSync(source, 'one');
  utimesSync(source, WHEN, WHEN);
  writeFileSync(transcript, '');
  const keep = (saved: object) =>
    writeFileSync(index, JSON.stringify({ sessions: { 'with-mod': saved } }));
  keep({ isOver: false, l1Bytes: 10 });
  const answer = (text: string) => ({
    files: [
      { path: source, size: 3, mtimeMs: WHEN.getTime() },
      { path: join(folder, 'nowhere'), size: -1, mtimeMs: 0 },
    ],
    contexts: [text],
    says: `[${text}]\nand more`,
    index,
  });
  const prepared = {
    sessionId: 'with-mod',
    prompt: { ...answer('rules'), lastRowsMs: 1000, hookHadItsChanceMs: 4000 },
    briefing: { ...answer('briefing'), l1Bytes: 10 },
  };
  /** What the command hooks saw of the mod's answers, event by event. */
  const seen: (string | undefined)[] = [];
  const asked: string[] = [];
  const host = await ModHost.start({
    plugin,
    project: folder,
    env: {},
    run: async (_, { stdin }) => {
      asked.push(stdin);
      return { stdout: JSON.stringify({ prepared }) };
    },
    runHooks: async (_, env) => {
      seen.push(env.MEMORY_KEEPER_PROMPT_GIVEN ?? env.MEMORY_KEEPER_START_GIVEN);
      return { additionalContext: ['of another hook'] };
    },
  });
  await host.endTurn();
  const raise = (event: string, fields: object = {}) =>
    host.raise({
      hook_event_name: event,
      session_id: 'with-mod',
      cwd: folder,
      transcript_path: transcript,
      prompt: 'go on',
      ...fields,
    } as HookEvent);
  return { host, raise, seen, asked, source, index, transcript, keep };
}

it('K2 M14 a prompt is given what is prepared, beside what other hooks give, and ours are told', async () => {
  const { host, raise, seen } = await preparedMod();
  const { additionalContext } = await raise('UserPromptSubmit');
  expect(additionalContext).toEqual(['of another hook', 'rules']);
  expect(seen).toEqual(['with-mod']);
  expect(host.env).toEqual({}); // told no longer than the hooks run
  expect(host.shown).toEqual(['[rules]', 'and more']);
});

it.each<[string, (mod: Awaited<ReturnType<typeof preparedMod>>) => object | undefined]>([
  ['a file has another time', ({ source }) => void utimesSync(source, new Date(), new Date())],
  ['a file is gone', ({ source }) => void rmSync(source)],
  [
    'the context has grown',
    ({ host }) => void Object.assign(host, { context: { tokens: 60_001, window: 200_000 } }),
  ],
  [
    'the window is another',
    ({ host }) => void Object.assign(host, { context: { tokens: 60_000, window: 1e6 } }),
  ],
  ['it is another session', () => ({ session_id: 'other' })],
  ['Claude Code itself begins the turn', () => ({ prompt: '<task-notification>x' })],
  [
    'the transcript has grown and nobody has kept it',
    ({ index, transcript }) => {
      utimesSync(index, new Date(1000), new Date(1000));
      utimesSync(transcript, WHEN, WHEN);
    },
  ],
])('K2 M14 T6 the hook answers a prompt where %s', async (_, change) => {
  const mod = await preparedMod();
  const { additionalContext } = await mod.raise('UserPromptSubmit', change(mod) ?? {});
  expect(additionalContext).toEqual(['of another hook']);
  expect(mod.seen).toEqual([undefined]);
  expect(mod.host.shown).toEqual([]);
});

it('K2 T6 what was prepared before a turn is not given after it, unless the program ran again', async () => {
  const { host, raise, seen } = await preparedMod();
  await host.startTurn();
  await raise('UserPromptSubmit');
  await host.endTurn();
  await raise('UserPromptSubmit');
  expect(seen).toEqual([undefined, 'with-mod']);
});

it('K2 C5 without a figure a prompt is given what is prepared only before the first turn', async () => {
  const { host, raise, seen } = await preparedMod();
  host.context = { window: 200_000 };
  await host.endTurn();
  await raise('UserPromptSubmit');
  await raise('UserPromptSubmit');
  expect(seen).toEqual(['with-mod', undefined]);
});

it('K2 M13 the session after a /clear is given its briefing, which is written down', async () => {
  const { host, raise, seen, keep, asked } = await preparedMod();
  await raise('SessionEnd', { reason: 'clear' });
  keep({ isOver: true, l1Bytes: 10 });
  const next = { session_id: 'next', source: 'clear' };
  const { additionalContext } = await raise('SessionStart', next);
  expect(additionalContext).toEqual(['of another hook', 'briefing']);
  expect(seen).toEqual([undefined, 'next']);
  await host.endTurn();
  expect(JSON.parse(asked.at(-1) ?? '').given).toEqual({ sessionId: 'next', text: 'briefing' });
  await host.endTurn(); // once: the user may have deleted it since
  expect(JSON.parse(asked.at(-1) ?? '').given).toBeUndefined();
});

it.each([
  ['more was said since', { isOver: true, l1Bytes: 11 }, 'clear', 'clear'],
  ['its end was not saved', { isOver: false, l1Bytes: 10 }, 'clear', 'clear'],
  ['the session was not cleared', { isOver: true, l1Bytes: 10 }, 'logout', 'clear'],
  ['the session is resumed', { isOver: true, l1Bytes: 10 }, 'clear', 'resume'],
])('K2 M13 the hook gives the briefing where %s', async (_, saved, reason, source) => {
  const { raise, seen, keep } = await preparedMod();
  await raise('SessionEnd', { reason });
  keep(saved);
  const { additionalContext } = await raise('SessionStart', { session_id: 'next', source });
  expect(additionalContext).toEqual(['of another hook']);
  expect(seen).toEqual([undefined, undefined]);
});
