/**
 * Waits until a look at the world gives something. The limit only ends a test that would otherwise
 * hang; no test asserts how long a wait took.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const HANG_LIMIT_MS = 100_000;
const REST_MS = 20;
/**
 * A look that takes long, such as one that starts a program, leaves the machine to what it waits
 * for.
 */
const REST_PER_LOOK = 5;
const LONGEST_REST_MS = 250;

type Look<T> = () => T | undefined | false | Promise<T | undefined | false>;

export async function waitFor<T>(what: string | (() => string), look: Look<T>): Promise<T> {
  const deadline = Date.now() + HANG_LIMIT_MS;
  for (;;) {
    const began = Date.now();
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadline)
      throw new Error(`still waiting for ${typeof what === 'string' ? what : what()}`);
    const rest = Math.max(REST_MS, REST_PER_LOOK * (Date.now() - began));
    await sleep(Math.min(rest, LONGEST_REST_MS));
  }
}
