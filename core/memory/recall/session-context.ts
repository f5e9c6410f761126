/**
 * What a session has in its context (K7), as far as we know it: what was said and done in it since
 * its start or its last compaction, its briefing, and the notes that it has been given. Names are
 * compared with that, and sentences with the briefing.
 */
import type { Places } from '../../platform/store/places.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { entryText, plainText } from '../l2-facts/l2-verify.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { readL1Range } from '../log/l1-store.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { readBriefing } from '../restore/briefing-file.ts';
import { namesIn } from '../restore/name-worth.ts';
import type { KnownContext } from './choose-notes.ts';

/** A compaction keeps the newest messages as they are (hooks-plugin/compactor.js). */
const KEPT_CHARS = 16_000;
/** Enough of a sentence to know it by. */
const KNOWN_BY_CHARS = 90;

export class SessionContext implements KnownContext {
  readonly session: string;
  /** When the session was compacted last, ISO. */
  readonly compactedAt: string | undefined;
  /** The turns of notes that it was given; a fact is one of its own. */
  readonly givenTurns = new Set<string>();
  readonly #names = new Set<string>();
  #briefing = '';
  #plainBriefing = '';
  #l1Bytes = 0;
  /** What was said before it is no longer in the context; undefined if all is. */
  #from: string | undefined;

  constructor(session: string, compactedAt: string | undefined) {
    this.session = session;
    this.compactedAt = compactedAt;
  }

  /** From when on its own words are in the context; undefined if all of them are. */
  get from(): string | undefined {
    return this.#from;
  }

  /** Reads what was said since the last time; returns it. */
  update(places: Places, memory: ProjectMemory): L1Entry[] {
    const briefing = readBriefing(places, this.session) ?? '';
    if (briefing !== this.#briefing) {
      this.#briefing = briefing;
      this.#plainBriefing = plainText(briefing);
      this.addNames(briefing);
    }
    const { file = '', l1Bytes = 0 } = readMemoryIndex(memory).sessions[this.session] ?? {};
    if (file === '' || l1Bytes <= this.#l1Bytes) return [];
    const entries = readL1Range(memory, file, this.#l1Bytes, l1Bytes) ?? [];
    this.#l1Bytes = l1Bytes;
    this.#from ??= keptFrom(entries, this.compactedAt);
    for (const entry of entries)
      if (this.#from === undefined || entry.ts >= this.#from) this.addNames(entryText(entry));
    return entries;
  }

  addNames(text: string): void {
    for (const name of namesIn(text)) this.#names.add(name);
  }

  hasName(name: string): boolean {
    return this.#names.has(name);
  }

  hasSentence(sentence: string): boolean {
    return this.#plainBriefing.includes(plainText(sentence).slice(0, KNOWN_BY_CHARS));
  }
}

/** The time of the oldest entry that a compaction may have kept. */
function keptFrom(
  entries: readonly L1Entry[],
  compactedAt: string | undefined,
): string | undefined {
  if (compactedAt === undefined) return undefined;
  let left = KEPT_CHARS;
  let from = compactedAt;
  for (const entry of entries.toReversed()) {
    if (entry.ts >= compactedAt) continue;
    left -= entryText(entry).length;
    if (left < 0) break;
    from = entry.ts;
  }
  return from;
}
