/**
 * Lists processes on macOS with `ps`. Not run on a real Mac yet: tested with recorded output
 * (docs/platforms.md).
 */
import { pickVariables } from './linux.ts';
import type { ProcessInfo, ProcessTable } from './process-table.ts';
import { type RunProgram, runProgram } from './run-program.ts';

export function darwinProcessTable(run: RunProgram = runProgram): ProcessTable {
  // Claude Code writes `procStart` with the same locale and zone, so the two compare equal.
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const ps = async (...args: string[]) => (await run('/bin/ps', args, { env })).stdout;
  return {
    async lookUp(pids) {
      if (pids.length === 0) return new Map();
      const columns = 'pid=,ppid=,tty=,stat=,lstart=,comm=';
      const lines = (await ps('-o', columns, '-p', pids.join(','))).split('\n');
      const found = lines.flatMap((line) => parsePsLine(line) ?? []);
      return new Map(found.map((info) => [info.pid, info]));
    },
    async environment(pid, names) {
      const command = await ps('-E', '-ww', '-o', 'command=', '-p', String(pid));
      return pickVariables(command.trim().split(' '), names);
    },
  };
}

const PS_LINE =
  /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\w{3} \w{3}\s+\d+ [\d:]{8} \d{4})\s+(.*\S)\s*$/;

/** ` 501 1 ttys003 S+ Mon Nov 16 02:32:42 2026 /bin/zsh`; the plus is for the foreground. */
function parsePsLine(line: string): ProcessInfo | undefined {
  const match = PS_LINE.exec(line);
  if (match === null) return undefined;
  const [, pid, parentPid, tty, state = '', startTime = '', command = ''] = match;
  return {
    pid: Number(pid),
    parentPid: Number(parentPid),
    startTime,
    name: command.slice(command.lastIndexOf('/') + 1),
    ...(tty !== '??' && {
      tty: `/dev/${tty}`,
      isForeground: state.includes('+') && !state.startsWith('T'),
    }),
  };
}
