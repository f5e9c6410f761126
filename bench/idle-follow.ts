/**
 * Following many sessions in which nothing happens must cost next to nothing, for it goes on all
 * day. The watch, a plain poller (peer) and a watch over nothing at all (limit) run during the same
 * seconds; CPU is counted for each process alone.
 */
import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs } from '../tests/bed/process-use.ts';
import { assertProcReadable, type Bench, figure, ratio } from './harness.ts';
import { LiveWatch } from './live-watch.ts';
import { madeHome } from './made-home.ts';

const SESSIONS = 50;
const SETTLE_MS = 3000;
const WINDOWS = 3;
const WINDOW_MS = 10_000;
const MOST_PERCENT = 2;
const PROMISE = `under ${MOST_PERCENT} % of one core`;

export const idleFollow: Bench = {
  name: 'idle-follow',
  about: `CPU while ${SESSIONS} sessions are followed and nothing happens`,
  promise: PROMISE,
  async run(scene, tell) {
    assertProcReadable();
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
    await watch.when(
      'all sessions',
      (sessions) => sessions.filter(({ tokens }) => tokens !== null).length === SESSIONS,
    );
    tell(`${SESSIONS} sessions are followed; settling`);
    await sleep(SETTLE_MS);
    const percents = await cpuPercents([watch.pid, poller.pid as number, limit.pid]);
    const [ofWatch, ofPoller, ofLimit] = percents as [number[], number[], number[]];
    const product = figure(
      `the watch over ${SESSIONS} sessions`,
      'product',
      '% of one core',
      ofWatch,
    );
    const peer = figure(
      'reading 64 KB of each, five times a second',
      'peer',
      '% of one core',
      ofPoller,
    );
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
    for (const [index, used] of after.entries())
      percents[index]?.push(((used - (before[index] as number)) / elapsed) * 100);
  }
  return percents;
}
