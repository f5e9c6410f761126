/**
 * Gives each imported conversation a summary with its own date and name (L1d), without a model: what
 * was asked, what was changed, how it ended. They are journal events like the summaries of deltas, so
 * memory.md is made from them, and a rebuild makes it again.
 */
import { isAbsolute, relative } from 'node:path';
import { firstSentence, shorten } from '../../platform/text/sentences.ts';
import { minuteStamp } from '../../platform/text/stamp.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { isLocalCommand, isRequest } from '../log/hand-over.ts';
import type { JournalEvent } from '../log/journal.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { readL1Range } from '../log/l1-store.ts';
import { tellingReply, tellingRequest } from '../log/telling-sentence.ts';
import { redact } from '../redact/redact.ts';
import { isEdit } from '../restore/work-lines.ts';
import { record } from '../state/derive.ts';
import type { PastSession } from './past-sessions.ts';

export interface DatedSession {
  session: PastSession;
  /** Its L1 file, and how long that is. */
  file: string;
  bytes: number;
}

const MAX_NAME_CHARS = 72;
const MAX_REQUEST_CHARS = 220;
const MAX_ENDING_CHARS = 360;
/** The first says what it was about, the last where the work stood. */
const LAST_REQUESTS = 3;
const MIN_TELLING_WIDTH = 12;
const MAX_FILES = 8;
/** Of a path outside the project. */
const SHOWN_FOLDERS = 3;
const ID_CHARS = 12;

/** Leaves out sessions whose L1 file was removed meanwhile. */
export function recordDatedSummaries(
  memory: ProjectMemory,
  backfill: string,
  sessions: readonly DatedSession[],
): void {
  if (sessions.length === 0) return;
  record(memory, ...sessions.flatMap((session) => summaryEvent(memory, backfill, session) ?? []));
}

function summaryEvent(
  memory: ProjectMemory,
  backfill: string,
  { session, file, bytes }: DatedSession,
): JournalEvent | undefined {
  const entries = readL1Range(memory, file, 0, bytes);
  if (entries === undefined) return undefined; // somebody removed it meanwhile
  const { sessionId } = session;
  const from = entries.find(({ ts }) => ts !== '')?.ts || session.startedAt;
  const to = entries.findLast(({ ts }) => ts !== '')?.ts || session.endedAt;
  return {
    type: 'delta',
    at: new Date().toISOString(),
    way: 'extract',
    text: sessionStory(memory, entries),
    ends: { [sessionId]: bytes },
    upTo: to,
    files: { [sessionId]: file },
    stamp: minuteStamp(new Date(from)),
    backfill: { id: backfill, name: sessionName(session, entries), from, to },
  };
}

/** The user's or Claude Code's own name for it, else what was asked first. */
function sessionName(
  { title, named }: Pick<PastSession, 'title' | 'named'>,
  entries: readonly L1Entry[],
): string {
  // Claude Code has put names of other conversations into transcripts.
  const leaf = named?.leaf.replaceAll('-', '').slice(0, ID_CHARS) ?? '';
  const isOwn = leaf !== '' && entries.some(({ id }) => id.startsWith(leaf));
  const given = title || (isOwn ? (named?.title ?? '') : '');
  const name = given === '' ? (requestsIn(entries)[0] ?? '') : redact(given);
  return shorten(oneLine(name).replace(/[.:]$/, ''), MAX_NAME_CHARS) || 'Conversation';
}

function sessionStory(memory: ProjectMemory, entries: readonly L1Entry[]): string {
  const requests = requestsIn(entries);
  const told =
    requests.length <= LAST_REQUESTS + 1
      ? requests
      : [requests[0] ?? '', '…', ...requests.slice(-LAST_REQUESTS)];
  const files = changedFiles(memory, entries);
  const more = files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : '';
  const ending = entries.findLast((entry) => entry.role === 'assistant');
  const lines = [
    told.length > 0
      ? `Asked: ${told.map((text) => shorten(text, MAX_REQUEST_CHARS)).join(' / ')}`
      : '',
    files.length > 0 ? `Changed: ${files.slice(0, MAX_FILES).join(', ')}${more}` : '',
    ending !== undefined && 'text' in ending
      ? `Ended: ${tellingReply(ending.text, { isDoneEnough: true }) ?? shorten(oneLine(ending.text), MAX_ENDING_CHARS)}`
      : '',
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** "yes" and "go on" say nothing by themselves, unless nothing else was said. */
function requestsIn(entries: readonly L1Entry[]): string[] {
  const requests = entries.flatMap((entry) =>
    isRequest(entry) && !isLocalCommand(entry) ? [tellingPart(entry.text)] : [],
  );
  const telling = requests.filter((text) => widthOf(text) >= MIN_TELLING_WIDTH);
  return telling.length > 0 ? telling : requests;
}

/** The most telling sentence (V2); else the first, and more of it if that only announces what follows. */
function tellingPart(text: string): string {
  const telling = tellingRequest(text);
  if (telling !== undefined) return telling;
  const line = oneLine(text.replace(/^[ \t]*#+\s|```\w*/gm, ''));
  const sentence = firstSentence(line);
  return widthOf(sentence) < MIN_TELLING_WIDTH ? line : sentence;
}

/** A syllable of Hangul says as much as two letters. */
function widthOf(text: string): number {
  return text.length + (text.match(/\p{Script=Hangul}/gu)?.length ?? 0);
}

/** Newest first. */
function changedFiles(memory: ProjectMemory, entries: readonly L1Entry[]): string[] {
  const paths = entries.flatMap((entry) =>
    entry.role === 'tool' && isEdit(entry) ? [within(memory.root, entry.cmd)] : [],
  );
  return [...new Set(paths.reverse())];
}

function within(root: string, path: string): string {
  const [line = ''] = path.split('\n');
  const below = isAbsolute(line) ? relative(root, line) : line;
  if (below !== '' && !below.startsWith('..')) return below;
  const parts = line.split(/[/\\]/);
  return parts.length <= SHOWN_FOLDERS + 1 ? line : `…/${parts.slice(-SHOWN_FOLDERS).join('/')}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
