/**
 * Lists processes on Windows with PowerShell. Not run on a real Windows yet: tested with recorded
 * output (docs/platforms.md).
 */
import * as v from 'valibot';
import type { ProcessInfo, ProcessTable } from './process-table.ts';
import { type RunProgram, runProgram } from './run-program.ts';

const CimProcess = v.object({
  ProcessId: v.number(),
  ParentProcessId: v.number(),
  Name: v.string(),
  StartFileTime: v.string(),
});

export function win32ProcessTable(run: RunProgram = runProgram): ProcessTable {
  return {
    async lookUp(pids) {
      if (pids.length === 0) return new Map();
      const filter = pids.map((pid) => `ProcessId=${pid}`).join(' or ');
      // Claude Code writes `procStartFt`, the start as a FILETIME.
      const script =
        `Get-CimInstance Win32_Process -Filter '${filter}' | ForEach-Object { [pscustomobject]@{ ProcessId=$_.ProcessId; ` +
        'ParentProcessId=$_.ParentProcessId; Name=$_.Name; StartFileTime="$($_.CreationDate.ToFileTime())" } } | ConvertTo-Json -Compress';
      const args = ['-NoProfile', '-NonInteractive', '-Command', script];
      const { stdout } = await run('powershell.exe', args);
      return new Map(parseCimJson(stdout).map((info) => [info.pid, info]));
    },
    // Windows does not let one process read another's environment without native code.
    environment: async () => ({}),
  };
}

/** PowerShell prints one object bare and several as an array. */
function parseCimJson(text: string): ProcessInfo[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return []; // nothing alive: PowerShell prints nothing at all
  }
  return [parsed].flat().flatMap((item) => {
    const found = v.safeParse(CimProcess, item);
    if (!found.success) return [];
    const { ProcessId, ParentProcessId, Name, StartFileTime } = found.output;
    return [{ pid: ProcessId, parentPid: ParentProcessId, startTime: StartFileTime, name: Name }];
  });
}
