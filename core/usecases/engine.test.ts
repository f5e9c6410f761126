import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  compactionRow,
  MadeSession,
  promptRow,
  replyRow,
  tooLongRow,
} from '../../tests/bed/made-session.ts';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { waitFor } from '../../tests/bed/wait-for.ts';
import { saveReportedWindow } from '../claude/context/reported.ts';
import type { SessionStatus } from '../claude/status/session-status.ts';
import type { StatusReport } from '../claude/status/status-tracker.ts';
import { changeSetting, userSettingsPath } from '../settings/settings.ts';
import { createEngine, type Engine } from './engine.ts';

interface Bench {
  engine: Engine;
  claude: string;
  project: string;
  session(cwd?: string): MadeSession;
}

const LOCAL_SETTINGS = join('.claude', 'settings.local.json');

function bench(): Bench {
  const root = tempFolder();
  const claude = join(root, '.claude');
  const project = join(root, 'app');
  mkdirSync(join(project, 'sub'), { recursive: true });
  mkdirSync(join(project, '.git'));
  return {
    engine: createEngine({ env: { HOME: root, PATH: process.env.PATH }, pollIntervalMs: 100 }),
    claude,
    project,
    session(cwd = project) {
      const made = new MadeSession(claude, cwd);
      onTestFinished(() => made.end());
      return made;
    },
  };
}

describe('long turns', () => {
  it('K6 follow the critical threshold and its undo, for the user and for a project, and say so', async () => {
    const { engine, claude, project } = bench();
    mkdirSync(claude, { recursive: true });
    const value = (path: string) => JSON.parse(readFileSync(path, 'utf8')).autoCompactWindow;
    const [user, local] = [join(claude, 'settings.json'), join(project, LOCAL_SETTINGS)];
    await engine.call('longTurns.turnOn', {});
    await engine.call('longTurns.turnOn', { project });
    expect([value(user), value(local)]).toEqual([833_000, 833_000]);
    const change = { key: 'thresholds.critical', value: 60 } as const;
    const { notes } = await engine.call('settings.change', change);
    expect(notes.map(({ code }) => code)).toContain('longTurns.turnedOn');
    expect([value(user), value(local)]).toEqual([633_000, 633_000]);
    await engine.call('settings.change', { ...change, value: 90_000, project });
    expect([value(user), value(local)]).toEqual([633_000, 123_000]);
    await engine.call('settings.undo', {});
    expect([value(user), value(local)]).toEqual([833_000, 123_000]);
    await engine.call('longTurns.turnOff', { project });
    expect(existsSync(local)).toBe(false);
  });
});

