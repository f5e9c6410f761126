import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compactionRow, MadeSession, promptRow, replyRow } from '../../tests/bed/made-session.ts';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import type { SessionStatus } from '../claude/status/session-status.ts';
import { saveBriefing } from '../memory/restore/briefing-file.ts';
import { logText, type Message, message } from '../messages/message.ts';
import { linuxProcessTable } from '../platform/process/linux.ts';
import { runProgram } from '../platform/process/run-program.ts';
import type { Places } from '../platform/store/places.ts';
import { markModPresent } from '../projects/mod-presence.ts';
import { projectMemory } from '../projects/project-memory.ts';
import type { Settings } from '../settings/settings.ts';
import { readActivity } from './activity.ts';
import { breakerOf, resetBreaker } from './breaker.ts';
import {
  automaticClears,
  type ClearRecord,
  readRecord,
  readRecords,
  writeRecord,
} from './clear-record.ts';
import { writeClearRequest } from './clear-requests.ts';
import type { RunTools } from './clear-run.ts';
import { beginClear, runTools } from './clearing.ts';
import { type Delivery, type Driver, driverName, FIXED_TEXTS } from './delivery/driver.ts';
import { decide } from './policy.ts';

const FULL = 145_010;
const SILENT = message('driver.modSilent');

/** A full session, a driver that the test plays, and the records that were reported. */
class Scene {
  readonly folder = tempFolder();
  readonly places: Places = {
    claude: join(this.folder, '.claude'),
    home: join(this.folder, '.claude/memory-keeper'),
  };
  readonly project = join(this.folder, 'app');
  readonly session: MadeSession;
  readonly reported: ClearRecord[] = [];
  autoClear: Partial<Settings['autoClear']> = {};
  drivers: Driver[] = [this.driver(async () => this.clears())];
  delivered = 0;

  constructor() {
    mkdirSync(this.project);
    this.session = new MadeSession(this.places.claude, this.project);
    onTestFinished(() => this.session.end());
    this.session.append(promptRow('what is the limit'), replyRow(FULL, { text: 'Three.' }));
  }

  driver(deliver: (text: string) => Promise<Delivery>, name: Driver['name'] = 'tmux'): Driver {
    return {
      name,
      certainty: async () => ({ certain: true, how: driverName(name) }),
      deliver: async (_, text) => {
        this.delivered++;
        return deliver(text);
      },
    };
  }

  /** As Claude Code does it. */
  clears(): Delivery {
    this.session.register({ sessionId: 'the-next-one' });
    saveBriefing(this.places, 'the-next-one', 'what was known');
    return { done: true };
  }

  get tools(): RunTools {
    const system = {
      places: this.places,
      env: {},
      processes: linuxProcessTable(),
      run: runProgram,
    };
    const tools = runTools(system, (record) => {
      this.reported.push(record);
      this.onStep(record);
    });
    const settingsOf = (root: string) => {
      const settings = tools.settingsOf(root);
      return {
        ...settings,
        autoClear: { ...settings.autoClear, countdownSeconds: 0, ...this.autoClear },
      };
    };
    // There is no mod that could show it.
    const announceInSession = async () => undefined;
    return { ...tools, settingsOf, announceInSession, driversFor: () => this.drivers };
  }

  onStep: (record: ClearRecord) => void = () => undefined;

  async begin(by: ClearRecord['by'] = 'threshold', waitForIdle = true) {
    const { tools } = this;
    const [session] = await tools.listSessions();
    if (session === undefined) throw new Error('no session');
    const begun = beginClear(tools, session, by, { waitForIdle });
    if ('taken' in begun) throw new Error('taken');
    return begun.run;
  }

  get steps(): string[] {
    return this.reported.map(({ state }) => state);
  }

  get lastNote(): Message | string | undefined {
    return this.reported.at(-1)?.steps.at(-1)?.note;
  }
}

