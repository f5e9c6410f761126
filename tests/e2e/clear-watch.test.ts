/**
 * `memory-keeper watch` and `clear` with a real CLI that has no mods, in a real tmux that writes
 * down each key.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readActivity } from '../../core/clear/activity.ts';
import { readRecord } from '../../core/clear/clear-record.ts';
import { signalsFolder, writeSignal } from '../../core/clear/write-signal.ts';
import { readL1 } from '../../core/memory/log/l1-store.ts';
import { message } from '../../core/messages/message.ts';
import { projectMemory } from '../../core/projects/project-memory.ts';
import { CLI } from '../bed/memory-keeper.ts';
import { PLUGIN } from '../bed/plugin-bed.ts';
import { TerminalBed, type TerminalSession, TmuxWindow } from '../bed/terminal-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { Watch } from '../bed/watch.ts';
import { describeWith } from '../bed/with-pieces.ts';

const FULL = { input_tokens: 145_010 };
const AT_ONCE = {
  autoClear: { countdownSeconds: 0, cooldownMinutes: 0, summary: false, maxPerHour: 1000 },
};

/** How often a text was begun and sent, as tmux tells it. */
function typed(keys: readonly string[]): { slashes: number; enters: number } {
  const names = keys.map((key) => /\((.+?)(?:\[L\])?\) to %\d+/.exec(key)?.[1]);
  return {
    slashes: names.filter((name) => name === '/').length,
    enters: names.filter((name) => name === String.raw`\r`).length,
  };
}

