/**
 * What it costs that no update is lost when several processes change one file at once. The peer
 * writes without a lock and loses updates, which are counted; the limit is one process alone that
 * makes the same number of durable writes.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, figure, interleave, ratio } from './harness.ts';
import type { Scene } from './scene.ts';

const PROCESSES = 8;
const TIMES = 50;
const UPDATES = PROCESSES * TIMES;
const ROUNDS = 3;

export const store: Bench = {
  name: 'store',
  about: `${PROCESSES} processes change one file, ${TIMES} times each`,
  promise: null,
  async run(scene, tell) {
    const lost: Record<string, number[]> = { document: [], plain: [] };
    const measure = (way: string, processes: number) => async () => {
      tell(`${way}, ${processes} at once`);
      const path = join(scene.folder(), 'counter.json');
      const took = await writeAtOnce(scene, way, path, processes);
      lost[way]?.push(UPDATES - countIn(path));
      return took;
    };
    const samples = await interleave(
      {
        document: { measure: measure('document', PROCESSES) },
        plain: { measure: measure('plain', PROCESSES) },
        bare: { measure: measure('bare', 1) },
      },
      { rounds: ROUNDS, warmUps: 0 },
    );
    const product = figure(
      `${UPDATES} updates by ${PROCESSES} processes, locked and durable`,
      'product',
      'ms',
      samples.document,
    );
    const peer = figure(
      `${UPDATES} updates by ${PROCESSES} processes, plain writeFile`,
      'peer',
      'ms',
      samples.plain,
    );
    const limit = figure(`${UPDATES} durable writes by one process`, 'limit', 'ms', samples.bare);
    const ownLoss = figure(
      'updates lost, locked and durable',
      'product',
      'updates',
      lost.document ?? [],
    );
    const peerLoss = figure(
      'updates lost, plain writeFile, a torn file taken for a new one',
      'peer',
      'updates',
      lost.plain ?? [],
    );
    return [
      {
        name: `store: ${PROCESSES} processes change one file, ${TIMES} times each`,
        promise: null,
        figures: [product, peer, limit, ownLoss, peerLoss],
        ratios: [ratio(product, limit), ratio(product, peer)],
        holds: null,
      },
    ];
  },
};

/**
 * All processes are up before the first of them begins; how long it takes until the last is done.
 */
async function writeAtOnce(
  scene: Scene,
  way: string,
  path: string,
  processes: number,
): Promise<number> {
  const args = [way, path, String(UPDATES / processes)];
  const writers = Array.from({ length: processes }, () =>
    scene.child(() => fork(new URL('./store.writer.ts', import.meta.url), args)),
  );
  await Promise.all(writers.map((writer) => once(writer, 'message')));
  const done = Promise.all(writers.map((writer) => once(writer, 'disconnect')));
  const exits = Promise.all(writers.map((writer) => once(writer, 'exit')));
  const start = performance.now();
  for (const writer of writers) writer.send('begin');
  await done;
  const took = performance.now() - start;
  for (const [code] of await exits)
    if (code !== 0) throw new Error(`a writer (${way}) failed with exit code ${code}`);
  return took;
}

/** The plain writers may have left something that is no number at all: then all is lost. */
function countIn(path: string): number {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).count;
  } catch {
    return 0;
  }
}
