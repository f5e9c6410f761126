/**
 * Reads a project's L1 files, plain or compressed: which there are, how long each is, and any of
 * their entries, without holding a whole conversation longer than one answer takes. What is known
 * about a file is cached until it changes.
 */

import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import type { L1Entry } from '../../memory/log/l1-refine.ts';
import { parseL1 } from '../../memory/log/l1-store.ts';
import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import { firstSentence, shortened } from '../../platform/text/sentences.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';

export interface KeptSession {
  session: string;
  file: string;
  entries: number;
  firstAt: string;
  lastAt: string;
  /** The first words of the user. */
  title: string;
}

const L1_NAME = /^[\w-]+\.l1\.jsonl$/;
const NEWLINE = 0x0a;
const HEADER_BYTES = 4096;
const TITLE_CHARS = 200;
/**
 * How far into a conversation its first words of the user are looked for, and from its end its last
 * time.
 */
const GLIMPSE_BYTES = 256 * 1024;
/** What is known of so many files; more sessions than that are looked at anew each time. */
const MOST_KNOWN = 5000;

interface FileFacts {
  identity: string;
  entries: number;
  firstAt: string;
  lastAt: string;
  title: string;
}

export class SessionFiles {
  readonly #memory: ProjectMemory;
  readonly #known = new Map<string, FileFacts>();
  readonly #owners = new Map<string, string>();

  constructor(memory: ProjectMemory) {
    this.#memory = memory;
  }

  /** Newest first. */
  list(): KeptSession[] {
    if (this.#known.size > MOST_KNOWN) this.#known.clear();
    const sessions = this.names().map((file) => {
      const { identity: _, ...facts } = this.#factsOf(file);
      return { session: this.#ownerOf(file), file, ...facts };
    });
    return sessions
      .filter(({ entries }) => entries > 0)
      .sort((a, b) => (a.lastAt < b.lastAt ? 1 : -1));
  }

  /** Names without the `.gz` that some of them have. */
  names(): string[] {
    const names = attempt(() => readdirSync(this.#memory.sessions), []);
    return [...new Set(names.map((name) => name.replace(/\.gz$/, '')))].filter((name) =>
      L1_NAME.test(name),
    );
  }

  /**
   * The files of a session, the one that it goes on in first: where one was deleted, it has begun
   * another. Its file's name will do, too.
   */
  of(session: string): string[] {
    const names = this.names();
    if (names.includes(session)) return [session];
    const { sessions } = readMemoryIndex(this.#memory);
    const current = Object.hasOwn(sessions, session) ? sessions[session]?.file : undefined;
    const own = names.filter((name) => name === current || this.#ownerOf(name) === session);
    return own.sort((a, b) => Number(b === current) - Number(a === current));
  }

  /** All of it; undefined if it is kept no longer. */
  content(file: string): Buffer | undefined {
    const path = join(this.#memory.sessions, file);
    const plain = attempt(() => readFileSync(path), undefined);
    return plain ?? attempt(() => gunzipSync(readFileSync(`${path}.gz`)), undefined);
  }

  #identityOf(file: string): string {
    const path = join(this.#memory.sessions, file);
    return `${fileMark(path)} ${fileMark(`${path}.gz`)}`;
  }

  #factsOf(file: string): FileFacts {
    const identity = this.#identityOf(file);
    const known = this.#known.get(file);
    if (known?.identity === identity) return known;
    const facts = { identity, ...glimpse(this.content(file) ?? Buffer.alloc(0)) };
    this.#known.set(file, facts);
    return facts;
  }

  /** The first line tells; it never changes. */
  #ownerOf(file: string): string {
    const known = this.#owners.get(file);
    if (known !== undefined) return known;
    const path = join(this.#memory.sessions, file);
    const head =
      attempt(() => headOf(path), undefined) ??
      attempt(() => unpackedHead(headOf(`${path}.gz`)), '');
    const header = parseJson(head.toString().split('\n')[0] ?? '') as
      | { session?: unknown }
      | undefined;
    const owner = typeof header?.session === 'string' ? header.session : '';
    if (owner !== '') this.#owners.set(file, owner);
    return owner;
  }
}

function headOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(HEADER_BYTES);
    return head.subarray(0, readSync(file, head, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

/** The end of what was compressed is missing, and not needed. */
function unpackedHead(head: Buffer): Buffer {
  return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH });
}

function glimpse(content: Buffer): Omit<FileFacts, 'identity'> {
  let lines = 0;
  for (let at = content.indexOf(NEWLINE); at >= 0; at = content.indexOf(NEWLINE, at + 1)) lines++;
  const first = parseL1(content.subarray(0, GLIMPSE_BYTES).toString('utf8'));
  const last = parseL1(
    content.subarray(Math.max(0, content.length - GLIMPSE_BYTES)).toString('utf8'),
  );
  const asked = first.find((entry) => entry.role === 'user');
  const said = asked !== undefined && 'text' in asked ? asked.text : '';
  return {
    // The first line names the session.
    entries: Math.max(0, lines - 1),
    firstAt: (first[0] ?? last[0])?.ts ?? '',
    lastAt: (last.at(-1) ?? first.at(-1))?.ts ?? '',
    title: shortened(firstSentence(said.slice(0, HEADER_BYTES)), TITLE_CHARS),
  };
}

/**
 * The lines of a conversation as places in it; those that are no entries are left out when they are
 * read.
 */
export function linesOf(content: Buffer): { start: number; end: number }[] {
  const lines: { start: number; end: number }[] = [];
  let start = 0;
  for (let end = content.indexOf(NEWLINE); end >= 0; end = content.indexOf(NEWLINE, start)) {
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

export function entryAt(
  content: Buffer,
  { start, end }: { start: number; end: number },
): L1Entry | undefined {
  return parseL1(content.subarray(start, end).toString('utf8'))[0];
}