describe('the status', () => {
  it('C3 tells everything of every session', async () => {
    const { engine, session, project } = bench();
    const made = session();
    made.append(
      promptRow('a'),
      replyRow(100_000),
      promptRow('b'),
      replyRow(120_000),
      promptRow('c'),
      replyRow(145_010),
    );
    expect(await engine.status()).toEqual({
      problems: [],
      sessions: [
        {
          sessionId: made.sessionId,
          pid: made.pid,
          processStart: expect.stringMatching(/^\d+$/),
          cwd: project,
          project: 'app',
          projectRoot: project,
          name: null,
          kind: null,
          entrypoint: null,
          sessionKind: 'cli',
          version: null,
          state: 'idle',
          waitingFor: null,
          model: 'claude-sonnet-4-5-20250929',
          modelName: 'Sonnet 4.5',
          tokens: 145_010,
          window: 200_000,
          percent: 73,
          percentSource: 'model-table',
          lowestTokens: 100_000,
          level: 'warn',
          warnAtTokens: 140_000,
          criticalAtTokens: 160_000,
          growthPerTurn: 22_505,
          isFull: false,
          turnsLeft: 1,
          turnsLeftTo: 'critical',
          compactsAtTokens: 200_000,
          compactsAtSource: 'limit',
          compactsAtFrom: null,
          idleCompactsFromTokens: null,
          terminal: expect.any(Object),
          transcript: made.transcript,
          breaker: null,
          kindRefusal: null,
          startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
          lastReplyAt: expect.stringMatching(/^\d{4}-.*Z$/),
          keeping: { ok: true },
        },
      ],
    });
  });

  it('C3 shows a session before its first reply, without figures', async () => {
    const { engine, session } = bench();
    session();
    expect((await engine.status()).sessions).toMatchObject([
      { tokens: null, percent: null, window: null, model: null, transcript: null },
    ]);
  });

  it('K5 says where Claude Code compacts, by the settings that it obeys in the folder of the session', async () => {
    const { engine, session, claude, project } = bench();
    const made = session(join(project, 'sub'));
    made.append(replyRow(90_000, { model: 'claude-opus-5-5' }));
    const seen = async () => {
      const [{ compactsAtTokens, compactsAtSource, compactsAtFrom } = {}] = (await engine.status())
        .sessions as Partial<SessionStatus>[];
      return [compactsAtTokens, compactsAtSource, compactsAtFrom?.scope];
    };
    expect(await seen()).toEqual([967_000, 'default', undefined]);
    writeFileSync(join(claude, 'settings.json'), '{"autoCompactWindow": 300000}');
    expect(await seen()).toEqual([267_000, 'setting', 'user']);
    // Not of the folder above, which Claude Code does not look into, either.
    for (const folder of [project, join(project, 'sub')]) {
      mkdirSync(join(folder, '.claude'));
      const size = folder === project ? 150_000 : 200_000;
      writeFileSync(join(folder, '.claude/settings.json'), `{"autoCompactWindow": ${size}}`);
    }
    expect(await seen()).toEqual([167_000, 'setting', 'project']);
    // What it says itself is believed, until its settings change.
    const report = { sessionId: made.sessionId, model: 'claude-opus-5-5', window: 1_000_000 };
    const compaction = { isOn: true, threshold: 217_000, source: 'settings' };
    saveReportedWindow(engine.places.home, { ...report, compaction });
    expect(await seen()).toEqual([217_000, 'setting', undefined]);
    const later = Date.now() / 1000 + 10;
    utimesSync(join(claude, 'settings.json'), later, later);
    expect(await seen()).toEqual([167_000, 'setting', 'project']);
  });

  it('C2 says when the window comes from Claude Code, and not after a switch to another model', async () => {
    const { engine, session } = bench();
    const made = session();
    const report = {
      sessionId: made.sessionId,
      model: 'claude-sonnet-4-5-20250929',
      window: 500_000,
    };
    saveReportedWindow(engine.places.home, report);
    expect((await engine.status()).sessions).toMatchObject([
      { window: 500_000, percentSource: 'claude-code', percent: null },
    ]);
    made.append(replyRow(145_010));
    expect((await engine.status()).sessions).toMatchObject([
      { window: 500_000, percentSource: 'claude-code', percent: 29 },
    ]);
    made.append(replyRow(145_010, { model: 'claude-opus-5-5' }));
    expect((await engine.status()).sessions).toMatchObject([
      { window: 1_000_000, percentSource: 'model-table', percent: 15 },
    ]);
  });

  it('L1e C2 a model that nobody knows has tokens and no window, until the user sets one', async () => {
    const { engine, session } = bench();
    session().append(promptRow('a'), replyRow(145_010, { model: 'glm-5.1' }));
    expect((await engine.status()).sessions).toMatchObject([
      { tokens: 145_010, window: null, percent: null, percentSource: 'unknown', level: null },
    ]);
    const value = 'glm-5.1=262144';
    await engine.call('settings.change', { project: undefined, key: 'models.windows', value });
    expect((await engine.status()).sessions).toMatchObject([
      { window: 262_144, percent: 55, percentSource: 'setting', level: 'ok' },
    ]);
  });

  it.each([
    ['compacts', [compactionRow(167_300, 4000)], 200_000, 'compaction'],
    [
      'fails with "too long"',
      [promptRow('b'), tooLongRow('prompt is too long: 135000 tokens > 131072 maximum')],
      131_072,
      'limit-error',
    ],
  ])(
    'L1e a session with an unknown window that %s is known afterwards, and so are others with its model',
    async (_, rows, window, percentSource) => {
      const { engine, session } = bench();
      const tokens = percentSource === 'compaction' ? 167_000 : 130_000;
      const made = session();
      made.append(promptRow('a'), replyRow(tokens, { model: 'glm-5.1' }));
      expect((await engine.status()).sessions).toMatchObject([{ window: null }]);
      made.append(...rows);
      expect((await engine.status()).sessions).toMatchObject([{ window, percentSource }]);
      const other = session();
      other.append(promptRow('c'), replyRow(20_000, { model: 'GLM-5.1' }));
      const statuses = (await engine.status()).sessions;
      expect(statuses.find(({ sessionId }) => sessionId === other.sessionId)).toMatchObject({
        window,
        percentSource,
        percent: Math.round((20_000 / window) * 100),
      });
    },
  );

  it('C4 follows the settings of the user and of the project', async () => {
    const { engine, session, project } = bench();
    session(join(project, 'sub')).append(replyRow(100_000, { model: 'claude-opus-5-5' }));
    const level = async () => (await engine.status()).sessions[0]?.level;
    expect(await level()).toBe('ok');
    changeSetting({ places: engine.places }, 'thresholds.warn', 90_000);
    expect(await level()).toBe('warn');
    changeSetting({ places: engine.places, projectRoot: project }, 'thresholds.warn', 300_000);
    expect(await level()).toBe('ok');
  });

  it('tells once what is wrong with settings', async () => {
    const { engine, session } = bench();
    session();
    session();
    mkdirSync(engine.places.home, { recursive: true });
    writeFileSync(userSettingsPath(engine.places), 'oops');
    expect((await engine.status()).problems).toMatchObject([
      { code: 'settings.fileIgnored', values: { reason: { code: 'store.notJson' } } },
    ]);
  });

  it('M1 finds a transcript by its id where the folder has another name', async () => {
    const { engine, session, claude } = bench();
    const made = session();
    made.append(replyRow(1000));
    renameSync(dirname(made.transcript), join(claude, 'projects', 'elsewhere'));
    expect((await engine.status()).sessions).toMatchObject([{ tokens: 1000 }]);
  });
});