describe('a clear', () => {
  it('A2 A7 goes step by step, and each is on disk before it is done', async () => {
    const scene = new Scene();
    scene.drivers = [
      scene.driver(async () => {
        expect(readRecord(scene.places, scene.session.sessionId)).toMatchObject({
          state: 'delivering',
          way: 'tmux',
          percent: 73, // for the line that the new session shows (K9)
          cwd: scene.project,
        });
        return scene.clears();
      }),
    ];
    await (await scene.begin()).run();
    expect(scene.steps).toEqual([
      'detected',
      'saving',
      'rechecking',
      'delivering',
      'verifying',
      'restored',
    ]);
    expect(readRecord(scene.places, scene.session.sessionId)).toMatchObject({
      state: 'restored',
      newSessionId: 'the-next-one',
    });
    const activity = readActivity(scene.places, 10);
    expect(activity.map(({ what }) => what)).toEqual(scene.steps.toSpliced(2, 0, 'saved'));
    expect(activity[2]?.figures).toEqual({ entries: 2 });
  });

  describe('that compacts', () => {
    /** The mod, which does with /compact what the test says. */
    class Compacting extends Scene {
      texts: string[] = [];

      constructor(compacts: (scene: Scene) => void = ({ session }) => session.append(BOUNDARY())) {
        super();
        this.autoClear = { method: 'compact', summary: false };
        markModPresent(this.places, String(this.session.pid));
        const mod = this.driver(async (text) => {
          this.texts.push(text);
          compacts(this);
          return { done: true };
        }, 'mod');
        this.drivers = [this.driver(async () => this.clears()), mod];
      }
    }
    const BOUNDARY = (after = 9000) => compactionRow(FULL, after, 'manual');

    it('K4 A2 A7 saves first, has the mod compact, and is done when Claude Code wrote so', async () => {
      const scene = new Compacting();
      const record = await (await scene.begin()).run();
      expect(scene.texts).toEqual([FIXED_TEXTS.compact]);
      expect(scene.steps.slice(-4)).toEqual(['rechecking', 'delivering', 'verifying', 'restored']);
      expect(record).toMatchObject({ method: 'compact', way: 'mod', tokensAfter: 9000 });
      expect(record.newSessionId).toBeUndefined();
      expect(scene.lastNote).toMatchObject(
        message('clear.compactedTo', { before: FULL, after: 9000 }),
      );
      const steps = readActivity(scene.places, 20).filter(({ what }) => what !== 'saved');
      expect(steps.every(({ method }) => method === 'compact')).toBe(true);
    });

    it('K4 A6 counts down in words of its own', async () => {
      const scene = new Compacting();
      scene.autoClear = { ...scene.autoClear, countdownSeconds: 1 };
      await (await scene.begin()).run();
      expect(scene.reported.flatMap(({ steps }) => steps.map(({ note }) => note))).toContainEqual(
        expect.objectContaining(message('clear.compactCountdown', { seconds: 1 })),
      );
    });

    it('K4 A7 a compaction from before is no proof, and neither is a session in its place', async () => {
      const scene = new Compacting(({ session }) => session.register({ sessionId: 'another' }));
      scene.session.append(BOUNDARY(), replyRow(FULL));
      await (await scene.begin()).run();
      expect(scene.steps.at(-1)).toBe('failed');
      expect(scene.lastNote).toMatchObject(message('clear.sessionReplaced'));
    });

    it('K4 A4 clears where the mod is not, or is switched off, and says so; a clear by hand stays one', async () => {
      const scene = new Compacting();
      rmSync(join(scene.places.home, 'mods'), { recursive: true });
      const record = await (await scene.begin()).run();
      expect(record).toMatchObject({ state: 'restored', newSessionId: 'the-next-one' });
      expect(record.method).toBeUndefined();
      expect(record.steps[0]?.note).toMatchObject({ code: 'clear.noModToCompact' });
      const asked = new Compacting();
      expect((await (await asked.begin('user')).run()).newSessionId).toBe('the-next-one');
    });

    it('K4 A5 a mod that is silent leads to no /clear in its place', async () => {
      const scene = new Compacting();
      scene.drivers[1] = scene.driver(
        async () => ({ done: false, reason: SILENT, touched: true }),
        'mod',
      );
      await (await scene.begin()).run();
      expect(scene.steps.at(-1)).toBe('failed');
      expect(scene.delivered).toBe(1);
    });

    it('K4 T5 is left alone if it is as full as before, and each compaction counts for the hour', async () => {
      const scene = new Compacting(({ session }) => session.append(BOUNDARY(144_000)));
      await (await scene.begin()).run();
      const [session] = await scene.tools.listSessions();
      const { autoClear } = scene.tools.settingsOf(scene.project);
      const records = readRecords(scene.places);
      if (session === undefined) throw new Error('no session');
      expect(breakerOf(records, session, autoClear)).toMatchObject({
        why: 'no-help',
        reason: { code: 'clear.breakerCompactNoHelp' },
      });
      scene.session.append(replyRow(FULL));
      await (await scene.begin()).run();
      expect(readRecords(scene.places).flatMap(automaticClears)).toHaveLength(2);
    });
  });

  it('A2 begins again if something was said while it was being saved', async () => {
    const scene = new Scene();
    let isFirst = true;
    scene.onStep = ({ state }) => {
      if (state !== 'rechecking' || !isFirst) return;
      isFirst = false;
      scene.session.append(promptRow('one more thing'), replyRow(FULL, { text: 'Yes?' }));
    };
    await (await scene.begin()).run();
    expect(scene.steps).toEqual([
      'detected',
      'saving',
      'rechecking',
      'waiting',
      'saving',
      'rechecking',
      'delivering',
      'verifying',
      'restored',
    ]);
    expect(scene.delivered).toBe(1);
  });

  it('A3 waits while it is busy, and says so when that takes long', async () => {
    const scene = new Scene();
    scene.autoClear = { busyMinutes: 0.002 };
    const long = message('clear.waitedLong', { reason: message('clear.busy'), minutes: 0.002 });
    scene.session.register({ status: 'busy' });
    scene.onStep = () => {
      if (logText(scene.lastNote ?? '') !== logText(long)) return;
      expect(scene.delivered).toBe(0);
      scene.session.register({ status: 'idle' });
    };
    await (await scene.begin()).run();
    const notes = scene.reported.flatMap(({ state, steps }) =>
      state === 'waiting' ? [steps.at(-1)?.note] : [],
    );
    expect(notes).toEqual([message('clear.busy'), long]);
    expect(scene.steps.at(-1)).toBe('restored');
  });

  it.each([
    [{ status: 'busy' }, message('clear.busy')],
    [
      { status: 'waiting', waitingFor: 'permission prompt' },
      message('clear.waitingFor', { what: message('clear.permissionPrompt') }),
    ],
    [
      { status: 'waiting', waitingFor: 'a new kind of answer' },
      message('clear.waitingFor', {
        what: message('system.words', { words: 'a new kind of answer' }),
      }),
    ],
    [{ status: 'waiting' }, message('clear.waitingForAnswer')],
    [{ status: 'dreaming' }, message('clear.stateUnknown')],
  ])(
    'A3 that the user wants at once is refused while the session is %j',
    async (changes, reason) => {
      const scene = new Scene();
      scene.session.register(changes);
      await (await scene.begin('user', false)).run();
      expect([scene.steps, scene.lastNote, scene.delivered]).toEqual([
        ['detected', 'cancelled'],
        reason,
        0,
      ]);
    },
  );

  it('A2 does not happen if nothing could be saved', async () => {
    const scene = new Scene();
    const run = await scene.begin();
    writeFileSync(projectMemory(scene.places, scene.project).sessions, 'not a folder');
    await run.run();
    expect(scene.steps).toEqual(['detected', 'saving', 'failed']);
    expect(scene.lastNote).toMatchObject({ code: 'clear.saveFailed' });
    expect(scene.delivered).toBe(0);
  });

  it('A4 tries the next driver if one has touched nothing, and no other if it has', async () => {
    const unheard = { done: false, reason: SILENT, touched: false } as const;
    const scene = new Scene();
    scene.drivers = [scene.driver(async () => unheard, 'screen'), ...scene.drivers];
    expect(await (await scene.begin()).run()).toMatchObject({ state: 'restored', way: 'tmux' });
    const other = new Scene();
    other.drivers = [
      other.driver(async () => ({ ...unheard, touched: true }), 'screen'),
      ...other.drivers,
    ];
    expect(await (await other.begin()).run()).toMatchObject({ state: 'failed', way: 'screen' });
    expect([other.lastNote, other.delivered]).toEqual([
      message('clear.driverFailed', { driver: driverName('screen'), reason: SILENT }),
      1,
    ]);
  });

  it('A6 can be stopped between two drivers', async () => {
    const scene = new Scene();
    const run = await scene.begin();
    const unheard = scene.driver(async () => {
      run.request('cancel');
      return { done: false, reason: SILENT, touched: false };
    }, 'screen');
    scene.drivers = [unheard, ...scene.drivers];
    expect(await run.run()).toMatchObject({ state: 'cancelled', way: 'screen' });
    expect(scene.delivered).toBe(1);
  });

  it('A3 says why no driver is certain', async () => {
    const scene = new Scene();
    const unsure = {
      ...scene.driver(async () => scene.clears()),
      certainty: async () => ({ certain: false, why: message('driver.tmuxNoPane') }) as const,
    };
    scene.drivers = [unsure];
    await (await scene.begin()).run();
    expect([scene.steps.at(-1), scene.lastNote]).toEqual([
      'failed',
      message('clear.noDriver', {
        reasons: [
          message('clear.driverRefused', {
            driver: driverName('tmux'),
            reason: message('driver.tmuxNoPane'),
          }),
        ],
      }),
    ]);
    expect(scene.delivered).toBe(0);
  });

  it('A6 can be cancelled, snoozed and hurried while it counts down', async () => {
    for (const [request, state] of [
      ['cancel', 'cancelled'],
      ['snooze', 'cancelled'],
      ['now', 'restored'],
    ] as const) {
      const scene = new Scene();
      scene.autoClear = { countdownSeconds: 3600 };
      const run = await scene.begin();
      scene.onStep = ({ state: entered }) => {
        if (entered === 'countdown') run.request(request);
      };
      expect((await run.run()).state).toBe(state);
    }
  });

  it('A6 what was cancelled does not begin again with the next signal of the same turn, even without a rest after a clear', async () => {
    const scene = new Scene();
    scene.autoClear = { countdownSeconds: 3600, cooldownMinutes: 0 };
    const run = await scene.begin();
    scene.onStep = ({ state }) => {
      if (state === 'countdown') run.request('cancel');
    };
    const record = await run.run();
    expect(scene.lastNote).toEqual(message('clear.cancelled', { minutes: 1 }));
    const [session] = await scene.tools.listSessions();
    const { autoClear: settings } = scene.tools.settingsOf(record.projectRoot);
    const facts = {
      session: session as SessionStatus,
      settings,
      records: [record],
      isPaused: false,
    };
    expect(decide({ ...facts, now: new Date() }).clear).toBe(false);
    expect(decide({ ...facts, now: new Date(Date.now() + 61_000) }).clear).toBe(true);
  });

  it('A6 follows a request made while it runs, and ignores one from before', async () => {
    const scene = new Scene();
    const { sessionId } = scene.session;
    scene.autoClear = { mode: 'ask' };
    writeClearRequest(scene.places, sessionId, 'now');
    await new Promise((resolve) => setTimeout(resolve, 5));
    const run = await scene.begin();
    let ticks = 0;
    const { tools } = scene;
    scene.onStep = ({ state }) => {
      if (state !== 'countdown') return;
      const timer = setInterval(() => {
        if (++ticks === 3) writeClearRequest(tools.places, sessionId, 'cancel');
      }, 50);
      onTestFinished(() => clearInterval(timer));
    };
    expect((await run.run()).state).toBe('cancelled');
    expect(scene.delivered).toBe(0);
    expect(ticks).toBeGreaterThanOrEqual(3);
  });

  it('A6 is given up if the user cleared it, ended it, or its context shrank meanwhile', async () => {
    const meanwhile: [string, (scene: Scene) => void][] = [
      ['clear.alreadyCleared', (scene) => scene.session.register({ sessionId: 'cleared-by-hand' })],
      ['clear.sessionEnded', (scene) => scene.session.end()],
      ['clear.belowPercent', (scene) => scene.session.append(replyRow(20_000))],
    ];
    for (const [code, happens] of meanwhile) {
      const scene = new Scene();
      scene.autoClear = { countdownSeconds: 3600 };
      scene.onStep = ({ state }) => {
        if (state === 'countdown') happens(scene);
      };
      await (await scene.begin()).run();
      expect([scene.steps, scene.lastNote]).toEqual([
        ['detected', 'countdown', 'cancelled'],
        expect.objectContaining({ code }),
      ]);
    }
  });

  it('A7 that another application left after it may have typed is only verified, and types nothing', async () => {
    const scene = new Scene();
    const run = await scene.begin();
    const gone = { pid: 999_999_999, startTime: '1', host: run.record.owner.host };
    const step = { state: 'delivering' as const, at: new Date().toISOString() };
    writeRecord(scene.places, {
      ...run.record,
      state: 'delivering',
      way: 'tmux',
      owner: gone,
      steps: [...run.record.steps, step],
    });
    scene.session.register({ sessionId: 'the-next-one' });
    saveBriefing(scene.places, 'the-next-one', '');
    scene.session.register();
    const again = await scene.begin();
    scene.session.register({ sessionId: 'the-next-one' });
    expect((await again.run()).state).toBe('restored');
    expect(scene.delivered).toBe(0);
  });

  it('A7 has failed if nobody can say any more what came of it', async () => {
    const scene = new Scene();
    const run = await scene.begin();
    const gone = { pid: 999_999_999, startTime: '1', host: run.record.owner.host };
    const step = {
      state: 'verifying' as const,
      at: new Date(Date.now() - 3_600_000).toISOString(),
    };
    writeRecord(scene.places, {
      ...run.record,
      state: 'verifying',
      way: 'tmux',
      owner: gone,
      steps: [...run.record.steps, step],
    });
    expect((await (await scene.begin()).run()).state).toBe('failed');
    expect(scene.lastNote).toEqual(
      message('clear.mayBeTyped', { reason: message('clear.interrupted') }),
    );
  });

  it.each([
    [undefined, 2, 'clear.continued'],
    [replyRow(1000), 1, 'clear.continuedAlready'],
  ])('A10 goes on, once, unless work has gone on: %#', async (reply, delivered, code) => {
    const scene = new Scene();
    scene.autoClear = { continue: true };
    scene.drivers = [
      scene.driver(async () => {
        if (scene.delivered === 1 && reply !== undefined)
          writeFileSync(
            scene.session.transcript.replace(scene.session.sessionId, 'the-next-one'),
            `${reply}\n`,
          );
        return scene.delivered === 1 ? scene.clears() : { done: true };
      }),
    ];
    expect((await (await scene.begin()).run()).isContinued).toBe(true);
    const characters = 'what was known'.length;
    const outcome = message('clear.restoredAt', { percent: 73, characters });
    expect([scene.delivered, scene.lastNote]).toEqual([delivered, { code, values: { outcome } }]);
  });

  it('T5 A10 is told to go on three times without a prompt of the user, then it is cleared and left idle', async () => {
    const scene = new Scene();
    scene.autoClear = { continue: true };
    const told: string[] = [];
    let count = 0;
    const say = (...rows: string[]) =>
      appendFileSync(
        join(dirname(scene.session.transcript), `next-${count}.jsonl`),
        rows.map((row) => `${row}\n`).join(''),
      );
    scene.drivers = [
      {
        ...scene.driver(async () => ({ done: true })),
        deliver: async (_, text) => {
          told.push(text);
          if (text === FIXED_TEXTS.clear) {
            const sessionId = `next-${++count}`;
            scene.session.register({ sessionId });
            saveBriefing(scene.places, sessionId, 'what was known');
          } else say(promptRow(text), replyRow(1000), replyRow(FULL, { text: 'Full again.' }));
          return { done: true };
        },
      },
    ];
    const clearOnce = async () => {
      told.length = 0;
      const record = await (await scene.begin()).run();
      return { told: told.includes(FIXED_TEXTS.continue), record };
    };
    const wasTold = async () => (await clearOnce()).told;
    const breaker = async () => {
      const [session] = await scene.tools.listSessions();
      if (session === undefined) throw new Error('no session');
      const { autoClear } = scene.tools.settingsOf(scene.project);
      return breakerOf(readRecords(scene.places), session, autoClear)?.why;
    };
    for (let i = 0; i < 3; i++) expect(await wasTold()).toBe(true);
    expect(await breaker()).toBeUndefined();
    const last = await clearOnce();
    expect([last.told, last.record.state, last.record.isLeftIdle]).toEqual([
      false,
      'restored',
      true,
    ]);
    const reason = message('clear.breakerContinued', { count: 3 });
    expect(scene.lastNote).toMatchObject({ code: 'clear.leftIdle', values: { reason } });
    expect(await breaker()).toBe('continued');
    // The user types: it may go on three times again.
    say(promptRow('now the footer'), replyRow(1000), replyRow(FULL));
    expect(await breaker()).toBeUndefined();
    for (let i = 0; i < 3; i++) expect(await wasTold()).toBe(true);
    expect(await wasTold()).toBe(false);
    // A reset counts as much as a prompt.
    resetBreaker(scene.places, { sessionId: `next-${count}`, pid: scene.session.pid });
    expect(await breaker()).toBeUndefined();
    say(promptRow(FIXED_TEXTS.continue), replyRow(FULL));
    expect(await wasTold()).toBe(true);
  });

  it('T5 each failed try of the same session counts', async () => {
    const scene = new Scene();
    scene.drivers = [scene.driver(async () => ({ done: false, reason: SILENT, touched: true }))];
    for (let i = 0; i < 3; i++) await (await scene.begin()).run();
    const failed = readRecord(scene.places, scene.session.sessionId);
    expect(failed?.state).toBe('failed');
    expect(failed && automaticClears(failed)).toHaveLength(3);
  });

  it('A7 is left to another application that runs it, as long as that lives', async () => {
    const scene = new Scene();
    const { tools } = scene;
    const [session] = await tools.listSessions();
    if (session === undefined) throw new Error('no session');
    const run = await scene.begin();
    const other = spawn('sleep', ['600'], { stdio: 'ignore' });
    const { startTime } = (await linuxProcessTable().lookUp([other.pid as number])).get(
      other.pid as number,
    ) ?? { startTime: '' };
    const { host } = run.record.owner;
    writeRecord(scene.places, {
      ...run.record,
      owner: { pid: other.pid as number, startTime, host },
    });
    expect(beginClear(tools, session, 'user', { waitForIdle: false })).toMatchObject({
      taken: { owner: { pid: other.pid } },
    });
    other.kill();
    await once(other, 'exit');
    expect(beginClear(tools, session, 'user', { waitForIdle: false })).toHaveProperty('run');
  });
});
