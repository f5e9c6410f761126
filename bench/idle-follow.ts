/**
 * Following many sessions in which nothing happens must cost next to nothing, for it goes on all day. The watch, a plain
 * poller (peer) and a watch over nothing at all (limit) run during the same seconds; CPU is counted for each process alone.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, figure, NotRun, ratio } from './harness.ts';
import { LiveWatch } from './live-watch.ts';
import { madeHome } from './made-home.ts';

const SESSIONS = 50;
const SETTLE_MS = 3000;
const WINDOWS = 3;
const WINDOW_MS = 10_000;
const MOST_PERCENT = 2;
/** In which /proc counts CPU: 100 a second on every Linux that Node runs on. */
const TICK_MS = 10;
const PROMISE = `under ${MOST_PERCENT} % of one core`;
const LEAST_PERCENT = (TICK_MS / WINDOW_MS) * 100;

export const idleFollow: Bench = {
  name: 'idle-follow',
  about: `CPU while ${SESSIONS} sessions are followed and nothing happens`,
  promise: PROMISE,
  async run(scene, tell) {
    if (process.platform !== 'linux') throw new NotRun('the CPU of a process is read from /proc, which only Linux has');
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
        ratios: [ratio(peer, product), ratio(product, { ...nothing, median: Math.max(nothing.median, LEAST_PERCENT) })],
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

/** proc(5): user and system time of the process, then of the children that it has waited for. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
}
