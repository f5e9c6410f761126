/**
 * Reads the screen of a Windows console from its cells, as ReadConsoleOutput returns them. It tells
 * no style that Claude Code uses, so a suggestion looks like a draft (prompt-box.ts knows that).
 */
import type { Screen } from './prompt-box.ts';

export interface ConsoleCells {
  /** Rows from the top of what the window shows; four bytes a cell: a UTF-16 unit, attributes. */
  rows: readonly Buffer[];
  /** In cells, from the top left of what the window shows. */
  cursor: { row: number; column: number };
}

const CELL_BYTES = 4;
/** The second cell of a wide character. */
const TRAILING = 0x200;
const ESCAPE = 0x1b;

/** Undefined if the console shows control sequences as they are, as Wine's does. */
export function consoleScreen({ rows, cursor }: ConsoleCells): Screen | undefined {
  const lines = rows.map(lineOf);
  if (lines.some((line) => line.includes(String.fromCharCode(ESCAPE)))) return undefined;
  return { lines, cursor, isStyled: false };
}

function lineOf(row: Buffer): string {
  let line = '';
  for (let at = 0; at + CELL_BYTES <= row.length; at += CELL_BYTES)
    if ((row.readUInt16LE(at + 2) & TRAILING) === 0)
      line += String.fromCharCode(row.readUInt16LE(at) || 0x20);
  return line.trimEnd();
}
