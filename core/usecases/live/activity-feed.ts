/**
 * Reports new activity of any process (G2): lines appended to activity.jsonl and to the journals of
 * watched projects, and briefings. A poll costs a few system calls while nothing happens.
 */
import { closeSync, fstatSync, statSync } from 'node:fs';
import {
  type Cursor,
  endOfLastLine,
  openIfThere,
  readAppended,
} from '../../claude/transcript/lines.ts';
import { activityPath } from '../../clear/activity.ts';
import { journalPath } from '../../memory/log/journal.ts';
import { briefingsFolder } from '../../memory/restore/briefing-file.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import type { Places } from '../../platform/store/places.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { ProjectOf } from '../memory/activity-list.ts';
import {
  type ActivityRow,
  type Briefing,
  briefings,
  rowOfActivity,
  rowOfBriefing,
  rowOfJournal,
} from '../memory/activity-rows.ts';

export class ActivityFeed {
  readonly #places: Places;
  readonly #onRow: (row: ActivityRow) => void;
  readonly #projectOf: ProjectOf;
  readonly #activity: Follower;
  #journals = new Map<string, Follower>();
  /** When each session got its briefing. */
  #briefings = new Map<string, number>();
  #briefingsMark = '';

  constructor(places: Places, projectOf: ProjectOf, onRow: (row: ActivityRow) => void) {
    this.#places = places;
    this.#projectOf = projectOf;
    this.#onRow = onRow;
    this.#activity = new Follower(activityPath(places));
    this.#newBriefings(); // those that are there already are not reported
  }

  /** Which projects' journals are followed. */
  follow(memories: readonly ProjectMemory[]): void {
    this.#journals = new Map(
      memories.map((memory) => {
        const path = journalPath(memory);
        const followed = this.#journals.get(memory.root);
        return [memory.root, followed?.path === path ? followed : new Follower(path)];
      }),
    );
  }

  poll(): void {
    const rows = this.#activity.appended().flatMap((line) => rowOfActivity(line) ?? []);
    for (const [root, journal] of this.#journals)
      rows.push(...journal.appended().flatMap((line) => rowOfJournal(line, root) ?? []));
    for (const briefing of this.#newBriefings())
      rows.push(rowOfBriefing(this.#places, briefing, this.#projectOf(briefing.sessionId)));
    for (const row of rows) this.#onRow(row);
  }

  #newBriefings(): Briefing[] {
    const mark = fileMark(briefingsFolder(this.#places));
    if (mark === this.#briefingsMark) return [];
    this.#briefingsMark = mark;
    const before = this.#briefings;
    const now = briefings(this.#places);
    this.#briefings = new Map(now.map(({ sessionId, at }) => [sessionId, at.getTime()]));
    return now.filter(({ sessionId, at }) => before.get(sessionId) !== at.getTime());
  }
}

/** Returns what is appended to a file from now on. */
class Follower {
  readonly path: string;
  #cursor: Cursor;
  #size: number;

  constructor(path: string) {
    this.path = path;
    this.#cursor = attempt(() => endOf(path), NO_CURSOR); // it may not be readable
    this.#size = this.#cursor.offset;
  }

  appended(): string[] {
    const info = statSync(this.path, { throwIfNoEntry: false });
    if (info === undefined || (info.size === this.#size && info.ino === this.#cursor.inode))
      return [];
    const { lines, cursor } = readAppended(this.path, this.#cursor);
    this.#cursor = cursor;
    this.#size = info.size;
    return lines.map((line) => line.toString('utf8'));
  }
}

const NO_CURSOR: Cursor = { offset: 0, inode: 0 };

function endOf(path: string): Cursor {
  const file = openIfThere(path);
  if (file === undefined) return NO_CURSOR;
  try {
    const { size, ino } = fstatSync(file);
    return { offset: endOfLastLine(file, size), inode: ino };
  } finally {
    closeSync(file);
  }
}
