/**
 * How much context a session used at the end of its recent turns (C1, C3). It is read once from the
 * transcript's tail, however large the file, then kept up to date from appended lines.
 */
import { closeSync, fstatSync, type Stats } from 'node:fs';
import { type Cursor, endOfLastLine, linesFromEnd, openIfThere, readAppended } from './lines.ts';
import { parseRow } from './rows.ts';

export interface ContextPoint {
  tokens: number;
  model: string;
  /** When the reply was written, ISO. */
  at?: string;
  /** Reported by a compaction; no reply has measured it yet. */
  isCompaction: boolean;
  /** The CLI said after it that nothing more fits in. */
  isFull?: boolean;
}

/** What a transcript tells of a model's window (L1e). */
export interface SeenWindow {
  model: string;
  /** The context that Claude Code compacted by itself. */
  compactedAt?: number;
  /** What the API named as the most that fits in. */
  limit?: number;
}

interface TurnState {
  /** One point per turn, oldest first; the last one is the context in use now. */
  turns: ContextPoint[];
  /** The last of each kind. */
  seen: { compaction?: SeenWindow; limit?: SeenWindow };
  /** A prompt has come after the last point: the next reply opens a new turn. */
  turnOpen: boolean;
  /** When the last compaction was, ISO: behind it Claude Code writes again what it kept. */
  compactedOn?: string | undefined;
}

export interface ContextHistory extends TurnState {
  cursor: Cursor;
}

/** What a line means for the context; most lines mean nothing. */
type ContextEvent =
  | { kind: 'turn-start'; at: string | undefined }
  | { kind: 'reply'; point: ContextPoint }
  | CompactionEvent
  | { kind: 'full'; limit: number | undefined };

interface CompactionEvent {
  kind: 'compaction';
  at: string | undefined;
  tokens: number | undefined;
  compactedAt: number | undefined;
}

export const MAX_TURNS = 30;
/** How far back to look for the newest reply: after it comes only what one turn's tools returned. */
const NEWEST_LOOK_BACK_BYTES = 64 * 1024 * 1024;
/** What comes before the first reply: the prompt, what hooks gave, snapshots. */
const FIRST_REPLY_WITHIN_BYTES = 16 * 1024 * 1024;
const FIRST_REPLY_CHUNK_BYTES = 512 * 1024;
/** How far back to look for earlier turns once the newest reply is found. */
const TURNS_LOOK_BACK_BYTES = 4 * 1024 * 1024;
/** Behind a compaction's row stands what was kept. */
const COMPACTION_LOOK_BACK_BYTES = 16 * 1024 * 1024;

/** What a compaction keeps stands behind its row again, so the newest reply may be older than it. */
const KEPT_BYTES = 256 * 1024;

/** What a prompt or a tool usually adds between the last reply and a compaction. */
const MAX_UNMEASURED_TOKENS = 10_000;

const marker = (text: string) => Buffer.from(text);
const ASSISTANT = marker('"assistant"');
const USAGE = marker('"usage"');
const USER = marker('"user"');
const TOOL_RESULT = marker('"tool_result"');
const COMPACTION = marker('"compact_boundary"');
const QUEUED = marker('"queued_command"');

/** Undefined when there is no such file (yet). */
export function readContextHistory(path: string): ContextHistory | undefined {
  return withFile(path, (file, { size, ino }) => ({
    ...readTail(file, size, MAX_TURNS),
    cursor: { offset: endOfLastLine(file, size), inode: ino },
  }));
}

interface Compaction {
  tokensBefore: number | undefined;
  tokensAfter: number | undefined;
}

/** The newest compaction, if Claude Code wrote of it since that time. */
export function lastCompaction(path: string, since: string): Compaction | undefined {
  return withFile(path, (file, { size }) => {
    for (const line of linesFromEnd(file, size, COMPACTION_LOOK_BACK_BYTES)) {
      const row = line.includes(COMPACTION) ? parseRow(line.toString('utf8')) : undefined;
      if (row?.kind !== 'compaction' || row.isSidechain) continue;
      const isSince = row.at !== undefined && Date.parse(row.at) >= Date.parse(since);
      return isSince ? { tokensBefore: row.preTokens, tokensAfter: row.postTokens } : undefined;
    }
    return undefined;
  });
}

/** For readers that do not follow the file. */
export function readRecentTurns(path: string, maxTurns: number): ContextPoint[] {
  return withFile(path, (file, { size }) => readTail(file, size, maxTurns).turns) ?? [];
}

/** What the history tells of windows. */
export function seenWindows({ seen }: Pick<ContextHistory, 'seen'>): SeenWindow[] {
  return [seen.compaction, seen.limit].filter((found) => found !== undefined);
}

