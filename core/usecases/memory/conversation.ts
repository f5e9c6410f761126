/**
 * What was said, from L1 (M4, M9): the words around the quote of a fact, and whole conversations
 * page by page. Cuts entries that are longer than a window can use.
 */

import { isEntryLine, parseEntry } from '../../memory/log/l1-line.ts';
import type { L1Entry } from '../../memory/log/l1-refine.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import type { SessionFiles } from './session-files.ts';

const MAX_WANTED_CHARS = 200_000;
const MAX_OTHER_CHARS = 20_000;
const MAX_NEIGHBOURS = 200;

export interface Conversation {
  session: string;
  entries: L1Entry[];
  /** Which of them was asked for; -1 if it is gone. */
  index: number;
}

export function around(
  sessions: SessionFiles,
  { session, entry: id, count }: { session: string; entry: string; count: number },
): Conversation {
  const reach = Math.min(MAX_NEIGHBOURS, Math.max(0, Math.floor(count)));
  const quotedId = JSON.stringify(id);
  for (const file of sessions.of(session)) {
    const lines = linesOf(sessions.content(file));
    const at = lines.findIndex((line) => line.includes(quotedId) && parseLine(line)?.id === id);
    const wanted = lines[at] && parseLine(lines[at]);
    if (wanted === undefined) continue;
    const before = firstEntries(lines.slice(0, at).reverse(), reach).reverse();
    const after = firstEntries(lines.slice(at + 1), reach);
    const entries = [...before, cut(wanted, MAX_WANTED_CHARS), ...after];
    return { session, entries, index: before.length };
  }
  return { session, entries: [], index: -1 };
}

export function entriesOf(
  sessions: SessionFiles,
  { session, from, count }: { session: string; from: number; count: number },
): { total: number; entries: L1Entry[] } {
  const files = sessions.of(session).sort(); // by name, which is by time
  const contents = files.flatMap((file) => sessions.content(file) ?? []);
  if (contents.length === 0) throw new ExpectedError(message('memory.conversationGone'));
  const lines = contents.flatMap(linesOf).filter(isEntryLine);
  return { total: lines.length, entries: firstEntries(lines.slice(from, from + count), count) };
}

function linesOf(content: Buffer = Buffer.alloc(0)): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = content.indexOf('\n'); end >= 0; end = content.indexOf('\n', start)) {
    lines.push(content.subarray(start, end));
    start = end + 1;
  }
  return [...lines, content.subarray(start)];
}

function firstEntries(lines: readonly Buffer[], count: number): L1Entry[] {
  const entries: L1Entry[] = [];
  for (const line of lines) {
    if (entries.length === count) break;
    const entry = parseLine(line);
    if (entry !== undefined) entries.push(cut(entry, MAX_OTHER_CHARS));
  }
  return entries;
}

/** Undefined for a line that names the session, or is torn. */
function parseLine(line: Buffer): L1Entry | undefined {
  return parseEntry(line.toString('utf8'));
}

function cut(entry: L1Entry, limit: number): L1Entry {
  if (entry.role === 'tool') {
    const { cmd, output, detail, change } = entry;
    return {
      ...entry,
      cmd: cutText(cmd, limit),
      output: cutText(output, limit),
      ...(detail !== undefined && { detail: cutText(detail, limit) }),
      ...(change !== undefined && { change: cutText(change, limit) }),
    };
  }
  return { ...entry, text: cutText(entry.text, limit) };
}

/** Never between the two halves of a character. */
function cutText(text: string, limit: number): string {
  if (typeof text !== 'string' || text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)} …`;
}
