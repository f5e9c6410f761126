/**
 * What the drivers of terminals have in common: find the place of the session's process anew each
 * time, then type carefully there.
 */
import type { ProcessInfo } from '../../process/process-table.ts';
import type { ClearTarget, DeliveryTools, Driver } from './driver.ts';
import { deliverTyped, type ReadableTerminal } from './typed-delivery.ts';

export interface Place {
  /** For people: "tmux pane main:1.0". */
  how: string;
  terminal: ReadableTerminal;
}

/** The one place that shows this process, or why it is not certain. */
export type Locate = (process: ProcessInfo & { tty: string }) => Promise<Place | { why: string }>;

/** A terminal that does not answer is none that can be relied on. */
export const ANSWER_WITHIN_MS = 5000;

export function terminalDriver(name: Driver['name'], tools: DeliveryTools, locate: Locate): Driver {
  const find = async (target: ClearTarget): Promise<Place | { why: string }> => {
    const process = (await tools.processes.lookUp([target.pid])).get(target.pid);
    if (process === undefined || process.startTime !== target.processStart)
      return { why: 'its process has ended' };
    const { tty } = process;
    return tty === undefined ? { why: 'it has no terminal' } : locate({ ...process, tty });
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
        return { done: false, reason: 'somebody is typing in it', touched: false };
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
