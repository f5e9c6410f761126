/** The real Claude Code in a real tmux, watched by the built command line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askAgentsCommand } from '../../core/claude/sessions/live-sessions.ts';
import type { SessionStatus } from '../../core/claude/status/session-status.ts';
import { runProgram } from '../../core/platform/process/run-program.ts';
import { ClaudeBed, type ClaudeSession } from '../bed/claude.ts';
import { CLI, LiveStatus, status } from '../bed/memory-keeper.ts';
import { MockApi } from '../bed/mock-api.ts';
import { run } from '../bed/run.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const USAGE_145010 = {
  input_tokens: 10,
  cache_creation_input_tokens: 5000,
  cache_read_input_tokens: 140_000,
};

describeWith('the status of real sessions', ['claude', 'tmux'], ({ claude }) => {
  let api: MockApi;
  let bed: ClaudeBed;
  let live: LiveStatus;
  let sonnet: ClaudeSession;
  let opus: ClaudeSession;
  let env: Record<string, string>;

  beforeAll(async () => {
    api = await MockApi.start();
    bed = new ClaudeBed(claude);
    env = bed.environment(api);
    live = new LiveStatus(env);
    sonnet = await bed.start({ api, model: 'claude-sonnet-4-5-20250929' });
    opus = await bed.start({ api, model: 'claude-opus-5-5' });
  });

  afterAll(async () => {
    await live?.stop();
    await bed?.remove();
    await api?.stop();
  });

  const seePid = (
    what: string,
    { pid }: ClaudeSession,
    wanted: (session: SessionStatus) => boolean,
  ) => live.see(what, (session) => session.pid === pid && wanted(session));

  /** A reply that is held back until the returned function is called. */
  function heldReply(text: string): () => void {
    const held = Promise.withResolvers<void>();
    api.enqueue({ text, until: held.promise, usage: USAGE_145010 });
    return held.resolve;
  }

  it('C1 C2 C3 two sessions of one project at 145,010 tokens are at 73 % of 200,000 and 15 % of 1,000,000', async () => {
    for (const session of [sonnet, opus]) {
      api.enqueue({ text: 'hello', usage: USAGE_145010 });
      await session.say('hi');
      await session.waitForScreen('● hello');
    }
    const figures = {
      tokens: 145_010,
      cwd: bed.project,
      project: 'project',
      percentSource: 'model-table',
    };
    await seePid('the context of Sonnet', sonnet, ({ percent }) => percent === 73);
    await seePid('the context of Opus', opus, ({ percent }) => percent === 15);
    const once = await status(env);
    expect(once).toHaveLength(2);
    expect(once).toContainEqual(
      expect.objectContaining({
        ...figures,
        pid: sonnet.pid,
        modelName: 'Sonnet 4.5',
        window: 200_000,
        percent: 73,
      }),
    );
    expect(once).toContainEqual(
      expect.objectContaining({
        ...figures,
        pid: opus.pid,
        modelName: 'Opus 5.5',
        window: 1_000_000,
        percent: 15,
      }),
    );
    expect(once.find(({ pid }) => pid === sonnet.pid)).toMatchObject({
      level: 'warn',
      state: 'idle',
      kind: 'interactive',
    });
  });

  it('C3 the terminal of a session is the tmux pane that shows it', async () => {
    const session = (await status(env)).find(({ pid }) => pid === sonnet.pid);
    const pane = await run('tmux', [
      '-S',
      sonnet.socket,
      'display-message',
      '-p',
      '#{pane_id} #{pane_tty}',
    ]);
    expect(`${session?.terminal.tmux?.pane} ${session?.terminal.tty}`).toBe(pane.trim());
    expect(session?.terminal.tmux).toMatchObject({ socket: sonnet.socket, place: '0:0.0' });
  });

  it('C3 a session is busy during a slow reply, waits on a permission dialog, and is idle again', async () => {
    const release = heldReply('that took a while');
    await sonnet.say('think hard');
    await seePid('busy', sonnet, ({ state }) => state === 'busy');
    release();
    await seePid('idle after the reply', sonnet, ({ state }) => state === 'idle');

    const toolUses = [
      { name: 'Bash', input: { command: 'touch made-by-claude', description: 'make a file' } },
    ];
    api.enqueue({ toolUses, usage: USAGE_145010 });
    await sonnet.say('make a file');
    const waiting = await seePid('waiting', sonnet, ({ state }) => state === 'waiting');
    expect(waiting.waitingFor).toBe('permission prompt');
    await waitFor('the dialog to close', async () => {
      await sonnet.press('Escape'); // keys that come right after a dialog has opened are passed over
      await sleep(1000);
      return sonnet.registry()?.status !== 'waiting';
    });
    await seePid('idle after the dialog', sonnet, ({ state }) => state === 'idle');
  });

  it('C3 growth per turn and the turns left are told from the second turn on', async () => {
    api.enqueue({ text: 'more', usage: { input_tokens: 10, cache_read_input_tokens: 245_000 } });
    await opus.say('go on');
    await seePid('growth', opus, ({ tokens, growthPerTurn, turnsLeft, turnsLeftTo }) => {
      return (
        tokens === 245_010 && growthPerTurn === 100_000 && turnsLeft === 5 && turnsLeftTo === 'warn'
      );
    });
  });

  it('C1 an API error leaves the context as it was', async () => {
    api.script(() => ({ errorStatus: 400 }));
    await opus.say('this fails');
    await opus.waitForScreen('API Error');
    await seePid('idle after the error', opus, ({ state }) => state === 'idle');
    api.script(() => undefined);
    expect((await status(env)).find(({ pid }) => pid === opus.pid)).toMatchObject({
      tokens: 245_010,
      modelName: 'Opus 5.5',
    });
  });

  it('C1 a subagent does not count', async () => {
    const agent = {
      description: 'look around',
      prompt: 'look around here',
      subagent_type: 'general-purpose',
      run_in_background: false,
    };
    api.script(({ body }) => {
      const text = JSON.stringify(body.messages.slice(-3));
      if (text.includes('look around here') && !text.includes('tool_result'))
        return { text: 'nothing to see', usage: { input_tokens: 7777 } };
      const isNew = text.includes('send an agent') && !text.includes('tool_result');
      if (isNew)
        return {
          toolUses: [{ name: 'Agent', input: agent }],
          usage: { input_tokens: 10, cache_read_input_tokens: 249_000 },
        };
      // The agent's answer, and, where the CLI ran it in the background, the notification that it
      // is done.
      return {
        text: 'the agent is back',
        usage: { input_tokens: 10, cache_read_input_tokens: 250_000 },
      };
    });
    await opus.say('send an agent');
    await opus.waitForScreen('the agent is back');
    const request = (text: string) =>
      api.requests.some(({ body }) => JSON.stringify(body.messages).includes(text));
    await waitFor('the agent to have asked', () => request('look around here'));
    await seePid(
      'the context after the agent',
      opus,
      ({ tokens, state }) => tokens === 250_010 && state === 'idle',
    );
  });

  it('C1 a compaction is seen before the next reply', async () => {
    await opus.waitForState('idle');
    api.script(() => undefined);
    api.enqueue({ text: 'A summary of what happened.', usage: USAGE_145010 });
    await opus.say('/compact ');
    await opus.waitForScreen('Compacted');
    const after = await seePid(
      'the compacted context',
      opus,
      ({ tokens }) => tokens !== null && tokens < 20_000,
    );
    expect(after).toMatchObject({ modelName: 'Opus 5.5', window: 1_000_000 });
  });

  it('C3 after /clear the new session is there and the old one is not', async () => {
    const before = sonnet.registry()?.sessionId;
    await sonnet.say('/clear');
    await seePid('a new session id', sonnet, ({ sessionId }) => sessionId !== before);
    expect(live.sessions.map(({ sessionId }) => sessionId)).not.toContain(before);
    expect(live.sessions.find(({ pid }) => pid === sonnet.pid)).toMatchObject({
      tokens: null,
      percent: null,
    });
  });

  it('C3 the supported command lists the same sessions, in the form that we expect of it', async () => {
    const answer = await askAgentsCommand(
      (file, args) => runProgram(file === 'claude' ? claude : file, args, { env }),
      env,
    );
    const listed = answer.ok ? answer.sessions : [];
    const known = (sessions: readonly { pid: number; sessionId: string; state: string }[]) =>
      sessions
        .map(({ pid, sessionId, state }) => ({ pid, sessionId, state }))
        .sort((a, b) => a.pid - b.pid);
    expect(known(listed)).toEqual(known(live.sessions));
  });

  it('C2 the status line gives the window that Claude Code itself uses', async () => {
    const command = `${process.execPath} ${CLI} statusline`;
    writeFileSync(
      join(bed.configDir, 'settings.json'),
      JSON.stringify({ statusLine: { type: 'command', command } }),
    );
    const session = await bed.start({ api, model: 'claude-sonnet-4-5-20250929[1m]' });
    await seePid(
      'the reported window',
      session,
      ({ percentSource, window }) => percentSource === 'claude-code' && window === 1_000_000,
    );
    api.enqueue({ text: 'hello again', usage: USAGE_145010 });
    await session.say('hi');
    await seePid(
      'the percentage',
      session,
      ({ percent, percentSource }) => percent === 15 && percentSource === 'claude-code',
    );
    await session.waitForScreen('Sonnet 4.5 (1M context) · context 15%');
    await session.stop();
    await live.seeGone(session.pid);
  });

  it('C3 a killed CLI disappears', async () => {
    process.kill(opus.pid, 'SIGKILL');
    await live.seeGone(opus.pid);
    expect(live.sessions.map(({ pid }) => pid)).toEqual([sonnet.pid]);
  });

  it('shows people what they need in a terminal', async () => {
    const screen = `${bed.root}/screen.sock`;
    const command = [
      'env',
      '-i',
      ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
      process.execPath,
      CLI,
      'status',
      '--watch',
    ];
    await run('tmux', [
      '-S',
      screen,
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      '120',
      '-y',
      '20',
      ...command,
    ]);
    try {
      const look = () => run('tmux', ['-S', screen, 'capture-pane', '-p']);
      api.enqueue({ text: 'fine', usage: USAGE_145010 });
      await sonnet.say('one more');
      // The turn before had the same percentage; while this one runs, the session is busy.
      const shown = await waitFor('the percentage of the idle session on the screen', async () => {
        const text = await look();
        return text.includes('73%') && text.includes(' idle ') && text;
      });
      expect(shown).toContain(`project · Sonnet 4.5 · idle · tmux 0:0.0 · pid ${sonnet.pid}`);
      expect(shown).toContain('73%  warning · 145,010 of 200,000');
      expect(shown).toContain('Claude Code compacts only when full');
      expect(shown).toMatch(/window from (Claude Code|the model table)/);
    } finally {
      await run('tmux', ['-S', screen, 'kill-server']);
    }
  });

  it('never sent anything but to the mock, and never with a real key', () => {
    expect(api.requests.length).toBeGreaterThan(5);
    for (const { headers } of api.requests) expect(headers['x-api-key']).toBe('sk-ant-dummy-test');
  });
});
