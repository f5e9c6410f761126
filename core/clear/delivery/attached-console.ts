/**
 * The console of exactly one session (P2): attaches to it, and checks before each key that the very
 * process still lives in it (A3). Runs in a throwaway child (console-child.ts), because a process
 * has one console at a time, and because native calls may crash.
 */
import { type Message, message } from '../../messages/message.ts';
import type { WindowsApi } from '../../platform/process/windows-api.ts';
import type { ConsoleCalls } from './console-calls.ts';
import { keyEvents } from './console-keys.ts';
import { consoleScreen } from './console-screen.ts';
import type { ClearTarget } from './driver.ts';
import type { Screen } from './prompt-box.ts';
import type { Sent } from './typed-delivery.ts';

type Process = Pick<ClearTarget, 'pid' | 'processStart'>;

/** What the driver asks of the child. */
export interface ConsoleRequests {
  /** Who shares the console, without the child; or why it is not certain. */
  attach(request: Process): Promise<{ pids: number[] } | { why: Message }>;
  /** `isRaw`: the console shows control sequences as they are. */
  read(request: object): Promise<Screen | { unreadable: Message; isRaw: boolean }>;
  /** With a cursor, only if it is there now: else the screen is another than the driver has read. */
  send(request: { keys: string; cursor?: Screen['cursor'] }): Promise<Sent>;
}

/** AttachConsole fails with it if the process has no console. */
const ERROR_INVALID_HANDLE = 6;

export function attachedConsole(
  calls: ConsoleCalls,
  api: WindowsApi,
  ownPid = process.pid,
): ConsoleRequests {
  let attached: Process | undefined;

  function notThere({ pid, processStart }: Process): Message | undefined {
    const now = api.process(pid);
    if (now?.startTime === processStart) return undefined;
    const code = now === undefined ? 'clear.processEnded' : 'clear.processReplaced';
    return message(code, { pid: String(pid) });
  }

  /** Why the console is not, or no longer, that of the process. */
  function refusal(target: Process): Message | undefined {
    const isInIt = () => calls.processes().includes(target.pid);
    return notThere(target) ?? (isInIt() ? undefined : message('driver.consoleOther'));
  }

  return {
    async attach(target) {
      const { pid } = target;
      const gone = notThere(target);
      if (gone !== undefined) return { why: gone };
      const [ours, its] = [api.identity(ownPid), api.identity(pid)];
      if (ours === undefined || its === undefined || ours.user !== its.user)
        return { why: message('driver.consoleOtherUser') };
      if (ours.integrity !== its.integrity) return { why: message('driver.consoleElevated') };
      const code = calls.attach(pid);
      if (code === ERROR_INVALID_HANDLE) return { why: message('driver.consoleNone') };
      if (code !== 0) return { why: message('driver.consoleRefused', { code: String(code) }) };
      const why = refusal(target);
      if (why !== undefined) return { why };
      attached = target;
      return { pids: calls.processes().filter((other) => other !== ownPid) };
    },

    async read() {
      const unreadable = message('driver.consoleUnreadable');
      const cells = calls.cells();
      if (cells === undefined) return { unreadable, isRaw: false };
      return consoleScreen(cells) ?? { unreadable, isRaw: true };
    },

    async send({ keys, cursor }) {
      const events = keyEvents(keys);
      const reason = attached === undefined ? message('driver.consoleNone') : refusal(attached);
      if (reason !== undefined) return { ok: false, reason };
      if (cursor !== undefined && !isSamePlace(cursor, calls.cells()?.cursor))
        return { ok: false, reason: message('driver.screenRestless'), isUnsent: true };
      if (calls.write(events) === events.length) return { ok: true };
      return { ok: false, reason: message('driver.consoleFull') };
    },
  };
}

type Place = Screen['cursor'];

function isSamePlace(a: Place, b: Place): boolean {
  return a?.row === b?.row && a?.column === b?.column;
}
