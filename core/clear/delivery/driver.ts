/**
 * What a way to clear a session is (A4). Each way lives in a file of its own beside this one;
 * whoever clears takes the first that is certain. A way types nothing but the fixed texts below
 * (A5), and looks at the session again before each key (A3).
 */
import { type Message, message } from '../../messages/message.ts';
import type { ProcessTable } from '../../platform/process/process-table.ts';
import type { RunProgram } from '../../platform/process/run-program.ts';
import type { Places } from '../../platform/store/places.ts';
import type { WayToClear } from '../../settings/setting-definitions.ts';

/** All that is ever typed. */
export const FIXED_TEXTS = { clear: '/clear', continue: 'Go on with the hand-over.' } as const;
export type FixedText = (typeof FIXED_TEXTS)[keyof typeof FIXED_TEXTS];

/** The session that is meant: this id in this very process. */
export interface ClearTarget {
  sessionId: string;
  pid: number;
  /** When the process started, as the process table says it. */
  processStart: string;
}

export type Certainty = { certain: true; how: Message } | { certain: false; why: Message };

/**
 * `touched`: a key was sent, or the mod may have seen the request. Then no other driver may be
 * tried.
 */
export type Delivery = { done: true } | { done: false; reason: Message; touched: boolean };

export interface DeliveryTools {
  places: Places;
  env: NodeJS.ProcessEnv;
  processes: ProcessTable;
  run: RunProgram;
  /** How long to look at a prompt box until a key shows; tests have less patience. */
  patienceMs?: number;
  /**
   * Why nothing may be typed right now (busy, waiting, gone, another session, another process);
   * undefined if it may.
   */
  refusal(target: ClearTarget): Promise<Message | undefined>;
}

export interface Driver {
  readonly name: WayToClear;
  certainty(target: ClearTarget): Promise<Certainty>;
  /**
   * Resolves once the text was sent; whether it had its effect is verified by whoever asked (A7).
   */
  deliver(target: ClearTarget, text: FixedText): Promise<Delivery>;
}

export type MakeDriver = (tools: DeliveryTools) => Driver;

export function driverName(name: WayToClear): Message {
  return message(`driver.${name}`);
}
