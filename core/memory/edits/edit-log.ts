/**
 * The edits in the journal (M19), numbered from 0 in their order: which of them hold, and which
 * were undone. Their content is read from the file on demand; the journal only grows, so each read
 * goes on from the end of the last one.
 */
import { statSync } from 'node:fs';
import { readBehind } from '../../platform/store/append-only.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { type EditEvent, journalPath, parseEvent } from '../log/journal.ts';

export interface LoggedEdit {
  number: number;
  at: string;
  document: EditEvent['document'];
  id: string;
  isUndo: boolean;
  /**
   * What was changed in one go has the same; undefined for what was found in the file, and what
   * earlier versions of us wrote.
   */
  deed: string | undefined;
  /** Which one it takes back. */
  undoes: number | undefined;
  /** It has not been taken back. */
  holds: boolean;
}

type Place = { start: number; end: number };

const EDIT = Buffer.from('"type":"edit"');
const NEWLINE = 0x0a;

export class EditLog {
  readonly #path: string;
  readonly #edits: LoggedEdit[] = [];
  readonly #places: Place[] = [];
  #read = 0;
  #inode = 0;

  constructor(memory: ProjectMemory) {
    this.#path = journalPath(memory);
  }

  /** As the journal is now. */
  get all(): readonly LoggedEdit[] {
    const info = statSync(this.#path, { throwIfNoEntry: false });
    if (info?.ino !== this.#inode || info.size < this.#read) this.#forget(info?.ino ?? 0);
    const text = readBehind(this.#path, this.#read);
    let start = 0;
    for (let end = text.indexOf(NEWLINE); end >= 0; end = text.indexOf(NEWLINE, start)) {
      const line = text.subarray(start, end);
      if (line.includes(EDIT))
        this.#take(line, { start: this.#read + start, end: this.#read + end });
      start = end + 1;
    }
    this.#read += start;
    return this.#edits;
  }

  /** What the edit of this number says. */
  event(number: number): EditEvent | undefined {
    const place = this.#places[number];
    const event =
      place && parseEvent(readBehind(this.#path, place.start, place.end).toString('utf8'));
    return event?.type === 'edit' ? event : undefined;
  }

  /**
   * The numbers of what was changed in one go: a text that is saved can have several pieces
   * changed.
   */
  together(number: number): number[] {
    const first = this.#edits[number];
    if (first === undefined) return [];
    const isWith = ({ at, document, isUndo, deed }: LoggedEdit) =>
      document === 'memory' &&
      first.document === 'memory' &&
      at === first.at &&
      isUndo === first.isUndo &&
      deed === first.deed;
    let [from, to] = [number, number];
    for (
      let other = this.#edits[from - 1];
      other !== undefined && isWith(other);
      other = this.#edits[from - 1]
    )
      from--;
    for (
      let other = this.#edits[to + 1];
      other !== undefined && isWith(other);
      other = this.#edits[to + 1]
    )
      to++;
    return this.#edits.slice(from, to + 1).map((edit) => edit.number);
  }

  #take(line: Buffer, place: Place): void {
    const event = parseEvent(line.toString('utf8'));
    if (event?.type !== 'edit') return;
    const { at, document, id, deed, isUndo = false } = event;
    // Earlier versions of us did not say which one: always the last that was still there.
    const undoes = isUndo
      ? (event.undoes ?? this.#edits.findLast((edit) => edit.holds && !edit.isUndo)?.number)
      : undefined;
    const undone = undoes === undefined ? undefined : this.#edits[undoes];
    if (undone !== undefined) {
      undone.holds = false;
      const redone = undone.undoes === undefined ? undefined : this.#edits[undone.undoes];
      if (redone !== undefined) redone.holds = true;
    }
    this.#edits.push({
      number: this.#edits.length,
      at,
      document,
      id,
      deed,
      isUndo,
      undoes,
      holds: true,
    });
    this.#places.push(place);
  }

  #forget(inode: number): void {
    this.#edits.length = 0;
    this.#places.length = 0;
    this.#read = 0;
    this.#inode = inode;
  }
}
