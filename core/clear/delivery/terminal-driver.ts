/**
 * What all terminal drivers share: find the pane of the session's process each time again, then
 * type carefully there.
 */
import { type Message, type MessageValue, message } from '../../messages/message.ts';
import type { ProcessInfo } from '../../platform/process/process-table.ts';
import type { ProgramResult } from '../../platform/process/run-program.ts';
import { type ClearTarget, type DeliveryTools, type Driver, driverName } from './driver.ts';
import { deliverTyped, type ReadableTerminal, type Sent } from './typed-delivery.ts';

export interface Place {
  how: Message;
  terminal: ReadableTerminal;
}

/** The one place that shows this process, or why it is not certain. */
export type Locate = (process: ProcessInfo & { tty: string }) => Promise<Place | { why: Message }>;

/** A terminal that does not answer is none that can be relied on. */
export const ANSWER_WITHIN_MS = 5000;

/** What a terminal's own program said when it failed. */
export function programFailed(name: Driver['name'], { reason }: { reason: MessageValue }): Message {
  return message('driver.programFailed', { driver: driverName(name), reason });
}

export function sentBy(name: Driver['name'], result: ProgramResult): Sent {
  return result.ok ? { ok: true } : { ok: false, reason: programFailed(name, result) };
}

export function terminalDriver(name: Driver['name'], tools: DeliveryTools, locate: Locate): Driver {
  const find = async (target: ClearTarget): Promise<Place | { why: Message }> => {
    const process = (await tools.processes.lookUp([target.pid])).get(target.pid);
    if (process === undefined || process.startTime !== target.processStart)
      return { why: message('clear.processEnded', { pid: String(target.pid) }) };
    const { tty } = process;
    return tty === undefined ? { why: message('driver.noTerminal') } : locate({ ...process, tty });
  };
  return {
    name,

    async certainty(target) {
      const place = await find(target);
      return 'why' in place
        ? { certain: false, why: place.why }
        : { certain: true, how: place.how };
    },

    async deliver(target, text) {
      const place = await find(target);
      if ('why' in place) return { done: false, reason: place.why, touched: false };
      if ((await place.terminal.settle?.()) === false)
        return { done: false, reason: message('driver.someoneTyping'), touched: false };
      const { patienceMs } = tools;
      return deliverTyped({
        terminal: place.terminal,
        text,
        refusal: () => tools.refusal(target),
        ...(patienceMs !== undefined && { patienceMs }),
      });
    },
  };
}
