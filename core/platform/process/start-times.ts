/**
 * Start times for owners of locks and records: a pid that is in use again is another process. Hooks
 * run this at every start, so it costs nothing there: Linux has a file, macOS starts `ps` only for
 * the owner of a lock that stands in the way, and on Windows hooks hold locks without it (lock.ts).
 */
import { isSameDarwinStart, ownDarwinStartTime } from './darwin-start-time.ts';
import { linuxStartTime } from './linux.ts';
import { isPidInUse } from './pid-in-use.ts';

interface StartTimes {
  own(): string;
  isSame(pid: number, startTime: string): boolean;
}

/** Exact ones, asked in one way for all processes. */
function exact(startTimeOf: (pid: number) => string | undefined): StartTimes {
  let own: string | undefined;
  return {
    own() {
      own ??= startTimeOf(process.pid) ?? '';
      return own;
    },
    isSame: (pid, startTime) => startTimeOf(pid) === startTime,
  };
}

const BY_PLATFORM: Partial<Record<NodeJS.Platform, StartTimes>> = {
  linux: exact(linuxStartTime),
  darwin: { own: ownDarwinStartTime, isSame: isSameDarwinStart },
};
let startTimes = BY_PLATFORM[process.platform] ?? { own: () => '', isSame: isPidInUse };

/** For hosts that can ask Windows (windows-api.ts). */
export function askStartTimesBy(startTimeOf: (pid: number) => string | undefined): void {
  startTimes = exact(startTimeOf);
}

/** Digits; empty if it is not known. */
export function ownStartTime(): string {
  return startTimes.own();
}

/** Whether the process with this pid now is the one that started then. */
export function isSameStart(pid: number, startTime: string): boolean {
  return startTimes.isSame(pid, startTime);
}
