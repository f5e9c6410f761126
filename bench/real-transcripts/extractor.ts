/**
 * An independent reader of Claude Code's transcripts: every text that the user typed and every
 * text of Claude, string for string, and what is nobody's words with the reason. It shares no line
 * with the product's reader, which is held against it.
 *
 *   node bench/real-transcripts/extractor.ts <folder or file>... [--list] [--all]
 *
 * `--list` prints the words of the user and of Claude as JSON lines {file, row, kind, how, text},
 * `--all` also what is nobody's (kind "none"); without them counts are printed.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type QueueOperation, resolveQueue } from './queue.ts';
import { type Row, textOf, wordsOfRow } from './rows.ts';
import type { Words } from './words.ts';

/** Words with the line they stand in, counted from 1. */
export interface Said extends Words {
  row: number;
}

/** Everything that stands in a transcript, in the order of its lines. */
export function extract(transcript: string): Said[] {
  const said: Said[] = [];
  const operations: QueueOperation[] = [];
  const seen = new Map<string, number>();
  transcript.split('\n').forEach((line, index) => {
    const number = index + 1;
    for (const part of valuesOfLine(line)) {
      const row = parsed(part);
      if (row === undefined) {
        said.push({ row: number, kind: 'none', how: 'unreadable line', text: part });
      } else if (row.type === 'queue-operation') {
        const text = textOf(row.content);
        operations.push({ row: number, operation: String(row.operation), text });
      } else {
        said.push(...onceEach(row, number, seen));
      }
    }
  });
  return [...said, ...resolveQueue(operations, said)].sort((one, other) => one.row - other.row);
}

/** A message that spans several rows, or a row that was written again, counts once. */
function onceEach(row: Row, number: number, seen: Map<string, number>): Said[] {
  const message = row.message as Row | null | undefined;
  const messageId = row.type === 'assistant' ? message?.id : undefined;
  const id = messageId ?? row.uuid;
  return wordsOfRow(row).map((words): Said => {
    if (words.kind === 'none' || typeof id !== 'string') {
      return { row: number, ...words };
    }
    const key = `${id} ${words.how} ${words.text}`;
    const first = seen.get(key) ?? number;
    seen.set(key, first);
    return first === number
      ? { row: number, ...words }
      : { row: number, kind: 'none', how: 'repeated row', text: words.text };
  });
}

function parsed(text: string): Row | undefined {
  try {
    const row: unknown = JSON.parse(text);
    const isRow = typeof row === 'object' && row !== null && !Array.isArray(row);
    return isRow ? (row as Row) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A session that was cut off leaves a last line without an end; going on with it glues the next
 * row to it. Both are whole and both count.
 */
function valuesOfLine(line: string): string[] {
  const text = line.replace(/^\ufeff/, '').trim();
  if (text === '') {
    return [];
  }
  const isGlued = parsed(text) === undefined && /\}\s*\{/.test(text);
  const values = isGlued ? splitObjects(text) : [text];
  return values.some((value) => parsed(value) !== undefined) ? values : [text];
}

/** Cuts behind each brace that closes an object of the outermost level. */
function splitObjects(text: string): string[] {
  const values: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    depth += token === '{' ? 1 : 0;
    depth -= token === '}' ? 1 : 0;
    if (token === '}' && depth === 0) {
      values.push(text.slice(from, index + 1).trim());
      from = index + 1;
    }
  }
  const torn = text.slice(from).trim();
  return torn === '' ? values : [...values, torn];
}

/** All transcripts at a place, subagents' own files included. */
export function transcriptsAt(place: string): string[] {
  if (!statSync(place).isDirectory()) {
    return [place];
  }
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonl(?:\.gz)?$/.test(name))
    .sort()
    .map((name) => join(place, name));
}

export function readTranscript(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { list: { type: 'boolean' }, all: { type: 'boolean' } },
  });
  const counts = new Map<string, Map<string, number>>();
  let files = 0;
  for (const place of positionals) {
    for (const file of transcriptsAt(resolve(place))) {
      files++;
      const name = relative(resolve(place), file) || file;
      for (const said of extract(readTranscript(file))) {
        count(counts, said);
        if (values.all || (values.list && said.kind !== 'none')) {
          process.stdout.write(`${JSON.stringify({ file: name, ...said })}\n`);
        }
      }
    }
  }
  if (!values.list && !values.all) {
    printCounts(files, counts);
  }
}

function count(counts: Map<string, Map<string, number>>, { kind, how }: Said): void {
  const ofKind = counts.get(kind) ?? new Map<string, number>();
  counts.set(kind, ofKind.set(how, (ofKind.get(how) ?? 0) + 1));
}

function printCounts(files: number, counts: ReadonlyMap<string, Map<string, number>>): void {
  process.stdout.write(`${files} files\n`);
  for (const kind of ['user', 'assistant', 'none']) {
    const ofKind = [...(counts.get(kind) ?? [])].sort(([, one], [, other]) => other - one);
    const total = ofKind.reduce((sum, [, number]) => sum + number, 0);
    process.stdout.write(`\n${kind}: ${total}\n`);
    for (const [how, number] of ofKind) {
      process.stdout.write(`${String(number).padStart(8)}  ${how}\n`);
    }
  }
}

if (import.meta.main) {
  main();
}
