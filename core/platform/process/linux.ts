/** Reads processes on Linux from /proc: no child process, a few microseconds each. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ProcessInfo, ProcessTable } from './process-table.ts';

const PTS_MAJOR_FIRST = 136;
const PTS_MAJOR_LAST = 143;
const TTY_MAJOR = 4;
const FIRST_SERIAL = 64;
const STOPPED = ['T', 't'];

export function linuxProcessTable(): ProcessTable {
  return {
    async lookUp(pids) {
      const found = pids.flatMap((pid) => readStat(pid) ?? []);
      return new Map(found.map((info) => [info.pid, info]));
    },
    async environment(pid, names) {
      // not readable for other users' processes
      const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return pickVariables(text.split('\0'), names);
    },
  };
}

/** The start time of a process, or undefined if there is none. */
export function linuxStartTime(pid: number): string | undefined {
  return readStat(pid)?.startTime;
}

/** Synchronous, because going through the thread pool would cost ten times as much. */
function readStat(pid: number): ProcessInfo | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined; // no such process any more
  }
}

export function parseStat(stat: string): ProcessInfo | undefined {
  // The name stands in parentheses and may itself contain spaces and parentheses.
  const open = stat.indexOf('(');
  const close = stat.lastIndexOf(')');
  if (open < 0 || close < open) return undefined;
  const fields = stat.slice(close + 2).split(' ');
  const [state, parentPid, group, , device, foregroundGroup] = fields;
  const startTime = fields[19];
  if (startTime === undefined || state === 'Z' || state === 'X') return undefined; // a zombie has ended
  const tty = ttyPath(Number(device));
  return {
    pid: Number(stat.slice(0, open)),
    parentPid: Number(parentPid),
    startTime,
    name: stat.slice(open + 1, close),
    ...(tty !== undefined && {
      tty,
      isForeground: group === foregroundGroup && !STOPPED.includes(state ?? ''),
    }),
  };
}

/** proc(5): the minor number sits in bits 31–20 and 7–0, the major one in bits 15–8. */
function ttyPath(device: number): string | undefined {
  const major = (device >> 8) & 0xff;
  const minor = ((device >> 12) & 0xfff00) | (device & 0xff);
  if (major >= PTS_MAJOR_FIRST && major <= PTS_MAJOR_LAST)
    return `/dev/pts/${(major - PTS_MAJOR_FIRST) * 256 + minor}`;
  if (major !== TTY_MAJOR) return undefined;
  return minor < FIRST_SERIAL ? `/dev/tty${minor}` : `/dev/ttyS${minor - FIRST_SERIAL}`;
}

export function pickVariables(
  assignments: readonly string[],
  names: readonly string[],
): Record<string, string> {
  const all = assignments.map((text) => /^(\w+)=(.*)$/s.exec(text)?.slice(1) ?? ['']);
  return Object.fromEntries(all.filter(([name = '']) => names.includes(name)));
}
