/**
 * What the operating system says of a process: is it alive, since when, who is its parent, which
 * terminal has it. One interface, one small file per platform. A process is known by pid AND start
 * time, since pids are used again (C3, A3).
 */
import { darwinProcessTable } from './darwin.ts';
import { linuxProcessTable } from './linux.ts';
import { win32ProcessTable } from './win32.ts';

export interface ProcessInfo {
  pid: number;
  parentPid: number;
  /** Opaque and in the platform's own words; only ever compared for equality. */
  startTime: string;
  name: string;
  /** The controlling terminal as a path, e.g. `/dev/pts/3`. */
  tty?: string;
  /**
   * Whether what is typed there reaches it: false if it is suspended or in the background.
   * Undefined where that is not known.
   */
  isForeground?: boolean;
}

export interface ProcessTable {
  /**
   * The processes among `pids` that are alive. One call for many, since a look costs a child
   * process on some systems.
   */
  lookUp(pids: readonly number[]): Promise<Map<number, ProcessInfo>>;
  /**
   * The named variables of another process's environment; never the others, they may be secrets.
   */
  environment(pid: number, names: readonly string[]): Promise<Record<string, string>>;
}

export function systemProcessTable(): ProcessTable {
  if (process.platform === 'win32') return rarely(win32ProcessTable(), 5000);
  if (process.platform === 'darwin') return rarely(darwinProcessTable(), 1500);
  return linuxProcessTable();
}

/** Where a look costs a child process, its answer serves for a while. */
function rarely(table: ProcessTable, keepMs: number): ProcessTable {
  const known = new Map<number, { seenAt: number; info: ProcessInfo | undefined }>();
  return {
    async lookUp(pids) {
      const isFresh = (pid: number) => Date.now() - (known.get(pid)?.seenAt ?? 0) < keepMs;
      const missing = pids.filter((pid) => !isFresh(pid));
      const found = await table.lookUp(missing);
      for (const pid of missing) known.set(pid, { seenAt: Date.now(), info: found.get(pid) });
      return new Map(
        pids.flatMap((pid) =>
          known.get(pid)?.info === undefined ? [] : [[pid, known.get(pid)?.info as ProcessInfo]],
        ),
      );
    },
    environment: (pid, names) => table.environment(pid, names),
  };
}

/** The process itself and its parents, nearest first. */
export async function ancestry(table: ProcessTable, pid: number): Promise<ProcessInfo[]> {
  const chain: ProcessInfo[] = [];
  const seen = new Set<number>();
  for (let next = pid; next > 1 && !seen.has(next); ) {
    seen.add(next);
    const info = (await table.lookUp([next])).get(next);
    if (info === undefined) break;
    chain.push(info);
    next = info.parentPid;
  }
  return chain;
}
