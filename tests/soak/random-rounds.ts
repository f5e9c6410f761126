/**
 * The random tests of the unit suite, with many times as many rounds as there: damaged files and
 * lines, and texts that people may write. A failure names its seed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const FILES = ['any-text', 'tests/fuzz', 'spoken-rows', 'hostile-archive'];

/** Throws if a promise did not hold; vitest has told which. */
export async function randomRounds({ seed, rounds }: { seed: number; rounds: number }) {
  const env = { ...process.env, SOAK_SEED: String(seed), SOAK_ROUNDS: String(rounds) };
  const args = [VITEST, 'run', '--project', 'unit', '--testTimeout', '0', ...FILES];
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`random rounds with seed ${seed} failed`);
}
