/**
 * Tells what a transcript is about without reading all of it (L1d): from its first rows where it
 * began, when, and what runs it; from its last rows when it ended and what it is called. Anything
 * may stand in the file, and what is not understood counts as missing.
 */
import { closeSync, fstatSync } from 'node:fs';
import { parseJson } from '../../platform/store/attempt.ts';
import { isRecord, type JsonRecord, recordAt, stringAt } from '../../platform/text/json.ts';
import { linesFromEnd, openIfThere, readAppended } from './lines.ts';
import { parseRow } from './rows.ts';

export interface Outline {
  /** The directory in which the session began; undefined if no row names one. */
  folder: string | undefined;
  /** ISO times of the first and the last row that has one; empty if none has. */
  startedAt: string;
  endedAt: string;
  /** What started it: `cli`, `sdk-ts`, …; empty for versions that did not say. */
  entrypoint: string;
  /** All of it is a subagent's work. */
  isSubagent: boolean;
  /** What was asked first; undefined if the rows read have no prompt. */
  firstPrompt: string | undefined;
  /** The user's own name for it, else the one that Claude Code gave it; empty if it has none. */
  title: string;
  /** A name that Claude Code gave to the conversation that ends with a certain row, perhaps not this one. */
  named: { title: string; leaf: string } | undefined;
  /** Neither the user nor Claude has said anything in all of it. */
  isSilent: boolean;
}

const HEAD_BYTES = 64 * 1024;
/** Attachments before the first row with a directory can be long. */
const LONG_HEAD_BYTES = 1024 * 1024;
const TAIL_BYTES = 256 * 1024;
/** What rows with a name have; all others are parsed only as long as something else is missing. */
const NAMES = ['"customTitle"', '"aiTitle"', '"leafUuid"'].map((field) => Buffer.from(field));
const hasName = (line: Buffer): boolean => NAMES.some((field) => line.includes(field));

/** Undefined if there is no such file, or it is not ours to read. */
export function transcriptOutline(path: string): Outline | undefined {
  const file = openIfThere(path);
  if (file === undefined) return undefined;
  try {
    const { size } = fstatSync(file);
    const short = readHead(path, HEAD_BYTES, size);
    const isEnough = short.folder !== undefined || size <= HEAD_BYTES;
    const head = isEnough ? short : readHead(path, LONG_HEAD_BYTES, size);
    return { ...head, ...readTail(file, size, head) };
  } finally {
    closeSync(file);
  }
}

function readHead(path: string, bytes: number, size: number): Outline {
  const head: Outline = {
    folder: undefined,
    startedAt: '',
    endedAt: '',
    entrypoint: '',
    isSubagent: false,
    firstPrompt: undefined,
    title: '',
    named: undefined,
    isSilent: size <= bytes,
  };
  let hasSpoken = false;
  for (const line of readAppended(path, { offset: 0, inode: 0 }, bytes).lines) {
    if (isKnown(head) && !hasName(line)) continue;
    const text = line.toString('utf8');
    const row = parseJson(text);
    if (!isRecord(row)) continue;
    head.named ??= namedIn(row);
    head.title = titleIn(row) || head.title;
    if (isKnown(head)) continue;
    const isSpoken = row.type === 'user' || row.type === 'assistant';
    if (isSpoken && !hasSpoken) head.isSubagent = row.isSidechain === true;
    hasSpoken ||= isSpoken;
    addRow(head, row, text);
  }
  return head;
}

function isKnown({ folder, firstPrompt, startedAt }: Outline): boolean {
  return folder !== undefined && firstPrompt !== undefined && startedAt !== '';
}

/** What the first row that has it says. */
function addRow(head: Outline, row: JsonRecord, text: string): void {
  head.folder ??= stringAt(row, 'cwd');
  head.startedAt ||= timeOf(row);
  head.entrypoint ||= stringAt(row, 'entrypoint') ?? '';
  head.firstPrompt ??= promptIn(text, row);
  if (row.type === 'assistant' || head.firstPrompt !== undefined) head.isSilent = false;
}

/** The newest name counts: Claude Code writes it again as the session goes on. */
function readTail(
  file: number,
  size: number,
  { startedAt, title, named }: Outline,
): Pick<Outline, 'endedAt' | 'title' | 'named'> {
  let endedAt = '';
  let ofUser = '';
  let ofClaude = '';
  let newest: Outline['named'];
  for (const line of linesFromEnd(file, size, TAIL_BYTES)) {
    if (endedAt !== '' && !hasName(line)) continue;
    const row = parseJson(line.toString('utf8'));
    if (!isRecord(row)) continue;
    endedAt ||= timeOf(row);
    ofUser ||= stringAt(row, 'customTitle') ?? '';
    ofClaude ||= stringAt(row, 'aiTitle') ?? '';
    newest ??= namedIn(row);
  }
  return {
    endedAt: endedAt || startedAt,
    title: ofUser || ofClaude || title,
    named: newest ?? named,
  };
}

/** A time that can be read; texts that only look like one count as missing. */
function timeOf(row: JsonRecord): string {
  const time = stringAt(row, 'timestamp') ?? '';
  return Number.isNaN(Date.parse(time)) ? '' : new Date(time).toISOString();
}

function titleIn(row: JsonRecord): string {
  return stringAt(row, 'customTitle') ?? stringAt(row, 'aiTitle') ?? '';
}

function namedIn(row: JsonRecord): Outline['named'] {
  const [title, leaf] = [stringAt(row, 'summary'), stringAt(row, 'leafUuid')];
  const isName = row.type === 'summary' && title !== undefined && leaf !== undefined;
  return isName ? { title, leaf } : undefined;
}

function promptIn(text: string, json: JsonRecord): string | undefined {
  if (json.type === 'queue-operation') return undefined;
  if (json.type === 'user' && recordAt(json, 'message') === undefined) return undefined;
  const row = parseRow(text);
  return row.kind === 'prompt' && row.text.trim() !== '' ? row.text : undefined;
}
