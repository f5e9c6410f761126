/**
 * Defines a driver: one way to clear a session (A4). A clear uses the first that is certain. Each
 * types nothing but the fixed texts below (A5), and checks the session before each key (A3).
 */
import type { TrackerOptions } from '../../claude/status/status-tracker.ts';
import { type Message, message } from '../../messages/message.ts';
import type { DriverName } from '../../settings/setting-definitions.ts';

/** The only texts that are ever entered. The control keys around them are in typed-delivery.ts. */
export const FIXED_TEXTS = {
  clear: '/clear',
  /** Run by the mod alone, never typed. */
  compact: '/compact',
  continue: 'Go on with the hand-over.',
} as const;
export type FixedText = (typeof FIXED_TEXTS)[keyof typeof FIXED_TEXTS];

/** The session to clear: this id in this very process. */
export interface ClearTarget {
  sessionId: string;
  pid: number;
  /** When the process started, as the process table says it. */
  processStart: string;
}

export type Certainty = { certain: true; how: Message } | { certain: false; why: Message };

/** `touched`: a key was sent, or the mod may act. Then no other driver may be tried. */
export type Delivery = { done: true } | { done: false; reason: Message; touched: boolean };

export interface DeliveryTools extends TrackerOptions {
  /** How long a key may take to show in the prompt box; tests wait less. */
  echoTimeoutMs?: number;
  /** Why nothing may be typed right now (refusal.ts); undefined if it may. */
  refusal(target: ClearTarget): Promise<Message | undefined>;
}

export interface Driver {
  readonly name: DriverName;
  certainty(target: ClearTarget): Promise<Certainty>;
  /** Resolves once the text was sent; the caller verifies its effect (A7). */
  deliver(target: ClearTarget, text: FixedText): Promise<Delivery>;
}

export type MakeDriver = (tools: DeliveryTools) => Driver;

export function driverName(name: DriverName): Message {
  return message(`driver.${name}`);
}

export function untouched(reason: Message): Delivery {
  return { done: false, reason, touched: false };
}
