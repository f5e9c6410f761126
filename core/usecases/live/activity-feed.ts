/**
 * Reports new activity of any process (G2): lines appended to activity.jsonl and to the journals of
 * watched projects, and briefings. A check costs a few system calls while nothing happens.
 */
import { closeSync, fstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Cursor,
  endOfLastLine,
  openIfThere,
  readAppended,
} from '../../claude/transcript/lines.ts';
import { activityPath } from '../../clear/activity.ts';
import { journalPath } from '../../memory/log/journal.ts';
import { givenFolder, readGiven } from '../../memory/restore/given.ts';
import { attempt } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { linkOutAtTop, projectMemory } from '../../projects/project-memory.ts';
import type { ProjectOf } from '../memory/activity-log.ts';
import {
  type ActivityRow,
  rowOfActivity,
  rowOfGiven,
  rowOfJournal,
} from '../memory/activity-rows.ts';

export class ActivityFeed {
  readonly #places: Places;
  readonly #onRow: (row: ActivityRow) => void;
  readonly #projectOf: ProjectOf;
  readonly #activity: Follower;
  #journals = new Map<string, Follower>();
  #given = new Map<string, number>();
  #givenMark = 0;

  constructor(places: Places, projectOf: ProjectOf, onRow: (row: ActivityRow) => void) {
    this.#places = places;
    this.#projectOf = projectOf;
    this.#onRow = onRow;
    this.#activity = new Follower(activityPath(places));
    this.#newlyGiven(); // what is there already is no news
  }

  /** Which projects' journals are followed. */
  follow(roots: readonly string[]): void {
    const own = roots
      .map((root) => projectMemory(this.#places, root))
      .filter((memory) => linkOutAtTop(memory) === undefined);
    const paths = own.map((memory) => [memory.root, journalPath(memory)] as const);
    this.#journals = new Map(
      paths.map(([root, path]) => {
        const known = this.#journals.get(root);
        return [root, known?.path === path ? known : new Follower(path)];
      }),
    );
  }

  look(): void {
    const rows = this.#activity.appended().flatMap((line) => rowOfActivity(line) ?? []);
    for (const [root, journal] of this.#journals)
      rows.push(...journal.appended().flatMap((line) => rowOfJournal(line, root) ?? []));
    for (const { sessionId, at } of this.#newlyGiven())
      rows.push(
        rowOfGiven(
          new Date(at),
          sessionId,
          readGiven(this.#places, sessionId) ?? '',
          this.#projectOf(sessionId),
        ),
      );
    for (const row of rows) this.#onRow(row);
  }

  #newlyGiven(): { sessionId: string; at: number }[] {
    const folder = givenFolder(this.#places);
    const mark = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (mark === this.#givenMark) return [];
    this.#givenMark = mark;
    const before = this.#given;
    const names = attempt(() => readdirSync(folder), []).filter(
      (name) => name.endsWith('.txt') && !name.startsWith('.'),
    );
    const times = names.map(
      (name) =>
        [name, statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0] as const,
    );
    this.#given = new Map(times);
    const news = times.filter(([name, at]) => before.get(name) !== at);
    return news.map(([name, at]) => ({ sessionId: name.slice(0, -'.txt'.length), at }));
  }
}

/** What is appended to a file from now on. */
class Follower {
  readonly path: string;
  #cursor: Cursor;
  #size = 0;

  constructor(path: string) {
    this.path = path;
    // no file, or none that can be read
    this.#cursor = attempt(() => endOf(path), { offset: 0, inode: 0 });
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

function endOf(path: string): Cursor {
  const file = openIfThere(path);
  if (file === undefined) return { offset: 0, inode: 0 };
  try {
    const { size, ino } = fstatSync(file);
    return { offset: endOfLastLine(file, size), inode: ino };
  } finally {
    closeSync(file);
  }
}
