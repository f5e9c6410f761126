/**
 * How long the first look at a project's facts takes with 50,000 of them: from the key that opens
 * Memory to rows that can be read, in an application that was just started. The peer is the same
 * application with 50 facts.
 */
import { join } from 'node:path';
import { AppPage } from '../tests/bed/app-page.ts';
import { makeManyFacts } from '../tests/bed/demo/many-facts.ts';
import { openHost } from './app-host.ts';
import { type Bench, figure, interleave, type Result, ratio } from './harness.ts';
import type { Scene } from './scene.ts';

const MANY = 50_000;
const FEW = 50;
const STARTS = 5;
const MOST_MS = 300;
const PROMISE = `under ${MOST_MS} ms with ${MANY.toLocaleString('en-US')} facts`;

export const appFacts: Bench = {
  name: 'app-facts',
  about: `the first view of a project with ${MANY.toLocaleString('en-US')} facts`,
  promise: PROMISE,
  async run(scene, tell) {
    tell(`making ${MANY} facts`);
    const many = homeWith(scene, MANY);
    const few = homeWith(scene, FEW);
    tell('opening');
    const first = await interleave(
      {
        many: { measure: async () => (await firstLook(scene, many, tell)).first },
        few: { measure: async () => (await firstLook(scene, few, tell)).first },
      },
      { rounds: STARTS, warmUps: 0 },
    );
    const product = figure(`the first facts of ${MANY}`, 'product', 'ms', first.many);
    const peer = figure(`the first facts of ${FEW}`, 'peer', 'ms', first.few);
    const result: Result = {
      name: 'app-facts: from the key to rows, in an application just started',
      promise: PROMISE,
      figures: [product, peer],
      ratios: [ratio(product, peer)],
      holds: product.median < MOST_MS,
    };
    return [result];
  },
};

function homeWith(scene: Scene, count: number): NodeJS.ProcessEnv {
  const home = scene.folder();
  const claude = join(home, '.claude');
  makeManyFacts({ claude, home: join(claude, 'memory-keeper') }, join(home, 'work', 'many'), count);
  return { PATH: process.env.PATH, HOME: home };
}

async function firstLook(
  scene: Scene,
  env: NodeJS.ProcessEnv,
  tell: (progress: string) => void,
): Promise<{ first: number }> {
  const app = await openHost(scene, 'browser', env, tell);
  const window = new AppPage(app.page);
  await window.rail('sessions').waitFor();
  await window.chooseProject('many');
  await window.open('activity');
  const start = performance.now();
  await app.page.keyboard.press('2');
  await app.page.getByRole('tab', { name: window.text('memory.facts') }).click();
  await window.frameWith(
    '[role="grid"] [role="gridcell"] :not(.table-pending), [role="grid"] [role="gridcell"]:not(:empty)',
  );
  const first = performance.now() - start;
  await app.stop();
  return { first };
}
