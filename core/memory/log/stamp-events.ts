/**
 * Gives new journal events what makes them unique everywhere and puts them in order: a uid, the
 * machine, and a clock that is later than all that the journal has. Call it under the journal's
 * lock.
 */
import { machineId } from '../../platform/store/machine.ts';
import { randomHex } from '../../platform/store/owner.ts';
import { isRecord, stringAt } from '../../platform/text/json.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { clockText, laterClock, nextTick, type Tick, tickOf } from './clock.ts';
import {
  type JournalEvent,
  journalBytes,
  newUid,
  readJournal,
  UID_REST_DIGITS,
} from './journal.ts';
import { readMemoryIndex } from './memory-index.ts';

/** Stands for the machine where our home cannot be written. */
const ONLY_THIS_PROCESS = randomHex(12);

/** Stamps the events of one change. Reads the journal only if there are any. */
export class EventStamps {
  readonly #memory: ProjectMemory;
  #last: { tick: Tick | undefined } | undefined;

  constructor(memory: ProjectMemory) {
    this.#memory = memory;
  }

  /** An event that has a uid was stamped before, here or on another machine. */
  stamp<T extends JournalEvent>(events: readonly T[], now = Date.now()): T[] {
    return events.map((event) => (event.uid === undefined ? this.#stamped(event, now) : event));
  }

  #stamped<T extends JournalEvent>(event: T, now: number): T {
    this.#last ??= { tick: tickOf(lastClock(this.#memory)) };
    const tick = nextTick(this.#last.tick, now);
    this.#last = { tick };
    const machine = machineId() ?? ONLY_THIS_PROCESS;
    const uid = newUid(tick.ms, randomHex(UID_REST_DIGITS));
    const item = uidOfItem(event);
    const named = item === undefined ? event : { ...event, item };
    return { ...named, uid, machine, clock: clockText(tick, machine) };
  }
}

function uidOfItem(event: JournalEvent): string | undefined {
  if (event.type !== 'edit' || event.document === 'memory' || event.id === '') return undefined;
  const uidIn = (item: unknown) => (isRecord(item) ? stringAt(item, 'uid') : undefined);
  return uidIn(event.before) ?? uidIn(event.value);
}

/** The index knows it for the part of the journal that it includes; the rest is read. */
function lastClock(memory: ProjectMemory): string | undefined {
  const { clock, journal = 0 } = readMemoryIndex(memory);
  const isKnown = clock !== undefined && journal <= journalBytes(memory);
  const { events } = readJournal(memory, isKnown ? journal : 0);
  return events.reduce((last, event) => laterClock(last, event.clock), clock);
}
