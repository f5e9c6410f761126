import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MadeSession } from '../../tests/bed/made-session.ts';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import type { SessionStatus } from '../claude/status/session-status.ts';
import { type ClearRecord, writeRecord } from '../clear/clear-record.ts';
import { clearRequestsFolder } from '../clear/clear-requests.ts';
import { message } from '../messages/message.ts';
import { thisProcess } from '../platform/store/owner.ts';
import { assertClearable, type ClearPlan, sessionsNamed } from './clear-commands.ts';
import { createEngine } from './engine.ts';

describe('the session that a person means', () => {
  const session = (sessionId: string, pid: number, project: string, name: string | null = null) =>
    ({ sessionId, pid, project, name }) as SessionStatus;
  const sessions = [
    session('abc1', 10, 'shop'),
    session('abc2', 20, 'shop', '10'),
    session('x', 30, 'abc1'),
  ];

  it.each([
    ['abc', [10, 20]],
    ['abc1', [10]],
    ['shop', [10, 20]],
    ['20', [20]],
    ['10', [10]],
    ['nothing', []],
  ])('A6 %s', (name, pids) => {
    expect(sessionsNamed(sessions, name).map(({ pid }) => pid)).toEqual(pids);
  });
});

describe('a clear that is to come later', () => {
  const why = message('clear.busy');
  const plan: ClearPlan = {
    refusal: undefined,
    hasPlugin: true,
    ways: [{ name: 'tmux', certainty: { certain: false, why } }],
    chosen: undefined,
    breaker: undefined,
    kindRefusal: undefined,
  };
  const inTerminal = { entrypoint: 'cli' };

  it('T5 is refused where a program runs the session, unless that is wanted', () => {
    const ofProgram = { entrypoint: 'sdk-ts' };
    const kindRefusal = message('clear.kindNotCleared.sdk');
    const other: ClearPlan = { ...plan, chosen: 'mod', kindRefusal };
    expect(() => assertClearable(ofProgram, other, false)).toThrow(
      expect.objectContaining({ reason: message('clear.kindAsked', ofProgram) }),
    );
    expect(assertClearable(ofProgram, other, true)).toBe('mod');
  });

  it('A6 is refused without the plugin, unless that is wanted', () => {
    const bare: ClearPlan = { ...plan, hasPlugin: false, chosen: 'tmux' };
    expect(() => assertClearable(inTerminal, bare, false)).toThrow('clear.noPlugin');
    expect(assertClearable(inTerminal, bare, true)).toBe('tmux');
  });

  it('A6 is refused with the reason of each driver where none is certain', () => {
    expect(() => assertClearable(inTerminal, plan, false)).toThrow(
      expect.objectContaining({
        reason: message('clear.typeItYourself', {
          reasons: [
            message('clear.driverRefused', { driver: message('driver.tmux'), reason: why }),
          ],
        }),
      }),
    );
  });
});

it('A6 a clear that another process has begun is hurried and followed to its end', async () => {
  const home = tempFolder();
  const projectRoot = join(home, 'app');
  mkdirSync(projectRoot);
  const made = new MadeSession(join(home, '.claude'), projectRoot);
  onTestFinished(() => made.end());
  const engine = createEngine({ env: { HOME: home, PATH: process.env.PATH } });
  const [session] = await engine.sessionsNamed(made.sessionId);
  if (session === undefined) throw new Error('The session was not found');
  const { sessionId, pid, processStart } = session;
  const record = (state: ClearRecord['state']): ClearRecord => ({
    sessionId,
    pid,
    processStart,
    projectRoot,
    by: 'threshold',
    owner: { pid: made.pid, startTime: '', host: thisProcess().host },
    state,
    steps: [{ state, at: new Date().toISOString() }],
  });
  writeRecord(engine.places, record('countdown'));
  const ended = await engine.clear(session, {
    waitForIdle: false,
    anyway: true,
    onStep: () => undefined,
    onTaken: ({ owner }) => {
      expect(owner.pid).toBe(made.pid);
      setTimeout(() => writeRecord(engine.places, record('restored')), 50);
    },
  });
  expect(ended.state).toBe('restored');
  expect(existsSync(join(clearRequestsFolder(engine.places), `${sessionId}.json`))).toBe(true);
});
