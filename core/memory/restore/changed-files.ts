/**
 * The files that a session changed (K2): one line for each with what became of it and why, in
 * Claude's own words before the change. Covers every change of the session, the last ones too.
 */
import { shorten } from '../../platform/text/sentences.ts';
import type { L1Entry, ToolEntry } from '../log/l1-refine.ts';
import { lastWithin, type WorkPart } from './budget.ts';
import { inOneLine, isEdit } from './work-lines.ts';

export interface ChangedFile {
  path: string;
  edits: number;
  isNew: boolean;
  /** Deleted, or moved to another name. */
  end?: string;
  /** What Claude was about to do, in its own words. */
  why: string[];
  /** The last change. */
  at: number;
}

/** Further back, Claude's words were about something else. */
const MAX_STEPS_SINCE = 4;
const MAX_WHY_CHARS = 160;
/** "Now fix them": says nothing. */
const MIN_WHY_CHARS = 25;

/** In the order of their last change. */
export function changedFilesOf(entries: readonly L1Entry[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  const seen = new Set<string>();
  let said = '';
  let saidAt = 0;
  entries.forEach((entry, at) => {
    if (entry.role !== 'tool') {
      said = entry.role === 'assistant' ? intentIn(entry.text) : '';
      saidAt = at;
      return;
    }
    if (entry.isError) return;
    if (entry.name === 'Bash') noteMoves(files, entry.cmd, at);
    if (isEdit(entry)) {
      const why = at - saidAt <= MAX_STEPS_SINCE ? said : '';
      noteEdit(files, entry, { at, why, isNew: isNewFile(entry, seen) });
    }
    seen.add(entry.cmd);
  });
  return [...files.values()].sort((one, other) => one.at - other.at);
}

/** It was neither read nor changed before. */
function isNewFile({ name, cmd }: ToolEntry, seen: ReadonlySet<string>): boolean {
  return name === 'Write' && !seen.has(cmd);
}

function noteEdit(
  files: Map<string, ChangedFile>,
  { cmd: path }: ToolEntry,
  { at, why, isNew }: { at: number; why: string; isNew: boolean },
): void {
  const { edits = 0, why: known = [], isNew: wasNew = isNew } = files.get(path) ?? {};
  const reasons = why.length < MIN_WHY_CHARS || known.includes(why) ? known : [...known, why];
  files.set(path, { path, edits: edits + 1, isNew: wasNew, why: reasons, at });
}

const MOVED =
  /(?:^|[;&\n])\s*(?:git\s+)?(rm|mv)\s+(?:-\w+\s+)*([^\s;&|-][^\s;&|]*)(?:[ \t]+([^\s;&|]+))?/g;

/** Only files that were changed before: others are named by the step itself. */
function noteMoves(files: Map<string, ChangedFile>, command: string, at: number): void {
  for (const [, how, from = '', to = ''] of command.matchAll(MOVED)) {
    const file = files.get(from);
    if (file === undefined) continue;
    files.set(file.path, { ...file, at, end: how === 'rm' ? 'deleted since' : `moved to ${to}` });
  }
}

const ANNOUNCED =
  /^(?:(?:good|great|perfect|ok(?:ay)?)[.!,]\s+)?(?:(?:now|next|then|first),?\s+)?(?:(?:let me|i['’]ll|i will|i need to|let['’]s)\s+)?(?:(?:now|also|first)\s+)?/i;

/** Says what was read, not what was changed. */
const LOOKS_AROUND =
  /^(?:re-?read|read|see|check|look|verify|find|understand|run|search|view|examine|explore)\b/i;

/** The last sentence before the step. */
function intentIn(text: string): string {
  const line =
    text
      .trimEnd()
      .split('\n')
      .findLast((each) => each.trim() !== '') ?? '';
  const sentences = inOneLine(line).split(/(?<=[.!?。])\s+/);
  const last = sentences.findLast(({ length }) => length > MIN_WHY_CHARS) ?? '';
  const intent = last.replace(/\*\*/g, '').replace(/[:.]$/, '').replace(ANNOUNCED, '');
  return LOOKS_AROUND.test(intent) ? '' : shorten(intent, MAX_WHY_CHARS);
}

/** `reasons`: how many of what Claude said, the newest. */
function fileLine({ path, edits, isNew, end, why }: ChangedFile, reasons: number): string {
  const times = (count: number) => (count === 1 ? 'once' : `${count} times`);
  const again = edits > 1 ? ` and changed ${times(edits - 1)} since` : '';
  const how = isNew ? `was newly written${again}` : `was edited ${times(edits)}`;
  const told = why.slice(-reasons).map((each) => `“${each}”`);
  const because = told.length === 0 || reasons === 0 ? '' : `; Claude: ${told.join('; ')}`;
  return `- The file ${path} ${how}${end === undefined ? '' : `, ${end}`}${because}`;
}

/** One line for each file that was changed; of very many, the last ones. */
export class FileLines {
  readonly #lines: Map<string, string>;
  readonly #more: number;

  constructor(files: readonly ChangedFile[], room: number) {
    const lines = linesWithin(files, room);
    const { items, more = 0 } = lastWithin(lines, room);
    this.#lines = new Map(items.map((line, at) => [files[more + at]?.path ?? '', line]));
    this.#more = more;
  }

  get lines(): string[] {
    return [...this.#lines.values()];
  }

  has(path: string): boolean {
    return this.#lines.has(path);
  }

  /** `changes`: pieces of what was changed, each below its file. */
  part(changes: readonly { file: string; text: string }[]): WorkPart {
    const told = new Map(this.#lines);
    for (const { file, text } of changes) told.set(file, `${told.get(file) ?? ''}\n${text}`);
    const title = 'Files changed, in the order of their last change';
    return { title, items: [...told.values()], ...(this.#more > 0 && { more: this.#more }) };
  }
}

/** With as many reasons as there is room for; what was said of several files stands at the first. */
function linesWithin(files: readonly ChangedFile[], room: number): string[] {
  const lines = (reasons: number) =>
    files.map((file, at) => {
      const known = files[at - 1]?.why.slice(-reasons) ?? [];
      const why = file.why.filter((each) => !known.includes(each));
      return fileLine({ ...file, why }, reasons);
    });
  const fits = (some: readonly string[]) => some.join('\n').length <= room;
  return [2, 1].map(lines).find(fits) ?? lines(0);
}
