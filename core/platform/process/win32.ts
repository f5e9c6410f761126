/**
 * Lists processes on Windows by its own calls (windows-api.ts). Without those, in hooks, a process
 * is known by its pid alone.
 */
import { isPidInUse } from './pid-in-use.ts';
import type { ProcessTable } from './process-table.ts';
import type { WindowsApi } from './windows-api.ts';

export function win32ProcessTable(api: WindowsApi | undefined): ProcessTable {
  const look = (pid: number) => {
    if (api !== undefined) return api.process(pid);
    return isPidInUse(pid) ? { pid, parentPid: 0, startTime: '', name: '' } : undefined;
  };
  return {
    async lookUp(pids) {
      const found = pids.flatMap((pid) => look(pid) ?? []);
      return new Map(found.map((info) => [info.pid, info]));
    },
    // No driver for Windows needs any variable.
    environment: async () => ({}),
  };
}
