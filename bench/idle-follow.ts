/**
 * Following many sessions in which nothing happens must cost next to nothing, for it goes on all day. The watch, a plain
 * poller (peer) and a watch over nothing at all (limit) run during the same seconds; CPU is counted for each process alone.
 */
import { fork } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, figure, NotRun, ratio } from './harness.ts';
import { LiveWatch } from './live-watch.ts';
import { madeHome } from './made-home.ts';

const SESSIONS = 50;
const SETTLE_MS = 3000;
const WINDOWS = 3;
const WINDOW_MS = 10_000;
const MOST_PERCENT = 2;
/** 100 a second on every Linux that Node runs on. */
const TICK_MS = 10;
const NS_PER_MS = 1_000_000;
const PROMISE = `under ${MOST_PERCENT} % of one core`;

export const idleFollow: Bench = {
  name: 'idle-follow',
  about: `CPU while ${SESSIONS} sessions are followed and nothing happens`,
  promise: PROMISE,
  async run(scene, tell) {
    if (!existsSync('/proc/self/schedstat'))
      throw new NotRun('the CPU of a process is read from schedstat in /proc, which is not here');
    const full = madeHome(scene, SESSIONS);
    const empty = madeHome(scene, 0);
    const watch = new LiveWatch(scene, full.env);
    const limit = new LiveWatch(scene, empty.env);
    const poller = scene.child(() =>
      fork(
        new URL('./idle-follow.poller.ts', import.meta.url),
        full.sessions.map(({ transcript }) => transcript),
      ),
    );
    await watch.when('all sessions', (sessions) => sessions.filter(({ tokens }) => tokens !== null).length === SESSIONS);
    tell(`${SESSIONS} sessions are followed; settling`);
    await sleep(SETTLE_MS);
    const percents = await cpuPercents([watch.pid, poller.pid as number, limit.pid]);
    const [ofWatch, ofPoller, ofLimit] = percents as [number[], number[], number[]];
    const product = figure(`the watch over ${SESSIONS} sessions`, 'product', '% of one core', ofWatch);
    const peer = figure('reading 64 KB of each, five times a second', 'peer', '% of one core', ofPoller);
    const nothing = figure('the watch over nothing', 'limit', '% of one core', ofLimit);
    return [
      {
        name: `idle-follow: ${SESSIONS} sessions, nothing happens`,
        promise: PROMISE,
        figures: [product, peer, nothing],
        ratios: [ratio(peer, product), ratio(product, nothing)],
        holds: product.median < MOST_PERCENT,
      },
    ];
  },
};

/** For each process, its share of one core in each of the windows. */
async function cpuPercents(pids: readonly number[]): Promise<number[][]> {
  const percents: number[][] = pids.map(() => []);
  for (let window = 0; window < WINDOWS; window++) {
    const start = performance.now();
    const before = pids.map(cpuMs);
    await sleep(WINDOW_MS);
    const after = pids.map(cpuMs);
    const elapsed = performance.now() - start;
    for (const [index, used] of after.entries()) percents[index]?.push(((used - (before[index] as number)) / elapsed) * 100);
  }
  return percents;
}

/**
 * The threads of the process in nanoseconds, from the scheduler: a promise of 2 % cannot be judged in the ticks of
 * /proc/<pid>/stat, of which it is twenty in ten seconds. Only children that have ended are counted in ticks, proc(5).
 */
function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
  const own = threads.reduce((sum, thread) => sum + Number(thread.split(' ')[0]) / NS_PER_MS, 0);
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [childUser, childSystem] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return own + (Number(childUser) + Number(childSystem)) * TICK_MS;
}
