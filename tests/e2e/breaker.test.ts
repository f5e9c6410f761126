/**
 * The circuit breaker on the real CLI (T5): usage figures of the mock API drive the context. What a
 * program or an editor runs is watched, and left alone.
 */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { readRecords } from '../../core/clear/clear-record.ts';
import { FIXED_TEXTS } from '../../core/clear/delivery/driver.ts';
import type { ClaudeSession } from '../bed/claude.ts';
import { HeadlessSession } from '../bed/headless.ts';
import { newestWords, PluginBed } from '../bed/plugin-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { Watch } from '../bed/watch.ts';
import { describeWith } from '../bed/with-pieces.ts';

/** 73 % of the window that this model has. */
const FULL = { input_tokens: 145_010 };
const AT_ONCE = { countdownSeconds: 0, cooldownMinutes: 0, summary: false };

interface ListedSession {
  sessionId: string;
  pid: number;
  entrypoint: string;
  sessionKind: string;
  breaker: { why: string; since: string; reason: { text: string } } | null;
  kindRefusal: { code: string } | null;
}

describeWith('the circuit breaker', ['claude', 'tmux'], (paths) => {
  let plugin: PluginBed;
  let session: ClaudeSession;
  let watch: Watch;

  beforeAll(async () => {
    plugin = await PluginBed.start(paths.claude);
    session = await plugin.start();
  });

  afterEach(() => watch?.stop());
  afterAll(() => plugin?.remove());

  const startWatch = (autoClear: object) => {
    plugin.configure({ autoClear });
    watch = new Watch({ ...plugin.bed.environment(plugin.api) });
  };
  const run = (...args: string[]) => plugin.bed.memoryKeeper(plugin.api, ...args);
  const sessionId = async () => (await session.waitForState('idle')).sessionId;
  const listed = async (pid: number) => {
    const all = JSON.parse(await run('status', '--json')) as ListedSession[];
    return all.find((one) => one.pid === pid);
  };

  async function fill(request: string, answer: string): Promise<string> {
    const before = await sessionId();
    plugin.api.enqueue({ text: answer, usage: FULL });
    await session.say(request);
    await plugin.kept(answer);
    return before;
  }

  it('T5 a session that stays over its threshold after a clear is cleared once, then left alone with the reason', async () => {
    startWatch(AT_ONCE);
    const first = await fill('how full is it', 'Very full.');
    const { newSessionId } = await watch.step(first, 'restored');
    const second = await fill('and now', 'Still very full.');
    expect(second).toBe(newSessionId);
    await watch.refusal('clear.breakerNoHelp');
    await fill('and then', 'Full for ever.');
    expect(await sessionId()).toBe(second);
    expect(watch.steps(second)).toEqual([]);

    const { breaker } = (await listed(session.pid)) ?? {};
    expect(breaker?.why).toBe('no-help');
    expect(breaker?.reason.text).toContain("Clearing doesn't help here");
    expect(Date.parse(breaker?.since ?? '')).toBeGreaterThan(0);
    expect(await run('status')).toContain(`memory-keeper clear --reset ${session.pid}`);
    expect(await run('clear', '--explain', second)).toContain("Clearing doesn't help here");
    expect(await run('clear', '--log')).toContain("Clearing doesn't help here");
  });

  it('T5 the user resets it: it is cleared once more', async () => {
    startWatch(AT_ONCE);
    const before = await sessionId();
    expect(await run('clear', '--reset', before)).toContain('auto-clear is back on');
    expect((await listed(session.pid))?.breaker).toBeNull();
    await fill('once more', 'And once more.');
    await watch.step(before, 'restored');
    const after = await fill('is it well', 'It is not.');
    await watch.refusal('clear.breakerNoHelp');
    expect(await sessionId()).toBe(after);
  });

  it('T5 a clear by hand is never held back, and a reply below the threshold shows that clears help', async () => {
    startWatch(AT_ONCE);
    const held = await sessionId();
    await run('clear', held);
    await waitFor('the new session', async () => (await sessionId()) !== held);
    plugin.api.enqueue({ text: 'Not full at all.' });
    await session.say('how full is it now');
    await plugin.kept('Not full at all.');
    const before = await fill('fill it', 'Filled.');
    await watch.step(before, 'restored');
  });

  it('T5 no more than so many an hour; the clear by hand did not count', async () => {
    const automatic = readRecords(plugin.bed.places).filter(({ by }) => by === 'threshold').length;
    expect(automatic).toBe(3);
    await run('clear', '--reset', await sessionId());
    startWatch({ ...AT_ONCE, maxPerHour: 1 });
    for (const words of ['Low one.', 'Low two.']) {
      plugin.api.enqueue({ text: words });
      await session.say(`say ${words}`);
      await plugin.kept(words);
      const before = await fill(`fill after ${words}`, `Filled after ${words}`);
      if (words === 'Low one.') await watch.step(before, 'restored');
    }
    await watch.refusal('clear.breakerTooMany');
    expect((await listed(session.pid))?.breaker?.why).toBe('too-many');
  });

  it('T5 A10 goes on three times without a prompt of the user, and no more', async () => {
    await run('clear', '--reset', await sessionId());
    startWatch({ ...AT_ONCE, continue: true, maxPerHour: 1000 });
    let told = 0;
    plugin.answer = (request) => {
      if ((request.body.tools?.length ?? 0) <= 1) return undefined;
      const words = newestWords(request);
      if (words.includes('"tool_result"')) return { text: `Full ${told}.`, usage: FULL };
      if (!words.includes(FIXED_TEXTS.continue)) return undefined;
      told++;
      // The first reply of each new session is low, so that clearing helps; then it fills.
      return plugin.reads(1)[0];
    };
    await fill('work on and on', 'Working.');
    const held = await waitFor('the last clear', () =>
      readRecords(plugin.bed.places).find(({ isLeftIdle }) => isLeftIdle === true),
    );
    expect(told).toBe(3);
    expect(JSON.stringify(held.steps.at(-1)?.note)).toContain('clear.breakerContinued');
    expect(await sessionId()).toBe(held.newSessionId);
    expect((await listed(session.pid))?.breaker?.why).toBe('continued');
    plugin.answer = () => undefined;
    plugin.api.enqueue({ text: 'Here I am again.' });
    await session.say('go on please');
    await plugin.kept('Here I am again.');
    expect((await listed(session.pid))?.breaker).toBeNull();
  });
});

