/**
 * How soon the watch shows what the real Claude Code does: a new session id after `/clear`, and
 * nothing after its process was killed. The limit is the moment at which the fact itself can be
 * seen: in Claude Code's own file, or in the table of processes.
 */
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClaudeBed, type ClaudeSession } from '../tests/bed/claude.ts';
import { MockApi } from '../tests/bed/mock-api.ts';
import { prepareBed } from '../tests/bed/prepare.ts';
import { type Bench, figure, NotRun, ratio } from './harness.ts';
import { LiveWatch } from './live-watch.ts';

const CLEARS = 6;
const KILLS = 3;
const MOST_AFTER_CLEAR_MS = 1000;
const MOST_AFTER_KILL_MS = 2000;
const LOOK_EVERY_MS = 5;
const HANG_LIMIT_MS = 30_000;
/** Claude Code takes an Enter that comes in one burst with the text for a part of it. */
const BEFORE_ENTER_MS = 400;
const MOST_PAUSE_MS = 1000;

interface Moments {
  watch: number[];
  limit: number[];
}

export const realCli: Bench = {
  name: 'real-cli',
  about: 'from a /clear or a killed process of the real Claude Code to the live status',
  promise: `a clear is shown within ${MOST_AFTER_CLEAR_MS / 1000} s, an end within ${MOST_AFTER_KILL_MS / 1000} s`,
  async run(scene, tell) {
    if (process.platform !== 'linux')
      throw new NotRun('the end of a process is seen in /proc, which only Linux has');
    const { claude, tmux } = await prepareBed(['claude', 'tmux'], tell);
    for (const piece of [claude, tmux]) if ('missing' in piece) throw new NotRun(piece.missing);
    const api = await MockApi.start();
    scene.atEnd(() => api.stop());
    const bed = new ClaudeBed((claude as { path: string }).path);
    const started: Promise<ClaudeSession>[] = [];
    scene.atEnd(() => removeBed(bed, started));
    const live = new LiveWatch(scene, bed.environment(api));
    const start = () => {
      scene.assertOn();
      const session = bed.start({ api, model: 'claude-sonnet-4-5-20250929' });
      started.push(session);
      return session;
    };
    tell('clearing');
    const clears = await measureClears(await start(), live);
    tell('killing');
    const kills = await measureKills(start, live);
    return [
      result(
        'a new session id after /clear',
        'in the registry of Claude Code',
        MOST_AFTER_CLEAR_MS,
        clears,
      ),
      result(
        'gone after its process was killed',
        'its process has ended',
        MOST_AFTER_KILL_MS,
        kills,
      ),
    ];
  },
};

/**
 * Claude Code still writes while it ends, and would make its folders anew after they were removed.
 */
async function removeBed(bed: ClaudeBed, started: Promise<ClaudeSession>[]): Promise<void> {
  const sessions = await Promise.allSettled(started);
  await bed.remove();
  await whenTrue(() =>
    sessions.every((session) => session.status === 'rejected' || hasEnded(session.value.pid)),
  );
  rmSync(bed.root, { recursive: true, force: true });
}

function result(what: string, limitName: string, mostMs: number, moments: Moments) {
  const product = figure('in the live status', 'product', 'ms', moments.watch);
  const limit = figure(limitName, 'limit', 'ms', moments.limit);
  return {
    name: `real-cli: ${what}`,
    promise: `shown within ${mostMs / 1000} s`,
    figures: [product, limit],
    ratios: [ratio(product, limit)],
    holds: Math.max(...moments.watch) <= mostMs,
  };
}

async function measureClears(session: ClaudeSession, live: LiveWatch): Promise<Moments> {
  const moments: Moments = { watch: [], limit: [] };
  for (let count = 0; count < CLEARS; count++) {
    const old = (await session.waitForState('idle')).sessionId;
    await session.say(`hello ${count}`);
    await live.when('the reply', (seen) =>
      seen.some(({ sessionId, tokens }) => sessionId === old && tokens !== null),
    );
    await session.waitForState('idle');
    await session.type('/clear');
    await session.waitForScreen('❯ /clear');
    await sleep(BEFORE_ENTER_MS);
    const hasNewId = (sessionId: string | undefined) =>
      sessionId !== undefined && sessionId !== old;
    const seen = live.when('a new session id', (all) =>
      all.some(({ pid, sessionId }) => pid === session.pid && hasNewId(sessionId)),
    );
    const written = whenTrue(() => hasNewId(session.registry()?.sessionId));
    const start = performance.now();
    await session.press('Enter');
    moments.watch.push((await seen) - start);
    moments.limit.push((await written) - start);
  }
  return moments;
}

async function measureKills(
  start: () => Promise<ClaudeSession>,
  live: LiveWatch,
): Promise<Moments> {
  const moments: Moments = { watch: [], limit: [] };
  for (let count = 0; count < KILLS; count++) {
    const { pid } = await start();
    await live.when('the session', (all) => all.some((session) => session.pid === pid));
    // the watch has just looked: the kill must not keep time with it
    await sleep(Math.random() * MOST_PAUSE_MS);
    const seen = live.when('the session gone', (all) =>
      all.every((session) => session.pid !== pid),
    );
    const gone = whenTrue(() => hasEnded(pid));
    const killed = performance.now();
    process.kill(pid, 'SIGKILL');
    moments.watch.push((await seen) - killed);
    moments.limit.push((await gone) - killed);
  }
  return moments;
}

/** A zombie has ended; how long it stays listed is up to its parent. */
function hasEnded(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.charAt(stat.lastIndexOf(')') + 2) === 'Z';
  } catch {
    return true; // no such process any more
  }
}

async function whenTrue(look: () => boolean): Promise<number> {
  for (
    const deadline = performance.now() + HANG_LIMIT_MS;
    performance.now() < deadline;
    await sleep(LOOK_EVERY_MS)
  )
    if (look()) return performance.now();
  throw new Error('what was waited for never came');
}
