/**
 * The edits in the journal (M19), numbered from 0: which of them hold, which were undone, and how
 * people name what they changed. Each read continues where the last one ended, since the journal
 * only grows; contents are read on demand.
 */
import { statSync } from 'node:fs';
import { type Message, message } from '../../messages/message.ts';
import { readFrom } from '../../platform/store/append-only.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { type EditEvent, journalPath, parseEvent } from '../log/journal.ts';
import { WHOLE } from './document-edits.ts';

export interface LoggedEdit {
  number: number;
  at: string;
  document: EditEvent['document'];
  id: string;
  isUndo: boolean;
  /** The same for one action in the app; undefined for edits of the file itself. */
  deed: string | undefined;
  /** The number of the edit that it undoes. */
  undoes: number | undefined;
  /** It has not been undone. */
  holds: boolean;
}

/** Bytes of the journal. */
type Place = { start: number; end: number };

const EDIT = Buffer.from('"type":"edit"');
const NEWLINE = 0x0a;

export class EditLog {
  readonly #path: string;
  readonly #edits: LoggedEdit[] = [];
  readonly #places: Place[] = [];
  readonly #numbers = new Map<string, number>();
  #read = 0;
  #inode = 0;

  constructor(memory: ProjectMemory) {
    this.#path = journalPath(memory);
  }

  /** As the journal is now. */
  get all(): readonly LoggedEdit[] {
    const info = statSync(this.#path, { throwIfNoEntry: false });
    if (info?.ino !== this.#inode || info.size < this.#read) this.#forget(info?.ino ?? 0);
    const text = readFrom(this.#path, this.#read);
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

  event(number: number): EditEvent | undefined {
    const place = this.#places[number];
    const event =
      place && parseEvent(readFrom(this.#path, place.start, place.end).toString('utf8'));
    return event?.type === 'edit' ? event : undefined;
  }

  /** The numbers of all edits of one action: saving memory.md may change several pieces of it. */
  sameAction(number: number): number[] {
    const edit = this.#edits[number];
    if (edit === undefined) return [];
    const isWith = (other: LoggedEdit | undefined) =>
      edit.document === 'memory' &&
      other?.document === 'memory' &&
      other.at === edit.at &&
      other.isUndo === edit.isUndo &&
      other.deed === edit.deed;
    let [first, last] = [number, number];
    while (isWith(this.#edits[first - 1])) first--;
    while (isWith(this.#edits[last + 1])) last++;
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  }

  #take(line: Buffer, place: Place): void {
    const event = parseEvent(line.toString('utf8'));
    if (event?.type !== 'edit') return;
    const { at, document, id, deed, isUndo = false } = event;
    const undoes = isUndo ? this.#undoneBy(event) : undefined;
    const undone = undoes === undefined ? undefined : this.#edits[undoes];
    if (undone !== undefined) {
      undone.holds = false;
      const redone = undone.undoes === undefined ? undefined : this.#edits[undone.undoes];
      if (redone !== undefined) redone.holds = true;
    }
    const number = this.#edits.length;
    if (event.uid !== undefined) this.#numbers.set(event.uid, number);
    this.#edits.push({ number, at, document, id, deed, isUndo, undoes, holds: true });
    this.#places.push(place);
  }

  /** Earlier versions did not name it: they always undid the last edit. */
  #undoneBy({ undoesEvent = '', undoes }: EditEvent): number | undefined {
    return (
      this.#numbers.get(undoesEvent) ??
      undoes ??
      this.#edits.findLast((edit) => edit.holds && !edit.isUndo)?.number
    );
  }

  #forget(inode: number): void {
    this.#numbers.clear();
    this.#edits.length = 0;
    this.#places.length = 0;
    this.#read = 0;
    this.#inode = inode;
  }
}

const KINDS = {
  decisions: 'edit.decision',
  patterns: 'edit.pattern',
  issues: 'edit.issue',
  notes: 'edit.note',
  'permanent.rules': 'edit.rule',
  'permanent.solutions': 'edit.solution',
  'permanent.core_logic': 'edit.coreLogic',
  concepts: 'edit.concept',
} as const;

/** What an edit is about, as people name it: "issue i004", not a position in a file. */
export function editLabel({
  document,
  part,
  id,
}: Pick<EditEvent, 'document' | 'part' | 'id'>): Message {
  if (document !== 'memory' && Object.hasOwn(KINDS, part) && id !== '')
    return message(KINDS[part as keyof typeof KINDS], { id });
  const file = `${document}.${document === 'memory' ? 'md' : 'json'}`;
  const names = [file, part === WHOLE ? '' : part, id].filter((name) => name !== '');
  return message('edit.place', { names });
}
