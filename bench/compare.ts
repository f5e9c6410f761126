/**
 * `npm run bench:compare -- <other checkout>`: runs benchmarks of this build and of another, built
 * one by turns, and prints for each figure of the product how many times the other's it is. Figures
 * are matched by their place, because an older build may name them otherwise.
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Figure, Result } from './harness.ts';

const HELP = `Compares the benchmarks of this build with those of another checkout, by turns in one run.

Usage: npm run bench:compare -- <other checkout> --only <name>... [--rounds <n>]

The other checkout must be installed and built. A ratio below 1 means that this one needs less.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '3' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const [other] = positionals;

async function measured(folder: string, name: string): Promise<Figure[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['bench/run.ts', '--only', name, '--json'],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
  );
  const { results } = JSON.parse(stdout) as { results: Result[] };
  for (const { notRun } of results) if (notRun !== undefined) throw new Error(`${name}: ${notRun}`);
  return results.flatMap(({ name: of, figures }) =>
    figures.map((figure) => ({ ...figure, name: `${of} · ${figure.name}` })),
  );
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

async function compare(name: string, folder: string, rounds: number): Promise<void> {
  const ours: Figure[][] = [];
  const theirs: Figure[][] = [];
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`${name}: round ${round + 1} of ${rounds}\n`);
    ours.push(await measured(process.cwd(), name));
    theirs.push(await measured(folder, name));
  }
  const at = (rows: Figure[][], i: number) =>
    median(rows.map((row) => row[i]?.median ?? Number.NaN));
  for (const [i, { name: figure, unit, role }] of (ours[0] ?? []).entries()) {
    const [now, before] = [at(ours, i), at(theirs, i)];
    const ratio = (now / before).toFixed(2).padStart(6);
    process.stdout.write(
      `${ratio} ×  ${now.toPrecision(3)} : ${before.toPrecision(3)} ${unit}  ${figure} (${role})\n`,
    );
  }
}

if (values.help || other === undefined || values.only.length === 0) process.stdout.write(HELP);
else for (const name of values.only) await compare(name, resolve(other), Number(values.rounds));
