/**
 * Finds an entry in the content of its L1 file, the turn that it belongs to, and the files that
 * Claude opened or changed in that turn (K7). A prompt waits for it, so few lines are parsed, and
 * only so many are looked at.
 */
import { isPromptLine, parseEntry } from '../log/l1-line.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { isEdit } from '../restore/work-lines.ts';

export interface FoundEntry {
  entry: L1Entry;
  line: Line;
  /** Where its turn begins in the file. */
  turn: number;
}

interface Line {
  start: number;
  end: number;
}

const NEWLINE = 0x0a;
const MAX_LINES = 400;

/** Undefined if there is no such entry. */
export function findEntry(content: Buffer, id: string): FoundEntry | undefined {
  const quoted = JSON.stringify(id);
  for (let at = content.indexOf(quoted); at >= 0; at = content.indexOf(quoted, at + 1)) {
    const line = lineAt(content, at);
    const entry = parseEntry(textOf(content, line));
    if (entry?.id === id) return { entry, line, turn: turnStart(content, line) };
  }
  return undefined;
}

/** The oftener Claude opened or changed one, the earlier it stands. */
export function filesInTurn(content: Buffer, { turn }: FoundEntry): string[] {
  const times = new Map<string, number>();
  let line = lineAt(content, turn);
  for (let lines = 0; lines < MAX_LINES && line.end < content.length; lines++) {
    line = lineAt(content, line.end + 1);
    if (isPromptLine(content.subarray(line.start, line.end))) break;
    const entry = parseEntry(textOf(content, line));
    if (entry?.role !== 'tool' || entry.isError) continue;
    const [path = ''] = entry.cmd.split('\n', 1);
    if (isEdit(entry) || entry.name === 'Read') times.set(path, (times.get(path) ?? 0) + 1);
  }
  return [...times].sort(([, one], [, other]) => other - one).map(([path]) => path);
}

function turnStart(content: Buffer, from: Line): number {
  let line = from;
  for (let lines = 0; lines < MAX_LINES && line.start > 0; lines++) {
    if (isPromptLine(content.subarray(line.start, line.end))) break;
    line = lineAt(content, line.start - 1);
  }
  return line.start;
}

/** The line that a byte belongs to; its newline is the line's last. */
function lineAt(content: Buffer, at: number): Line {
  const start = at === 0 ? 0 : content.lastIndexOf(NEWLINE, at - 1) + 1;
  const end = content.indexOf(NEWLINE, at);
  return { start, end: end < 0 ? content.length : end };
}

function textOf(content: Buffer, { start, end }: Line): string {
  return content.toString('utf8', start, end);
}
