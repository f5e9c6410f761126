/**
 * All that the product does on Windows, with the real claude.exe under Wine (P1): installed,
 * watched, cleared by the mod and through the console, restored, removed. `WINDOWS_ROUNDS=20 npm
 * run test:windows -- loop` repeats it on a new machine each time.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionStatus } from '../../../core/claude/status/session-status.ts';
import { readRecord } from '../../../core/clear/clear-record.ts';
import type { Finding } from '../../../core/doctor/finding.ts';
import { copyFolder } from '../../../core/plugin/plugin-copy.ts';
import type { DriverName } from '../../../core/settings/setting-definitions.ts';
import { MockApi } from '../../bed/mock-api.ts';
import { waitFor } from '../../bed/wait-for.ts';
import { ClaudeExe, type ConsoleSession, promptsAt } from '../../bed/windows/claude-exe.ts';
import { preparedWindows } from '../../bed/windows/prepare-windows.ts';
import { type RunningProgram, WindowsMachine } from '../../bed/windows/windows-machine.ts';
import { describeWith } from '../../bed/with-pieces.ts';

const ROUNDS = Array.from({ length: Number(process.env.WINDOWS_ROUNDS ?? 1) }, (_, index) => index);
const HALF = { input_tokens: 100_000 };
const FULL = { input_tokens: 145_010 };
const AT_ONCE = { countdownSeconds: 0, cooldownMinutes: 0, summary: false, maxPerHour: 1000 };

const IS_ASKING = {
  status: 'waiting',
  statusUpdatedAt: expect.anything(),
  updatedAt: expect.anything(),
  waitingFor: 'permission prompt',
};

const CASES: { version: string; drivers: DriverName[] }[] = [
  { version: '2.1.326', drivers: ['mod', 'console'] },
  { version: '2.1.240', drivers: ['console'] },
];
const ALL = CASES.flatMap((one) => ROUNDS.map((round) => ({ ...one, round })));

describeWith('Windows', ['windows', 'Xvfb', 'openbox', 'xdotool'], () => {
  describe.each(ALL)('claude.exe $version, round $round', ({ version, drivers }) => {
    let machine: WindowsMachine;
    let api: MockApi;
    let claude: ClaudeExe;
    let session: ConsoleSession;
    let other: ConsoleSession;
    let watch: RunningProgram | undefined;

    beforeAll(async () => {
      const bed = preparedWindows();
      if (bed === undefined) throw new Error('the Windows bed is gone');
      api = await MockApi.start();
      machine = await WindowsMachine.start(bed);
      claude = new ClaudeExe(machine, api, version);
    });
    afterAll(async () => {
      await machine?.remove();
      await api?.stop();
    });

    const memoryKeeper = (...args: string[]) => machine.memoryKeeper(claude.env, ...args);
    const configure = (settings: object) =>
      writeFileSync(join(machine.places.home, 'config.json'), JSON.stringify(settings));
    const status = async (): Promise<SessionStatus[]> =>
      JSON.parse(await memoryKeeper('status', '--json'));
    const otherSays = async (words: string) => {
      await other.say(words);
      await waitFor('its prompt at the mock', () => promptsAt(api).at(-1) === words);
    };

    it('G4 P1 the plugin is installed, and the doctor finds nothing wrong', async () => {
      await memoryKeeper('plugin', 'install');
      const findings: Finding[] = JSON.parse(await memoryKeeper('doctor', '--json'));
      expect(findings.length).toBeGreaterThan(15);
      const states = ['problem', 'unknown'];
      expect(findings.filter(({ state }) => states.includes(state))).toEqual([]);
    });

    it('C3 P3 two sessions stand in status with their states and percentages', async () => {
      session = await claude.open();
      other = await claude.open();
      api.enqueue({ text: 'Noted: the port is 4711.', usage: HALF });
      await session.turn(api, 'remember that the port is 4711');
      const { promise: until, resolve: reply } = Promise.withResolvers<void>();
      api.enqueue({ text: 'Slowly.', usage: { input_tokens: 50_000 }, until });
      await other.say('think about it');
      await other.waitForState('busy');
      const seen = await status();
      expect(seen.map(({ pid, state, percent }) => ({ pid, state, percent }))).toMatchObject([
        { pid: session.pid, state: 'idle', percent: 50 },
        { pid: other.pid, state: 'busy' },
      ]);
      reply();
      await other.waitForState('idle');
      expect((await status()).map(({ percent }) => percent)).toEqual([50, 25]);
    });

    it('P3 the plugin’s own command line, which skills run, sees the same sessions', async () => {
      const script = machine.windows(join(copyFolder(machine.places), 'bin/memory-keeper.cmd'));
      const { stdout, stderr } = await machine.run(
        'cmd.exe',
        ['/d', '/c', 'call', script, 'status', '--json'],
        { env: claude.env },
      );
      expect(stderr).toBe('');
      const seen: SessionStatus[] = JSON.parse(stdout);
      expect(seen.map(({ pid, processStart }) => ({ pid, processStart }))).toEqual(
        (await status()).map(({ pid, processStart }) => ({ pid, processStart })),
      );
      expect(seen).toHaveLength(2);
      expect(seen[0]?.processStart).toMatch(/^\d{18}$/);
    });

    it('M13 a session knows after /clear what was said before it', async () => {
      const before = await session.waitForState('idle');
      await session.say('/clear');
      await session.waitForSessionAfter(before);
      api.enqueue({ text: 'It is 4711.' });
      await session.turn(api, 'which port');
      expect(JSON.stringify(api.requests.at(-1)?.body.messages)).toContain(
        'remember that the port is 4711',
      );
    });

    it.each(drivers)(
      'A4 A5 P2 a full session is cleared by %s while another window is active; its draft and the other session stay as they are',
      async (driver) => {
        configure({ autoClear: AT_ONCE, delivery: { order: driver } });
        watch = machine.start(machine.node, [machine.cli, 'watch', '--json'], { env: claude.env });
        const before = await session.waitForState('idle');
        const otherBefore = await other.waitForState('idle');
        const { promise: until, resolve: reply } = Promise.withResolvers<void>();
        api.enqueue({ text: `Full, for ${driver}.`, usage: FULL, until });
        await session.say(`fill it for ${driver}`);
        await session.waitForState('busy');
        await session.type(`a draft for ${driver}`);
        await other.focus();
        reply();
        await session.waitForSessionAfter(before);
        const record = await waitFor('the record of the clear', () => {
          const found = readRecord(machine.places, before.sessionId);
          return found?.state === 'restored' && found;
        });
        expect(record.way).toBe(driver);
        expect((await machine.xdotool('getactivewindow')).trim()).toBe(other.window);
        await watch.stop();
        expect(other.registry()?.sessionId).toBe(otherBefore.sessionId);
        await otherSays(`nothing but this after ${driver}`);
        await other.waitForState('idle');
        api.enqueue({ text: 'Sent.' });
        await session.say(' and its end');
        await waitFor(
          'the draft at the mock',
          () => promptsAt(api).at(-1) === `a draft for ${driver} and its end`,
        );
        await session.waitForState('idle');
      },
    );

    it('A3 B16 a session that asks for a permission gets no key before it is answered', async () => {
      const file = join(machine.project, 'written.txt');
      const input = { file_path: machine.windows(file), content: 'x' };
      api.enqueue({ toolUses: [{ name: 'Write', input }] });
      const before = await session.waitForState('idle');
      await session.say('write the file');
      await session.waitForState('waiting');
      const clear = machine.start(
        machine.node,
        [machine.cli, 'clear', '--wait', before.sessionId],
        {
          env: claude.env,
        },
      );
      await waitFor(
        'the clear to wait',
        () => readRecord(machine.places, before.sessionId)?.state === 'waiting',
      );
      // Longer than it takes to type.
      await new Promise((rest) => setTimeout(rest, 3000));
      expect(session.registry()).toMatchObject({ ...before, ...IS_ASKING });
      expect(existsSync(file)).toBe(false);
      api.enqueue({ text: 'Written.' });
      await session.press('Return');
      await waitFor('the permission to count', () => existsSync(file));
      expect(await clear.ended).toMatchObject({ code: 0 });
      expect(readRecord(machine.places, before.sessionId)).toMatchObject({
        state: 'restored',
        way: 'console',
      });
    });

    it('A3 P3 a pid that another process has now is no session, and gets no key', async () => {
      const gone = await claude.open();
      const entry = await gone.waitForState('idle');
      await gone.kill();
      await waitFor(
        'its window to close',
        async () => !(await machine.windowIds()).includes(gone.window),
      );
      const path = join(machine.places.claude, 'sessions', `${other.pid}.json`);
      const own = readFileSync(path, 'utf8');
      const forged = {
        ...JSON.parse(own),
        sessionId: entry.sessionId,
        procStart: '134394859946649830',
      };
      writeFileSync(path, JSON.stringify(forged));
      expect((await status()).map(({ pid }) => pid)).toEqual([session.pid]);
      await expect(memoryKeeper('clear', entry.sessionId)).rejects.toThrow();
      writeFileSync(path, own);
      await otherSays('still nothing but this');
    });

    it('G4 the plugin is taken out again', async () => {
      await memoryKeeper('plugin', 'uninstall');
      const { stdout } = await machine.run(claude.program, ['plugin', 'list', '--json'], {
        env: claude.env,
      });
      expect(JSON.parse(stdout)).toEqual([]);
    });
  });
});