describeWith('watch and clear, without mods', ['claudeWithoutMods', 'tmux'], (paths) => {
  let bed: TerminalBed;
  let window: TmuxWindow;
  let session: TerminalSession;
  let watch: Watch | undefined;
  // A copy: Claude Code notices when the plugin's files change.
  const plugin = mkdtempSync(join(tmpdir(), 'memory-keeper-plugin-'));

  beforeAll(async () => {
    cpSync(PLUGIN, plugin, { recursive: true });
    bed = await TerminalBed.start(paths.claudeWithoutMods, { args: ['--plugin-dir', plugin] });
    window = await TmuxWindow.open(bed);
    session = await window.openClaude();
    configure(AT_ONCE);
  });

  afterEach(() => watch?.stop());
  afterAll(async () => {
    await bed?.remove();
    rmSync(plugin, { recursive: true, force: true });
  });

  const env = () => ({ ...bed.claude.environment(bed.api) });
  const configure = (settings: object) =>
    writeFileSync(join(bed.claude.places.home, 'config.json'), JSON.stringify(settings));
  const startWatch = () => {
    watch = Watch.withClock(env());
    return watch;
  };
  const sessionId = async () => (await session.waitForState('idle')).sessionId;

  let begun = '';
  /** The first turn of a session is short: one that is full from the beginning is left alone. */
  async function beginSmall(id: string): Promise<void> {
    if (begun === id) return;
    begun = id;
    bed.api.enqueue({ text: `Here in ${id}.` });
    await session.say('are you there');
    await session.waitForScreen(`Here in ${id}.`);
    await session.waitForState('idle');
  }

  /** A turn that fills the context; the reply comes when `until` settles. */
  async function fill(request: string, answer: string, until?: Promise<unknown>): Promise<string> {
    const before = await sessionId();
    await beginSmall(before);
    bed.api.enqueue({ text: answer, usage: FULL, ...(until && { until }) });
    await session.say(request);
    if (until === undefined) await session.waitForScreen(answer);
    else await session.waitForState('busy');
    return before;
  }

  /** Runs `memory-keeper clear` to its end. */
  async function clear(...args: string[]): Promise<{ code: number; told: string }> {
    const child = spawn(process.execPath, [CLI, 'clear', ...args], {
      env: env(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let told = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (told += data));
    const [code] = await once(child, 'close');
    return { code, told };
  }

  function said(): string[] {
    const { sessions } = projectMemory(bed.claude.places, bed.claude.project);
    const files = readdirSync(sessions).filter((name) => name.endsWith('.l1.jsonl'));
    return files
      .flatMap((name) => readL1(join(sessions, name)))
      .map((entry) => ('text' in entry ? entry.text : ''));
  }

  it('A1 A2 A5 the threshold is crossed while a draft is typed: saved, stashed, cleared, restored, the draft is back', async () => {
    const watching = startWatch();
    let answered: () => void = () => undefined;
    const before = await fill(
      'which colour has the logo',
      'The colour is teal.',
      new Promise<void>((resolve) => {
        answered = resolve;
      }),
    );
    await session.write('반쯤 쓴 질문');
    const keys = window.keys().length;
    answered();
    const record = await watching.step(before, 'restored');
    expect(record).toMatchObject({ way: 'tmux', by: 'threshold' });
    expect(record.steps.at(-1)?.note).toMatchObject({
      code: 'clear.restoredAt',
      text: expect.stringMatching(
        /^Cleared at \d+ % · conversation saved · [\d,]+-character briefing restored$/,
      ),
    });
    await session.waitForScreen('❯\u00a0반쯤 쓴 질문');
    expect(typed(window.keys().slice(keys))).toEqual({ slashes: 1, enters: 1 });
    expect(said()).toEqual(
      expect.arrayContaining(['which colour has the logo', 'The colour is teal.']),
    );
    expect(window.heard()).toBe('');
    await session.emptyBox();
  });

  it('A2 the next request has what was known, and none ever had a word of ours', async () => {
    bed.api.enqueue({ text: 'Going on.' });
    await session.say('go on');
    await session.waitForScreen('Going on.');
    const requests = bed.api.requests.map(({ body }) => JSON.stringify(body.messages));
    // no titles
    const conversation = bed.api.requests.filter(({ body }) => (body.tools?.length ?? 0) > 1);
    expect(JSON.stringify(conversation.at(-1)?.body.messages)).toContain(
      'which colour has the logo',
    );
    expect(requests.join()).not.toContain('"/clear');
  });

  it('A3 A4 explains which way it would go, and why', async () => {
    const { told } = await clear('--explain', String(session.pid));
    expect(told).toMatch(/mod +not available: The plugin's mod is not active in it/);
    expect(told).toMatch(/tmux +would be used: tmux pane work:0\.1/);
    expect(told).toContain('Idle: it can be cleared now.');
  });

  describe('is refused without a single key', () => {
    let keys: string[];
    const begin = () => {
      keys = window.keys();
    };
    const refused = async (reason: string | RegExp, ...args: string[]) => {
      const { code, told } = await clear(...args);
      expect(told).toMatch(reason);
      expect(code).toBe(1);
      expect(window.keys()).toEqual(keys);
    };

    it('A3 B16 while a question for permission is open', async () => {
      const command = 'touch made-by-nobody';
      bed.api.enqueue({
        toolUses: [{ name: 'Bash', input: { command, description: 'Make a file' } }],
        usage: FULL,
      });
      await session.say('make a file');
      await session.waitForState('waiting');
      await session.waitForScreen('Do you want to proceed?');
      begin();
      await refused(
        /not cleared: Waiting for you \(permission prompt\)\n.*Use --wait/,
        String(session.pid),
      );
      const watching = startWatch();
      const { sessionId: id, pid } = await session.target();
      writeSignal(bed.claude.places, {
        sessionId: id,
        pid,
        tokens: 1,
        window: 2,
        at: new Date().toISOString(),
      });
      const waiting = await watching.step(id, 'waiting');
      expect(waiting.steps.at(-1)?.note).toMatchObject(
        message('clear.waitingFor', { what: message('clear.permissionPrompt') }),
      );
      expect(window.keys()).toEqual(keys);
      await watching.stop();
      expect(existsSync(join(bed.claude.project, 'made-by-nobody'))).toBe(false);
      await session.closeDialog();
    });

    it('A3 while it is busy', async () => {
      let answered: () => void = () => undefined;
      await fill(
        'take your time',
        'That took long.',
        new Promise<void>((resolve) => {
          answered = resolve;
        }),
      );
      begin();
      await refused(/not cleared: Busy\n.*Use --wait/, String(session.pid));
      answered();
      await session.waitForScreen('That took long.');
    });

    it('A3 while it is busy for longer than the limit; it is cleared when it is idle next', async () => {
      await session.waitForState('idle');
      configure({ autoClear: { ...AT_ONCE.autoClear, busyMinutes: 1 } });
      let answered: () => void = () => undefined;
      const until = new Promise<void>((resolve) => {
        answered = resolve;
      });
      const before = await fill('take more than a minute', 'That took longer.', until);
      const watching = startWatch(); // earlier it would follow the signal of the last turn
      begin();
      const { pid } = session;
      writeSignal(bed.claude.places, {
        sessionId: before,
        pid,
        tokens: 1,
        window: 2,
        at: new Date().toISOString(),
      });
      await watching.note(before, 'clear.busy');
      watching.passTime();
      const { steps } = await watching.note(before, 'clear.waitedLong');
      expect(steps.at(-1)?.note).toMatchObject(
        message('clear.waitedLong', { reason: message('clear.busy'), minutes: 1 }),
      );
      expect(window.keys()).toEqual(keys);
      answered();
      await watching.step(before, 'restored');
      expect(said()).toContain('That took longer.');
      configure(AT_ONCE);
    });

    it('A7 soon after a clear, and in the mode off', async () => {
      await session.waitForState('idle');
      configure({ autoClear: { ...AT_ONCE.autoClear, cooldownMinutes: 600 } });
      const watching = startWatch();
      const before = await fill('again', 'Full again.');
      begin();
      await watching.refusal('clear.coolingDown');
      await watching.stop();
      configure({ autoClear: { ...AT_ONCE.autoClear, mode: 'off' } });
      const { pid } = session;
      const off = startWatch();
      writeSignal(bed.claude.places, {
        sessionId: before,
        pid,
        tokens: 1,
        window: 2,
        at: new Date().toISOString(),
      });
      await off.refusal('clear.off');
      expect(window.keys()).toEqual(keys);
      configure(AT_ONCE);
    });

    it('A3 while it is suspended, and another program has its terminal', async () => {
      await session.waitForState('idle');
      begin();
      process.kill(session.pid, 'SIGSTOP');
      try {
        await refused(
          'not cleared: Suspended, or another program is using its terminal',
          String(session.pid),
        );
      } finally {
        process.kill(session.pid, 'SIGCONT');
      }
    });

    it('A3 where there is no such session', async () => {
      begin();
      await refused('There is no running session "999999999"', '999999999');
      await refused('Which session', '').catch(() => undefined);
    });

    it('A4 where no way is left that is certain', async () => {
      begin();
      configure({ ...AT_ONCE, delivery: { order: ['kitty', 'screen'] } });
      await refused(
        /failed: There is no reliable way to clear it\. kitty: .+\. screen: .+/,
        String(session.pid),
      );
      configure(AT_ONCE);
    });
  });

  it('A8 a thousand forged signals are refused and logged, and the true one among them is followed', async () => {
    const { places } = bed.claude;
    const before = await fill('how many', 'Full once more.');
    await waitFor('the signal of the turn itself', () =>
      existsSync(join(signalsFolder(places), `${before}.json`)),
    );
    const { pid } = session;
    const at = new Date().toISOString();
    for (let i = 0; i < 1000; i++) {
      const forged = { sessionId: `forged-${i}`, pid, tokens: 199_999, window: 200_000, at };
      if (i % 4 === 3)
        writeFileSync(join(signalsFolder(places), `forged-${i}.json`), 'x'.repeat(i));
      else writeSignal(places, forged);
    }
    writeSignal(places, { sessionId: before, pid, tokens: 199_999, window: 200_000, at });
    const watching = startWatch();
    await watching.step(before, 'restored');
    await waitFor('all refusals', () => watching.refusals.length === 1000);
    expect(readdirSync(signalsFolder(places))).toEqual([]);
    const logged = readActivity(places, 5000).filter(
      ({ what, sessionId = '' }) => what === 'refused' && sessionId.startsWith('forged'),
    );
    expect(logged.length).toBeGreaterThan(500);
  });

  describe('A7 the application is killed', () => {
    const KILLED_WATCH = join(import.meta.dirname, '../bed/killed-watch-child.ts');

    async function watchUntilKilled(where: string): Promise<void> {
      const child = spawn(process.execPath, [KILLED_WATCH, where], {
        env: env(),
        stdio: 'inherit',
      });
      const [, signal] = await once(child, 'exit');
      expect(signal).toBe('SIGKILL');
    }

    it.each(['detected', 'saving', 'rechecking'])(
      'at %s: the next one begins anew and finishes',
      async (state) => {
        const before = await fill(`killed at ${state}`, `Full at ${state}.`);
        const keys = window.keys().length;
        await watchUntilKilled(state);
        expect(readRecord(bed.claude.places, before)?.state).toBe(state);
        const record = await startWatch().step(before, 'restored');
        expect(record.newSessionId).toBe(await sessionId());
        expect(typed(window.keys().slice(keys))).toEqual({ slashes: 1, enters: 1 });
      },
    );

    it('at countdown: the next one counts anew and finishes', async () => {
      configure({ autoClear: { ...AT_ONCE.autoClear, countdownSeconds: 1 } });
      const before = await fill('killed at countdown', 'Full at countdown.');
      await watchUntilKilled('countdown');
      const watching = startWatch();
      await watching.step(before, 'restored');
      expect(watching.steps(before)).toContain('countdown');
      configure(AT_ONCE);
    });

    it('at waiting: the next one waits on and finishes', async () => {
      let answered: () => void = () => undefined;
      const until = new Promise<void>((resolve) => {
        answered = resolve;
      });
      const before = await fill('killed at waiting', 'Full at waiting.');
      await fill('and busy', 'Not busy any more.', until);
      await watchUntilKilled('waiting');
      const watching = startWatch();
      await watching.step(before, 'waiting');
      answered();
      await watching.step(before, 'restored');
    });

    it.each([
      ['verifying', 'restored'],
      ['enter', 'restored'],
    ])(
      'at %s, when all has been typed: the next one finds it %s and types nothing',
      async (where, outcome) => {
        const before = await fill(`killed at ${where}`, `Full at ${where}.`);
        await watchUntilKilled(where);
        await session.waitForSessionAfter({ sessionId: before });
        const keys = window.keys();
        await startWatch().step(before, outcome as 'restored');
        expect(window.keys()).toEqual(keys);
      },
    );

    it.each(['delivering', 'text'])(
      'at %s: the next one types nothing, and says so',
      async (where) => {
        const before = await fill(`killed at ${where}`, `Full at ${where}.`);
        await watchUntilKilled(where);
        const keys = window.keys();
        const watching = startWatch();
        await watching.step(before, 'verifying');
        watching.passTime();
        const record = await watching.step(before, 'failed');
        expect(JSON.stringify(record.steps.at(-1)?.note)).toContain('clear.noNewSession');
        expect(window.keys()).toEqual(keys);
        expect(await sessionId()).toBe(before);
        await session.emptyBox();
        configure(AT_ONCE);
      },
    );
  });
});
