/**
 * What the operating system says about processes: start time, parent, terminal. One interface, one
 * small file per platform. Pid AND start time identify a process, since pids are reused (C3, A3).
 */
import { darwinProcessTable } from './darwin.ts';
import { linuxProcessTable } from './linux.ts';
import { askStartTimesBy } from './start-times.ts';
import { win32ProcessTable } from './win32.ts';
import { windowsApi } from './windows-api.ts';

export interface ProcessInfo {
  pid: number;
  parentPid: number;
  /** In the platform's own form; only compared for equality. Empty if it is not known. */
  startTime: string;
  name: string;
  /** The controlling terminal as a path, e.g. `/dev/pts/3`. */
  tty?: string;
  /** False if suspended or in the background: typed keys do not reach it. Undefined if unknown. */
  isForeground?: boolean;
}

export interface ProcessTable {
  /** The processes among `pids` that are alive. One call for many: it may cost a child process. */
  lookUp(pids: readonly number[]): Promise<Map<number, ProcessInfo>>;
  /** Only the named variables of a process's environment: the others may be secrets. */
  environment(pid: number, names: readonly string[]): Promise<Record<string, string>>;
}

export function systemProcessTable(): ProcessTable {
  if (process.platform === 'win32') return windowsTable();
  if (process.platform === 'darwin') return cached(darwinProcessTable(), 1500);
  return linuxProcessTable();
}

/** From here on, owners of locks are known by their start times too. */
function windowsTable(): ProcessTable {
  const api = windowsApi();
  if (api !== undefined) askStartTimesBy((pid) => api.process(pid)?.startTime);
  return win32ProcessTable(api);
}

/** For macOS, where each call costs a child process. */
function cached(table: ProcessTable, keepMs: number): ProcessTable {
  const cache = new Map<number, { seenAt: number; info: ProcessInfo | undefined }>();
  return {
    async lookUp(pids) {
      const isFresh = (pid: number) => Date.now() - (cache.get(pid)?.seenAt ?? 0) < keepMs;
      const missing = pids.filter((pid) => !isFresh(pid));
      const found = await table.lookUp(missing);
      for (const pid of missing) cache.set(pid, { seenAt: Date.now(), info: found.get(pid) });
      const alive = pids.flatMap((pid) => cache.get(pid)?.info ?? []);
      return new Map(alive.map((info) => [info.pid, info]));
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
