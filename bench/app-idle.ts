/**
 * What the application costs while nothing happens: its icon in the tray, its window hidden, three
 * sessions followed. CPU is counted over all its processes; the peer is the least that Electron can
 * be with a tray, during the same seconds.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { argumentsAsRoot } from '../scripts/electron-runtime.ts';
import type { ElectronDesktop } from '../tests/bed/electron-bed.ts';
import { cpuMs, processTree } from '../tests/bed/process-use.ts';
import { waitFor } from '../tests/bed/wait-for.ts';
import { emptyApplication, openDesktop } from './app-host.ts';
import { assertProcReadable, type Bench, figure, ratio } from './harness.ts';
import { madeHome } from './made-home.ts';
import type { Scene } from './scene.ts';

type Tell = (progress: string) => void;

const SESSIONS = 3;
const APPLICATION = join(import.meta.dirname, '..');
const TITLE = '^Memory Keeper$';
/** The sessions are found and drawn. */
const SEEN_MS = 5000;
const SETTLE_MS = 10_000;
const WINDOWS = 3;
const WINDOW_MS = 20_000;
const MOST_PERCENT = 1;
const PROMISE = `under ${MOST_PERCENT} % of one core`;

export const appIdle: Bench = {
  name: 'app-idle',
  about: `CPU of the desktop application with ${SESSIONS} sessions in which nothing happens`,
  promise: PROMISE,
  async run(scene, tell) {
    assertProcReadable();
    const desktop = await openDesktop(scene, tell);
    const app = await openAndClose(scene, desktop, tell);
    const known = desktop.tray.count;
    const empty = start(scene, desktop, emptyApplication(scene), { HOME: scene.folder() });
    await waitFor('the other icon', () => desktop.tray.count > known);
    tell('settling');
    await sleep(SETTLE_MS);
    const [ofApp, ofEmpty] = await percents([app, empty]);
    const product = figure(
      'Memory Keeper, all its processes',
      'product',
      '% of one core',
      ofApp ?? [],
    );
    const peer = figure('an empty Electron application', 'peer', '% of one core', ofEmpty ?? []);
    return [
      {
        name: `app-idle: ${SESSIONS} sessions, the window hidden`,
        promise: PROMISE,
        figures: [product, peer],
        ratios: [ratio(product, peer)],
        holds: product.median < MOST_PERCENT,
      },
    ];
  },
};

/** Without a debugger: a page that one looks at counts as seen, and goes on drawing. */
function start(scene: Scene, desktop: ElectronDesktop, folder: string, own: NodeJS.ProcessEnv) {
  const env = desktop.environment({ PATH: process.env.PATH, ...own });
  const args = [...argumentsAsRoot(), folder];
  return scene.child(() => spawn(desktop.binary, args, { env, stdio: 'ignore' })).pid as number;
}

/** As a user leaves it: the window was seen, and is closed into the tray. Returns its pid. */
async function openAndClose(scene: Scene, desktop: ElectronDesktop, tell: Tell): Promise<number> {
  const pid = start(scene, desktop, APPLICATION, madeHome(scene, SESSIONS).env);
  const { desktop: screen } = desktop;
  const windows = () => screen.xdotool('search', '--onlyvisible', '--name', TITLE).catch(() => '');
  tell('waiting for the window');
  await waitFor('the window', async () => (await windows()) !== '');
  await sleep(SEEN_MS);
  await screen.xdotool('search', '--onlyvisible', '--name', TITLE, 'windowactivate', '--sync');
  await screen.xdotool('key', 'alt+F4');
  await waitFor('the window to be hidden', async () => (await windows()) === '');
  return pid;
}

/** For each application, its share of one core in each of the windows. */
async function percents(roots: readonly number[]): Promise<number[][]> {
  const used = () =>
    roots.map((root) => processTree(root).reduce((sum, pid) => sum + cpuMs(pid), 0));
  const found: number[][] = roots.map(() => []);
  for (let window = 0; window < WINDOWS; window++) {
    const start = performance.now();
    const before = used();
    await sleep(WINDOW_MS);
    const after = used();
    const elapsed = performance.now() - start;
    for (const [index, ms] of after.entries())
      found[index]?.push(((ms - (before[index] ?? 0)) / elapsed) * 100);
  }
  return found;
}
