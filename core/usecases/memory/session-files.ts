/**
 * Reads a project's L1 files, plain or compressed: which there are, how long each is, and their
 * content. What a file says about itself is cached until it changes; content is never held longer
 * than one answer takes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { parseL1 } from '../../memory/log/l1-store.ts';
import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { readFrom } from '../../platform/store/append-only.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import { firstSentence, shorten } from '../../platform/text/sentences.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { FileCache } from './file-cache.ts';

export interface SavedSession {
  session: string;
  file: string;
  entries: number;
  firstAt: string;
  lastAt: string;
  /** The name it was imported with, else the user's first words. */
  title: string;
}

const L1_NAME = /^[\w-]+\.l1\.jsonl$/;
const NEWLINE = 0x0a;
const HEADER_BYTES = 4096;
const TITLE_CHARS = 200;
/** How much of a conversation's beginning and end is parsed for its title and times. */
const SAMPLE_BYTES = 256 * 1024;

export class SessionFiles {
  readonly #memory: ProjectMemory;
  readonly #outlines = new FileCache<Omit<SavedSession, 'session' | 'file'>>();
  readonly #owners = new Map<string, string>();

  constructor(memory: ProjectMemory) {
    this.#memory = memory;
  }

  /** Newest first. */
  list(): SavedSession[] {
    const { sessions } = readMemoryIndex(this.#memory);
    return this.names()
      .map((file) => {
        const session = this.#ownerOf(file);
        const known = Object.hasOwn(sessions, session) ? sessions[session] : undefined;
        const outline = this.#outlineOf(file);
        return { session, file, ...outline, title: known?.backfilled?.name || outline.title };
      })
      .filter(({ entries }) => entries > 0)
      .sort((a, b) => (a.lastAt < b.lastAt ? 1 : -1));
  }

  /** Without the `.gz` of compressed files. */
  names(): string[] {
    const names = attempt(() => readdirSync(this.#memory.sessions), []);
    return [...new Set(names.map((name) => name.replace(/\.gz$/, '')))].filter((name) =>
      L1_NAME.test(name),
    );
  }

  /**
   * The files of a session, the one that it goes on in first: where one was deleted, it has begun
   * another. Takes a file's name, too.
   */
  of(session: string): string[] {
    const names = this.names();
    if (names.includes(session)) return [session];
    const { sessions } = readMemoryIndex(this.#memory);
    const current = Object.hasOwn(sessions, session) ? sessions[session]?.file : undefined;
    const own = names.filter((name) => name === current || this.#ownerOf(name) === session);
    return own.sort((a, b) => Number(b === current) - Number(a === current));
  }

  /** Undefined if the file is gone. */
  content(file: string): Buffer | undefined {
    const [path, packed] = this.#pathsOf(file);
    const plain = attempt(() => readFileSync(path), undefined);
    return plain ?? attempt(() => gunzipSync(readFileSync(packed)), undefined);
  }

  #pathsOf(file: string): [plain: string, packed: string] {
    const path = join(this.#memory.sessions, file);
    return [path, `${path}.gz`];
  }

  #outlineOf(file: string) {
    return this.#outlines.get(this.#pathsOf(file), () =>
      outline(this.content(file) ?? Buffer.alloc(0)),
    );
  }

  /** The first line names the session and never changes. */
  #ownerOf(file: string): string {
    const cached = this.#owners.get(file);
    if (cached !== undefined) return cached;
    const [path, packed] = this.#pathsOf(file);
    const head =
      attempt(() => readFrom(path, 0, HEADER_BYTES).toString(), '') ||
      attempt(() => unpacked(readFrom(packed, 0, HEADER_BYTES)).toString(), '');
    const header = Object(parseJson(head.split('\n', 1)[0] ?? ''));
    const owner = typeof header.session === 'string' ? header.session : '';
    if (owner !== '') this.#owners.set(file, owner);
    return owner;
  }
}

/** Also if the end is missing, as it is in the head of a file. */
function unpacked(head: Buffer): Buffer {
  return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH });
}

function outline(content: Buffer): Omit<SavedSession, 'session' | 'file'> {
  let lines = 0;
  for (let at = content.indexOf(NEWLINE); at >= 0; at = content.indexOf(NEWLINE, at + 1)) lines++;
  const first = parseL1(content.subarray(0, SAMPLE_BYTES).toString('utf8'));
  const last = parseL1(content.subarray(-SAMPLE_BYTES).toString('utf8'));
  const prompt = first.find(({ role }) => role === 'user');
  const text = prompt !== undefined && 'text' in prompt ? prompt.text : '';
  return {
    entries: Math.max(0, lines - 1), // the first line names the session
    firstAt: (first[0] ?? last[0])?.ts ?? '',
    lastAt: (last.at(-1) ?? first.at(-1))?.ts ?? '',
    title: shorten(firstSentence(text.slice(0, HEADER_BYTES)), TITLE_CHARS),
  };
}
