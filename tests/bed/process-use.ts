/**
 * What processes use, as Linux counts it: a process with all that it started, its CPU time and its
 * share of memory.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { attempt } from '../../core/platform/store/attempt.ts';

/** 100 a second on every Linux that Node runs on. */
const TICK_MS = 10;
const NS_PER_MS = 1_000_000;
const KB_PER_MB = 1024;

/** The process and everything below it. */
export function processTree(root: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = attempt(() => readFileSync(`/proc/${name}/stat`, 'utf8'), ''); // it may have ended meanwhile
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (stat !== '') parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const below = (pid: number): number[] => [pid, ...(parents.get(pid) ?? []).flatMap(below)];
  return below(root);
}

/**
 * The threads of the process in nanoseconds, from the scheduler: a promise of 1 % cannot be judged
 * in the ticks of /proc/<pid>/stat. Only children that have ended are counted in ticks, proc(5).
 */
export function cpuMs(pid: number): number {
  const threads = attempt(() => readdirSync(`/proc/${pid}/task`), []).map((thread) =>
    attempt(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), '0'),
  );
  const own = threads.reduce((sum, thread) => sum + Number(thread.split(' ')[0]) / NS_PER_MS, 0);
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '');
  const [childUser = 0, childSystem = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return own + (Number(childUser) + Number(childSystem)) * TICK_MS;
}

/** Memory of all of them in MB, what several share counted once. */
export function memoryMb(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + pssKb(pid), 0) / KB_PER_MB;
}

function pssKb(pid: number): number {
  const rollup = attempt(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
}
