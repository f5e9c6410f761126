/**
 * How much memory a process takes that does nothing but what a benchmark measures: the peak of its
 * resident set, as the system counts it, Node.js itself included. The program is built first, as
 * users get it: from its sources, Node.js would also load a compiler, which takes 40 MB by itself.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import type { Scene } from './scene.ts';

/** What the figure is called, so that nobody takes it for something else. */
export const PEAK_NAME = 'peak resident set of a process that only does this';

/** In MB. `reader` tells its own by `tellPeak`. */
export async function memoryPeak(scene: Scene, reader: URL, args: string[]): Promise<number> {
  const file = join(scene.folder(), 'reader.mjs');
  await build({
    input: fileURLToPath(reader),
    platform: 'node',
    output: { file, format: 'esm', codeSplitting: false },
    transform: { target: 'node20.19' },
    logLevel: 'warn',
  });
  const child = scene.child(() => fork(file, args, { execArgv: [] }));
  const ended = once(child, 'exit');
  const [mb] = await once(child, 'message');
  await ended;
  return mb;
}
