/**
 * How long it takes from the start of the application to its icon in the tray, seen from the
 * panel's side of the session bus. The peer is the least that Electron can be with a tray, started
 * in turns with ours.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { attempt } from '../core/platform/store/attempt.ts';
import { argumentsAsRoot } from '../scripts/electron-runtime.ts';
import type { ElectronDesktop } from '../tests/bed/electron-bed.ts';
import { processTree } from '../tests/bed/process-use.ts';
import { waitFor } from '../tests/bed/wait-for.ts';
import { emptyApplication, openDesktop } from './app-host.ts';
import { type Bench, figure, interleave, ratio } from './harness.ts';
import { madeHome } from './made-home.ts';
import type { Scene } from './scene.ts';

const APPLICATION = join(import.meta.dirname, '..');
const SESSIONS = 3;
const STARTS = 8;
const MOST_TIMES = 1.5;
const PROMISE = `under ${MOST_TIMES} times an empty Electron application with a tray`;

export const appStart: Bench = {
  name: 'app-start',
  about: 'from the start of the application to its icon in the tray',
  promise: PROMISE,
  async run(scene, tell) {
    const desktop = await openDesktop(scene, tell);
    const { env } = madeHome(scene, SESSIONS);
    const empty = {
      folder: emptyApplication(scene),
      env: { PATH: process.env.PATH, HOME: scene.folder() },
    };
    tell('starting');
    const samples = await interleave(
      {
        ours: { measure: () => startToTray(scene, desktop, [APPLICATION, '--hidden'], env) },
        empty: { measure: () => startToTray(scene, desktop, [empty.folder], empty.env) },
      },
      { rounds: STARTS, warmUps: 1 },
    );
    const product = figure('Memory Keeper', 'product', 'ms', samples.ours);
    const peer = figure('an empty Electron application', 'peer', 'ms', samples.empty);
    const times = ratio(product, peer);
    return [
      {
        name: 'app-start: to the icon in the tray',
        promise: PROMISE,
        figures: [product, peer],
        ratios: [times],
        holds: times.value < MOST_TIMES,
      },
    ];
  },
};

async function startToTray(
  scene: Scene,
  desktop: ElectronDesktop,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const known = desktop.tray.count;
  const start = performance.now();
  const child = scene.child(() =>
    spawn(desktop.binary, [...argumentsAsRoot(), ...args], {
      env: desktop.environment(env),
      stdio: 'ignore',
    }),
  );
  await waitFor('the icon', () => desktop.tray.count > known);
  const took = performance.now() - start;
  const ended = once(child, 'exit');
  for (const pid of processTree(child.pid as number))
    attempt(() => process.kill(pid, 'SIGKILL'), false); // some end with others
  await ended;
  return took;
}