describeWith('sessions that a program or an editor runs', ['claude'], (paths) => {
  let plugin: PluginBed;
  let watch: Watch;

  beforeAll(async () => {
    plugin = await PluginBed.start(paths.claude);
  });

  afterEach(() => watch?.stop());
  afterAll(() => plugin?.remove());

  const run = (...args: string[]) => plugin.bed.memoryKeeper(plugin.api, ...args);
  const startWatch = (autoClear: object) => {
    plugin.configure({ autoClear });
    watch = new Watch({ ...plugin.bed.environment(plugin.api) });
  };

  it.each([
    [undefined, 'sdk-cli', 'sdk'],
    ['sdk-ts', 'sdk-ts', 'sdk'],
    ['claude-vscode', 'claude-vscode', 'editor'],
  ] as const)(
    'T5 is shown with its kind and cleared only if the user says so: %s',
    async (variable, entrypoint, kind) => {
      startWatch(AT_ONCE);
      const session = new HeadlessSession(plugin.bed, plugin.api, {
        model: 'claude-sonnet-4-5',
        args: ['--plugin-dir', plugin.plugin],
        env: variable === undefined ? {} : { CLAUDE_CODE_ENTRYPOINT: variable },
      });
      try {
        plugin.api.enqueue({ text: `Full for ${entrypoint}.`, usage: FULL });
        await session.say(`fill ${entrypoint}`);
        const { sessionId } = session;
        await watch.refusal(`clear.kindNotCleared.${kind}`);
        expect(watch.steps(sessionId)).toEqual([]);
        const all = JSON.parse(await run('status', '--json')) as ListedSession[];
        expect(all).toMatchObject([
          { sessionId, entrypoint, sessionKind: kind, kindRefusal: { code: expect.any(String) } },
        ]);
        await expect(run('clear', sessionId)).rejects.toThrow(/another program runs it/);
        await watch.stop();

        startWatch({ ...AT_ONCE, kinds: ['cli', kind] });
        plugin.api.enqueue({ text: `Full again for ${entrypoint}.`, usage: FULL });
        await session.say(`fill ${entrypoint} again`);
        const record = await watch.step(sessionId, 'restored');
        expect(record).toMatchObject({ by: 'threshold', way: 'mod' });
      } finally {
        await session.end();
      }
    },
  );
});
