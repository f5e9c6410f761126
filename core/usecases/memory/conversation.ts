/**
 * What was said, from L1 (M4, M9): the words around the quote of a fact, and whole conversations
 * page by page. An entry can be as long as its speaker liked; what is longer than a window can use
 * is cut, between characters and with a sign of it.
 */

import type { L1Entry } from '../../memory/log/l1-refine.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { entryAt, linesOf, type SessionFiles } from './session-files.ts';

const MAX_ASKED_CHARS = 200_000;
const MAX_OTHER_CHARS = 20_000;
const MOST_AROUND = 200;

export interface Conversation {
  session: string;
  entries: L1Entry[];
  /** Which of them was asked for; -1 if it is no longer kept. */
  index: number;
}

type Line = { start: number; end: number };

export function around(
  sessions: SessionFiles,
  { session, entry, count }: { session: string; entry: string; count: number },
): Conversation {
  const reach = Math.min(MOST_AROUND, Math.max(0, Math.floor(count)));
  for (const file of sessions.of(session)) {
    const content = sessions.content(file);
    const line = content && placeOf(content, entry);
    if (content === undefined || line === undefined) continue;
    const asked = entryAt(content, line) as L1Entry;
    const before = neighbours(content, line, reach, previousLine).reverse();
    const after = neighbours(content, line, reach, nextLine);
    return {
      session,
      entries: [...before, cut(asked, MAX_ASKED_CHARS), ...after],
      index: before.length,
    };
  }
  return { session, entries: [], index: -1 };
}

export function entriesOf(
  sessions: SessionFiles,
  { session, from, count }: { session: string; from: number; count: number },
): { total: number; entries: L1Entry[] } {
  // Files are in the order of their names, which is that of time.
  const contents = sessions
    .of(session)
    .sort()
    .flatMap((file) => sessions.content(file) ?? []);
  if (contents.length === 0) throw new ExpectedError(message('memory.conversationGone'));
  const lines = contents.flatMap((content) =>
    linesOf(content).flatMap((line) => (isEntry(content, line) ? { content, line } : [])),
  );
  const entries = lines
    .slice(from, from + count)
    .flatMap(({ content, line }) => entryAt(content, line) ?? []);
  return { total: lines.length, entries: entries.map((entry) => cut(entry, MAX_OTHER_CHARS)) };
}

/**
 * By its beginning, which every entry has: to read all lines of a long conversation for one page of
 * it would take too long.
 */
const BEGINNING = Buffer.from('{"id":');

function isEntry(content: Buffer, { start, end }: Line): boolean {
  return (
    content.subarray(start, Math.min(end, start + BEGINNING.length)).equals(BEGINNING) &&
    content[end - 1] === 0x7d
  );
}

function placeOf(content: Buffer, id: string): Line | undefined {
  const sought = `"id":${JSON.stringify(id)}`;
  for (let at = content.indexOf(sought); at >= 0; at = content.indexOf(sought, at + 1)) {
    const line = lineAround(content, at);
    if (entryAt(content, line)?.id === id) return line;
  }
  return undefined;
}

function lineAround(content: Buffer, at: number): Line {
  const end = content.indexOf('\n', at);
  return {
    start: at === 0 ? 0 : content.lastIndexOf('\n', at - 1) + 1,
    end: end < 0 ? content.length : end,
  };
}

type Step = (content: Buffer, line: Line) => Line | undefined;

const previousLine: Step = (content, { start }) =>
  start === 0 ? undefined : lineAround(content, start - 1);
const nextLine: Step = (content, { end }) =>
  end + 1 >= content.length ? undefined : lineAround(content, end + 1);

function neighbours(content: Buffer, from: Line, count: number, step: Step): L1Entry[] {
  const found: L1Entry[] = [];
  for (
    let line = step(content, from);
    line !== undefined && found.length < count;
    line = step(content, line)
  ) {
    const entry = entryAt(content, line);
    if (entry !== undefined) found.push(cut(entry, MAX_OTHER_CHARS));
  }
  return found;
}

function cut(entry: L1Entry, limit: number): L1Entry {
  if (entry.role === 'tool')
    return { ...entry, cmd: shortText(entry.cmd, limit), output: shortText(entry.output, limit) };
  return { ...entry, text: shortText(entry.text, limit) };
}

/** Never between the two halves of a character. */
function shortText(text: string, limit: number): string {
  if (typeof text !== 'string' || text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)} …`;
}