/** The context of the first reply; undefined if none is near the beginning. */
export function readFirstTokens(path: string): number | undefined {
  let cursor = { offset: 0, inode: 0 };
  while (cursor.offset < FIRST_REPLY_WITHIN_BYTES) {
    const { lines, cursor: next, more } = readAppended(path, cursor, FIRST_REPLY_CHUNK_BYTES);
    for (const line of lines) {
      const event = contextEvent(line);
      if (event?.kind === 'reply') return event.point.tokens;
    }
    if (!more) return undefined;
    cursor = next;
  }
  return undefined;
}

/**
 * Whether the user typed a prompt other than `ownText`, which is ours. The newest rows are read
 * first, and commands do not count: a model can run some of them.
 */
export function hasPromptOfUser(path: string, ownText: string): boolean {
  const isOfUser = (line: Buffer) => {
    const isSaid = !isBookkeeping(line) && line.includes(USER) && !line.includes(TOOL_RESULT);
    if (!isSaid && !line.includes(QUEUED)) return false;
    const row = parseRow(line.toString('utf8'));
    return row.kind === 'prompt' && !row.isSidechain && row.text.trim() !== ownText;
  };
  const search = (file: number, { size }: Stats) => {
    for (const line of linesFromEnd(file, size, NEWEST_LOOK_BACK_BYTES))
      if (isOfUser(line)) return true;
    return false;
  };
  return withFile(path, search) ?? false;
}

function withFile<T>(path: string, read: (file: number, info: Stats) => T): T | undefined {
  const file = openIfThere(path);
  if (file === undefined) return undefined;
  try {
    return read(file, fstatSync(file));
  } finally {
    closeSync(file);
  }
}

/** The same history with what was appended since; the very same object if nothing was. */
export function followContextHistory(
  path: string,
  history: ContextHistory,
): ContextHistory | undefined {
  let current = history;
  for (;;) {
    const appended = readAppended(path, current.cursor);
    if (appended.state !== 'grown') return readContextHistory(path);
    if (appended.cursor.offset !== current.cursor.offset) {
      const events = appended.lines.flatMap((line) => contextEvent(line) ?? []);
      current = { ...events.reduce(addEvent, current), cursor: appended.cursor };
    }
    if (!appended.more) return current;
  }
}

/** Collects the events of the last `maxTurns` turns backwards, then plays them forwards. */
function readTail(file: number, size: number, maxTurns: number): TurnState {
  const tail = new Tail(maxTurns);
  for (const line of linesFromEnd(file, size, NEWEST_LOOK_BACK_BYTES)) if (!tail.add(line)) break;
  return tail.events.reverse().reduce(addEvent, { turns: [], seen: {}, turnOpen: false });
}

/** The events at the end of a transcript, newest first. */
class Tail {
  events: ContextEvent[] = [];
  readonly #maxTurns: number;
  #need: StillNeeded;
  #bytes = 0;
  /** How much had been read when it was enough; from then on only a compaction is looked for. */
  #enoughAt: number | undefined;

  constructor(maxTurns: number) {
    this.#maxTurns = maxTurns;
    this.#need = new StillNeeded(maxTurns);
  }

