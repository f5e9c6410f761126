/** What all terminal drivers share: they find the pane again for each delivery, and type there. */
import { type Message, type MessageValue, message } from '../../messages/message.ts';
import { ancestry, type ProcessInfo } from '../../platform/process/process-table.ts';
import type { ProgramOptions } from '../../platform/process/run-program.ts';
import {
  type ClearTarget,
  type DeliveryTools,
  type Driver,
  driverName,
  untouched,
} from './driver.ts';
import { deliverTyped, type ReadableTerminal } from './typed-delivery.ts';

type Located = { how: Message; terminal: ReadableTerminal } | { why: Message };
type ProcessOnTty = ProcessInfo & { tty: string };
type ProgramAnswer = { ok: true; stdout: string } | { ok: false; stdout: string; reason: Message };

export function programFailed(name: Driver['name'], reason: MessageValue): Message {
  return message('driver.programFailed', { driver: driverName(name), reason });
}

/** Runs the terminal's own program with these first arguments. */
export function programOf(
  name: Driver['name'],
  { run }: DeliveryTools,
  firstArgs: readonly string[],
  options?: ProgramOptions,
): (...args: string[]) => Promise<ProgramAnswer> {
  return async (...args) => {
    const { ok, stdout, reason } = await run(name, [...firstArgs, ...args], options);
    return ok ? { ok, stdout } : { ok, stdout, reason: programFailed(name, reason) };
  };
}

export function notIn(name: Driver['name']): { why: Message } {
  return { why: message('driver.notIn', { driver: driverName(name) }) };
}

/** The server of a multiplexer above a session, and the process that it started for the pane. */
export async function multiplexerOf(
  name: Driver['name'],
  { processes }: DeliveryTools,
  { pid, tty }: ProcessOnTty,
  serverName: RegExp,
): Promise<{ server: ProcessInfo; child: ProcessInfo } | { why: Message }> {
  const chain = await ancestry(processes, pid);
  const index = chain.findIndex((parent) => serverName.test(parent.name) && parent.tty !== tty);
  const [server, child] = [chain[index], chain[index - 1]];
  return server === undefined || child === undefined ? notIn(name) : { server, child };
}

/** `locate` finds the one pane that shows this process, or says why it is not certain. */
export function terminalDriver(
  name: Driver['name'],
  tools: DeliveryTools,
  locate: (process: ProcessOnTty) => Promise<Located>,
): Driver {
  const find = async (target: ClearTarget): Promise<Located> => {
    const process = (await tools.processes.lookUp([target.pid])).get(target.pid);
    if (process === undefined || process.startTime !== target.processStart)
      return { why: message('clear.processEnded', { pid: String(target.pid) }) };
    const { tty } = process;
    return tty === undefined ? { why: message('driver.noTerminal') } : locate({ ...process, tty });
  };
  return {
    name,

    async certainty(target) {
      const found = await find(target);
      return 'why' in found ? { certain: false, ...found } : { certain: true, how: found.how };
    },

    async deliver(target, text) {
      const found = await find(target);
      if ('why' in found) return untouched(found.why);
      const { terminal } = found;
      if ((await terminal.settle?.()) === false) return untouched(message('driver.someoneTyping'));
      const { echoTimeoutMs } = tools;
      return deliverTyped({ terminal, text, refusal: () => tools.refusal(target), echoTimeoutMs });
    },
  };
}
