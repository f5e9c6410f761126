/** Waits for something that nobody announces: reads it at intervals until it is as expected. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Reads at least once, and returns the last value whether or not it `isDone`. */
export async function poll<T>(
  read: () => T | Promise<T>,
  isDone: (value: T) => boolean,
  { timeoutMs, intervalMs }: { timeoutMs: number; intervalMs: number },
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (isDone(value) || Date.now() > deadline) return value;
    await sleep(intervalMs);
  }
}