  /** False if the lines before it do not matter. */
  add(line: Buffer): boolean {
    this.#bytes += line.length;
    if (this.#enoughAt !== undefined) {
      if (this.#bytes > this.#enoughAt + KEPT_BYTES) return false;
      if (!line.includes(COMPACTION)) return true;
    }
    if (this.#need.hasNewest && this.#bytes > TURNS_LOOK_BACK_BYTES) return false;
    const event = contextEvent(line);
    if (event === undefined) return true;
    if (event.kind === 'compaction' && !this.#leaveOut(event) && this.#enoughAt !== undefined)
      return false;
    this.events.push(event);
    this.#enoughAt = this.#need.moreThan(event) ? undefined : this.#bytes;
    return this.#enoughAt === undefined || !this.#need.isCompacted;
  }

  /** Leaves out what the compaction kept; false if that is nothing. */
  #leaveOut({ at }: CompactionEvent): boolean {
    const own = this.events.filter((each) => !isWrittenAgain(each, at));
    if (own.length === this.events.length) return false;
    this.events = own;
    this.#need = new StillNeeded(this.#maxTurns);
    for (const each of own) this.#need.moreThan(each);
    return true;
  }
}

/** Whether it is older than the compaction before it. */
function isWrittenAgain(event: ContextEvent, compactedOn: string | undefined): boolean {
  const at =
    event.kind === 'reply' ? event.point.at : event.kind === 'turn-start' ? event.at : undefined;
  return at !== undefined && compactedOn !== undefined && at < compactedOn;
}

/** Decides, newest event first, when enough has been read. */
class StillNeeded {
  hasNewest = false;
  #turnsMissing: number;
  #turnHasReply = false;
  isCompacted = false;

  constructor(maxTurns: number) {
    this.#turnsMissing = maxTurns;
  }

  moreThan(event: ContextEvent): boolean {
    if (event.kind === 'turn-start') this.#turnHasReply = false;
    if (event.kind === 'compaction') this.isCompacted = true;
    if (event.kind !== 'reply') return true;
    if (!this.#turnHasReply) this.#turnsMissing--;
    this.#turnHasReply = true;
    this.hasNewest = true;
    // Growth is measured between compactions; before one only its last reply is of use.
    return !this.isCompacted && this.#turnsMissing > 0;
  }
}

function addEvent(state: TurnState, event: ContextEvent): TurnState {
  const { turns } = state;
  const last = turns.at(-1);
  if (isWrittenAgain(event, state.compactedOn)) return state;
  if (event.kind === 'turn-start') return { ...state, turnOpen: true };
  if (event.kind === 'full') return afterRefusal(state, event.limit);
  if (event.kind === 'compaction') {
    const { tokens, at: compactedOn } = event;
    const seen = withCompaction(state, event.compactedAt);
    // Without a figure nothing is known until the next reply.
    const isKnown = tokens !== undefined && last !== undefined;
    const points = isKnown ? [{ tokens, model: last.model, isCompaction: true }] : [];
    return { ...state, seen, turns: points, compactedOn };
  }
  const isSameTurn = !state.turnOpen || last?.isCompaction === true;
  return {
    ...state,
    turns: [...(isSameTurn ? turns.slice(0, -1) : turns), event.point].slice(-MAX_TURNS),
    turnOpen: false,
  };
}

function afterRefusal(state: TurnState, limit: number | undefined): TurnState {
  const { turns, seen } = state;
  const last = turns.at(-1);
  if (last === undefined) return state;
  return {
    ...state,
    turns: [...turns.slice(0, -1), { ...last, isFull: true }],
    seen: limit === undefined ? seen : { ...seen, limit: { model: last.model, limit } },
  };
}

/**
 * Claude Code also compacts after an API's refusal, and then a pasted text that was never measured
 * stands in its figure: the last reply, which did fit in, bounds it.
 */
function withCompaction({ turns, seen }: TurnState, compactedAt?: number): TurnState['seen'] {
  const last = turns.at(-1);
  if (compactedAt === undefined || last === undefined || last.isCompaction) return seen;
  const { model, tokens } = last;
  const bounded = Math.min(compactedAt, tokens + MAX_UNMEASURED_TOKENS);
  return { ...seen, compaction: { model, compactedAt: bounded } };
}

const TYPE_FIRST = marker('{"type":"');
const CONVERSATION = /^(?:user|assistant|system)"/;
const LONGEST_TYPE = 40;

/** The longest rows begin with their type and need not be searched. */
function isBookkeeping(line: Buffer): boolean {
  if (!line.subarray(0, TYPE_FIRST.length).equals(TYPE_FIRST)) return false;
  const typeEnd = TYPE_FIRST.length + LONGEST_TYPE;
  return !CONVERSATION.test(line.toString('latin1', TYPE_FIRST.length, typeEnd));
}

/** Quotes inside a string are escaped, so `"usage"` is a field: rows without it are not parsed. */
function contextEvent(line: Buffer): ContextEvent | undefined {
  if (isBookkeeping(line)) return undefined;
  const isRelevant =
    (line.includes(ASSISTANT) && line.includes(USAGE)) ||
    (line.includes(USER) && !line.includes(TOOL_RESULT)) ||
    line.includes(COMPACTION);
  if (!isRelevant) return undefined;
  const row = parseRow(line.toString('utf8'));
  if (row.kind === 'broken' || row.isSidechain) return undefined;
  if (row.kind === 'prompt' || row.kind === 'command') return { kind: 'turn-start', at: row.at };
  if (row.kind === 'compaction') {
    const { postTokens: tokens, compactedAt, at } = row;
    return { kind: 'compaction', at, tokens, compactedAt };
  }
  if (row.kind !== 'assistant') return undefined;
  if (row.isTooLong === true) return { kind: 'full', limit: row.limit };
  if (row.contextTokens === undefined) return undefined;
  const { contextTokens: tokens, model, at } = row;
  const point = { tokens, model, isCompaction: false, ...(at !== undefined && { at }) };
  return { kind: 'reply', point };
}
