/**
 * A hybrid logical clock for journal events: the time of day where that moves on, else a count on
 * top of the latest time seen. It never goes back, whatever the system's clock does, and is later
 * than every event of the journal, also of events that came from other machines.
 *
 * As text `2026-11-16T09:00:00.000Z-0000-<machine>`: texts compare as the clocks do.
 */

export const CLOCK = /^(2[01]\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)-([0-9a-f]{4})-[0-9a-f]{12}$/;
const MAX_COUNT = 0xffff;
/** A system's clock may be anywhere; these years have four digits, so that texts compare. */
const [EARLIEST_MS, LATEST_MS] = [Date.parse('2000-01-01T00:00:00Z'), Date.parse('2198-12-31')];

export interface Tick {
  ms: number;
  count: number;
}

/** Undefined for a text that is no clock of ours, such as one from a foreign archive. */
export function tickOf(clock: string | undefined): Tick | undefined {
  const [, time = '', count = ''] = CLOCK.exec(clock ?? '') ?? [];
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? undefined : { ms, count: Number.parseInt(count, 16) };
}

export function clockText({ ms, count }: Tick, machine: string): string {
  return `${new Date(ms).toISOString()}-${count.toString(16).padStart(4, '0')}-${machine}`;
}

/** The next tick after the last one seen. */
export function nextTick(last: Tick | undefined, nowMs: number): Tick {
  const now = Math.min(Math.max(nowMs, EARLIEST_MS), LATEST_MS);
  if (last === undefined || now > last.ms) return { ms: now, count: 0 };
  return last.count < MAX_COUNT
    ? { ms: last.ms, count: last.count + 1 }
    : { ms: last.ms + 1, count: 0 };
}

/** What is no clock counts as the earliest. */
export function laterClock(one: string | undefined, other: string | undefined): string | undefined {
  if (tickOf(other) === undefined) return one;
  return tickOf(one) === undefined || (other ?? '') > (one ?? '') ? other : one;
}
