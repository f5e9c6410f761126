/**
 * Measures a thing beside its peer and its physical limit, in turns within one run, so that
 * whatever else the machine does meets all of them alike. Contenders come in, medians and ratios go
 * out; a figure alone says more of the machine than of us.
 */
import { existsSync } from 'node:fs';
import type { Scene } from './scene.ts';

export interface Bench {
  name: string;
  about: string;
  /** For when it cannot be run; the results tell theirs. */
  promise: string | null;
  /** Everything it starts or writes is given to the scene, which ends and removes it. */
  run(scene: Scene, tell: (progress: string) => void, given: Given): Promise<Result[]>;
}

/** What the caller gives to benchmarks that measure something of theirs. */
export interface Given {
  /** A folder with transcripts. */
  data?: string | undefined;
  /** A file for what a person has to read. */
  list?: string | undefined;
}

type Unit = 'ms' | '% of one core' | 'updates' | 'MB' | '%' | Counted;
type Counted = 'texts' | 'files' | 'calls' | 'redactions' | 'readings' | 'ids';

export interface Figure {
  name: string;
  role: 'product' | 'peer' | 'limit';
  unit: Unit;
  median: number;
  p95: number;
  samples: number;
}

export interface Ratio {
  name: string;
  value: number;
}

export interface Result {
  name: string;
  /** What is promised to users, or `null` where nothing is. */
  promise: string | null;
  figures: Figure[];
  ratios: Ratio[];
  /** `null` where nothing is promised or nothing could be measured. */
  holds: boolean | null;
  /** Why there are no figures. */
  notRun?: string;
}

/** A piece is missing: told as a result, not as a failure. */
export class NotRun extends Error {
  override name = 'NotRun';
}

export interface Contender {
  /** One sample, in the unit of its figure. */
  measure(): number | Promise<number>;
  /** Fewer rounds than the others and no warm-up, for what takes long. */
  rounds?: number;
}

/**
 * Every contender once, then every contender again: what slows the machine down for a while slows
 * all of them.
 */
export async function interleave<K extends string>(
  contenders: Record<K, Contender>,
  { rounds, warmUps = 1 }: { rounds: number; warmUps?: number },
): Promise<Record<K, number[]>> {
  const entries = Object.entries(contenders) as [K, Contender][];
  const samples = Object.fromEntries(entries.map(([key]) => [key, []])) as unknown as Record<
    K,
    number[]
  >;
  for (let round = -warmUps; round < rounds; round++) {
    for (const [key, contender] of entries) {
      if (contender.rounds !== undefined && (round < 0 || round >= contender.rounds)) continue;
      const sample = await contender.measure();
      if (round >= 0) samples[key].push(sample);
    }
  }
  return samples;
}

/** A contender that is measured by how long it takes. */
export function timed(action: () => unknown): () => Promise<number> {
  return async () => {
    const start = performance.now();
    await action();
    return performance.now() - start;
  };
}

export function figure(
  name: string,
  role: Figure['role'],
  unit: Unit,
  samples: readonly number[],
): Figure {
  return {
    name,
    role,
    unit,
    median: percentile(samples, 50),
    p95: percentile(samples, 95),
    samples: samples.length,
  };
}

/** Counted once, of the product. */
export function count(name: string, unit: Counted, number: number): Figure {
  return figure(name, 'product', unit, [number]);
}

/** So much of the whole, in percent; not a number where there is nothing. */
export function share(name: string, part: number, whole: number): Figure {
  return figure(name, 'product', '%', [(100 * part) / whole]);
}

/** How many times the one figure's median the other's is. */
export function ratio(of: Figure, to: Figure): Ratio {
  return { name: `${of.name} ÷ ${to.name}`, value: of.median / to.median };
}

/** The smallest sample that is not exceeded by `percent` of them. */
function percentile(samples: readonly number[], percent: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** What processes use is read from there. */
export function assertProcReadable(): void {
  if (!existsSync('/proc/self/schedstat') || !existsSync('/proc/self/smaps_rollup'))
    throw new NotRun(
      'what a process uses is read from schedstat and smaps_rollup in /proc, which are not here',
    );
}
