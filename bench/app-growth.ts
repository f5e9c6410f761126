/**
 * Whether the application grows with the day: the memory of all its processes after 2,000 turns of
 * three sessions against that after 200, both after garbage collection, with the window open and
 * each turn shown in it.
 */
import { AppPage } from '../tests/bed/app-page.ts';
import type { ElectronBed } from '../tests/bed/electron-bed.ts';
import { type MadeSession, promptRow, replyRow } from '../tests/bed/made-session.ts';
import { memoryMb, processTree } from '../tests/bed/process-use.ts';
import { openDesktop } from './app-host.ts';
import { assertProcReadable, type Bench, figure, ratio } from './harness.ts';
import { madeHome } from './made-home.ts';

const SESSIONS = 3;
const FEW = 200;
const MANY = 2000;
const MOST_TIMES = 1.05;
const BYTES_PER_MB = 1024 * 1024;
const COLLECTIONS = 3;
/** Context goes up and down as with clears. */
const FIRST_TOKENS = 20_000;
const TOKENS_A_TURN = 61;
const PROMISE = `after ${MANY} turns at most 5 % above that after ${FEW}`;

export const appGrowth: Bench = {
  name: 'app-growth',
  about: `memory of the desktop application after ${MANY} turns, against after ${FEW}`,
  promise: PROMISE,
  async run(scene, tell) {
    assertProcReadable();
    const desktop = await openDesktop(scene, tell);
    const { env, sessions } = madeHome(scene, SESSIONS);
    const app = await desktop.open(env, '--js-flags=--expose-gc');
    scene.atEnd(() => app.stop());
    const window = new AppPage(await app.window());
    await window.page
      .getByRole('meter')
      .nth(SESSIONS - 1)
      .waitFor();
    const play = async (from: number, to: number) => {
      for (let turn = from; turn < to; turn++)
        await seeTurn(window, sessions[turn % SESSIONS] as MadeSession, turn);
    };
    await play(0, FEW);
    const few = await collected(app);
    tell(`${FEW} turns: ${few.all.toFixed(0)} MB`);
    await play(FEW, MANY);
    const many = await collected(app);
    const [after, before] = [
      figure(`all processes after ${MANY} turns`, 'product', 'MB', [many.all]),
      figure(`all processes after ${FEW} turns`, 'peer', 'MB', [few.all]),
    ] as const;
    const heaps = [
      figure(`heaps after ${MANY} turns`, 'product', 'MB', [many.heaps]),
      figure(`heaps after ${FEW} turns`, 'peer', 'MB', [few.heaps]),
    ] as const;
    const times = ratio(after, before);
    return [
      {
        name: 'app-growth: memory over the turns of a day',
        promise: PROMISE,
        figures: [after, before, ...heaps],
        ratios: [times, ratio(...heaps)],
        holds: times.value <= MOST_TIMES,
      },
    ];
  },
};

async function seeTurn(window: AppPage, session: MadeSession, turn: number): Promise<void> {
  const tokens = FIRST_TOKENS + turn * TOKENS_A_TURN;
  session.append(promptRow('And now?'), replyRow(tokens));
  await window.frameWith(`[role="meter"][aria-valuenow="${tokens}"]`);
}

async function collected(app: ElectronBed): Promise<{ all: number; heaps: number }> {
  const page = await app.window();
  for (let round = 0; round < COLLECTIONS; round++) {
    await app.app.evaluate(() => (globalThis as { gc?: () => void }).gc?.());
    await page.evaluate('globalThis.gc?.()');
  }
  const main = await app.app.evaluate(() => process.memoryUsage().heapUsed);
  const session = await page.context().newCDPSession(page);
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return { all: memoryMb(processTree(app.pid)), heaps: (main + usedSize) / BYTES_PER_MB };
}