describe('the live status', () => {
  async function watch(engine: Engine) {
    const reports: StatusReport[] = [];
    const live = await engine.watchStatus((report) => reports.push(report));
    onTestFinished(() => live.close());
    const see = (what: string, wanted: (report: StatusReport) => boolean) =>
      waitFor(what, () => {
        const last = reports.at(-1);
        return last !== undefined && wanted(last) && last;
      });
    return { reports, see };
  }

  it('C3 shows growth, new and ended sessions, and a change of session id', async () => {
    const { engine, session } = bench();
    const { see } = await watch(engine);
    const first = session();
    await see('the first session', ({ sessions }) => sessions.length === 1);
    first.append(promptRow('a'), replyRow(50_000));
    await see('its context', ({ sessions }) => sessions[0]?.tokens === 50_000);
    // a torn row changes nothing …
    appendFileSync(first.transcript, replyRow(60_000).slice(0, 100));
    const second = session();
    await see(
      'the second session',
      ({ sessions }) => sessions.length === 2 && sessions[0]?.tokens === 50_000,
    );
    first.register({ sessionId: 'cleared' }); // … and /clear begins anew
    await see(
      'the new id',
      ({ sessions }) => sessions[0]?.sessionId === 'cleared' && sessions[0].tokens === null,
    );
    second.end();
    await see('the end of the second', ({ sessions }) => sessions.length === 1);
  });

  it('keeps showing what it knew while a transcript is away, and goes on when it is back', async () => {
    const { engine, session } = bench();
    const made = session();
    made.append(replyRow(50_000));
    const { see } = await watch(engine);
    await see('the context', ({ sessions }) => sessions[0]?.tokens === 50_000);
    rmSync(made.transcript);
    made.register({ status: 'busy' });
    await see(
      'the change of state',
      ({ sessions }) => sessions[0]?.state === 'busy' && sessions[0].tokens === 50_000,
    );
    made.append(replyRow(70_000));
    await see('the new context', ({ sessions }) => sessions[0]?.tokens === 70_000);
  });

  it('says nothing while nothing changes', async () => {
    const { engine, session } = bench();
    session();
    const { reports, see } = await watch(engine);
    await see('the session', ({ sessions }) => sessions.length === 1);
    const { length } = reports;
    const marker = session();
    await see('a later event', ({ sessions }) => sessions.some(({ pid }) => pid === marker.pid));
    expect(reports.length).toBe(length + 1);
  });
});
