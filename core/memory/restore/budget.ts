/**
 * The room of a briefing (K2): what is left of it, and which names the reader knows already from
 * what was taken into it.
 */
import { TITLE_CHARS } from './briefing-pages.ts';
import type { NameWorth } from './name-worth.ts';

export interface WorkPart {
  title: string;
  items: string[];
  /** How many more there were. */
  more?: number;
}

/** What is left of the room, and what the reader knows already. */
export class Budget {
  left: number;
  readonly worth: NameWorth;

  constructor(room: number, worth: NameWorth) {
    this.left = room - RESERVED_CHARS;
    this.worth = worth;
  }

  taken(part: WorkPart): WorkPart {
    if (part.items.length > 0) this.left -= part.title.length + TITLE_CHARS;
    for (const item of part.items) this.take(item);
    return part;
  }

  take(text: string): void {
    this.left -= text.length + 1;
    this.worth.tell(text);
  }
}

/** For the titles of the parts that are filled last. */
const RESERVED_CHARS = 230;

/** The last ones that fit, and how many do not. */
export function lastWithin(
  lines: readonly string[],
  room: number,
): { items: string[]; more?: number } {
  let left = room;
  let first = lines.length;
  for (; first > 0; first--) {
    left -= (lines[first - 1]?.length ?? 0) + 1;
    if (left < 0) break;
  }
  return { items: lines.slice(first), ...(first > 0 && { more: first }) };
}
