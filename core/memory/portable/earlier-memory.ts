/**
 * Reads the memory that 0.1.0 kept in a project, `.claude/memory` and `.claude/sessions`, and copies
 * a part of it into a folder of ours: those sessions that are wanted, what the journal says of them,
 * and what people changed if that is wanted too (M1, T1). It lies in a repository, so the hardened
 * reader opens everything (T4), and nothing of it is ever written.
 */
import { join, resolve } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import {
  copyFromProject,
  listInProject,
  markInProject,
  readHeadInProject,
  readInProject,
} from '../../platform/project/read-in-project.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { MAX_DOCUMENT_BYTES, parseDocument } from '../../platform/store/document.ts';
import { NO_FILE } from '../../platform/store/file-mark.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import { parseHeader } from '../log/l1-line.ts';
import {
  type MemoryIndex,
  memoryIndexFile,
  type SessionProgress,
  updateMemoryIndex,
} from '../log/memory-index.ts';
import { MAX_FILE_BYTES, MAX_TOTAL_BYTES } from './manifest.ts';
import { endedSession } from './merge-l1.ts';
import type { SessionProof } from './session-proof.ts';

const MB = 1024 * 1024;
/** Thousands of sessions need a hundredth of it. */
const MAX_INDEX_BYTES = 16 * MB;
const MAX_JOURNAL_BYTES = 64 * MB;
/** One for each session, and some beside it: more than anybody has. */
const MAX_NAMES = 50_000;
/** The first line names the session and nothing else. So few bytes cannot stand for many. */
const HEAD_BYTES = 512;
const MAX_UNPACKED_HEAD = MB;

const L1_NAME = /^([\w-]{1,100}\.l1\.jsonl)(?:\.gz)?$/;
const TIER_PAGE = /^(?:week-\d{1,2}|\d{4}-\d{2})\.md$/;
const DOCUMENTS = ['memory.md', 'facts.json', 'concepts.json'];

/** One L1 file, with its compressed part if it has one. */
export interface EarlierSession {
  id: string;
  file: string;
  /** `2026-11-12_1100.l1.jsonl`, `2026-11-12_1100.l1.jsonl.gz`. */
  names: string[];
}

/** What to copy. */
export interface Wanted {
  sessions: readonly EarlierSession[];
  /** These are all that there are. */
  isAll: boolean;
  /** What people changed, and all else that no session proves. */
  edits: boolean;
}

export class EarlierMemory {
  /** The folder that nothing is read out of. */
  readonly #within: string;
  readonly #prefix: string;
  /** Of the checkout. */
  readonly root: string;

  private constructor(root: string, within: string, prefix: string) {
    this.root = root;
    this.#within = within;
    this.#prefix = prefix;
  }

  /** In a checkout, as 0.1.0 did it by default. */
  static inProject(root: string): EarlierMemory {
    return new EarlierMemory(root, root, '.claude/');
  }

  /** In our own home, with `storage: home`. */
  static inHome(base: string, root: string): EarlierMemory {
    return new EarlierMemory(root, base, '');
  }

  get isInHome(): boolean {
    return this.#prefix === '';
  }

  /** The folder that holds `memory` and `sessions`. */
  get path(): string {
    return resolve(this.#within, this.#prefix); // without a slash at its end
  }

  /** Differs once 0.1.0 has written again; undefined if there is none, which costs one look. */
  mark(): string | undefined {
    const [index, journal] = ['memory-index.json', 'journal.jsonl'].map((name) =>
      markInProject(this.#within, `${this.#prefix}memory/${name}`),
    );
    return index === NO_FILE ? undefined : `${index} ${journal}`;
  }

  /** By the first line of each L1 file. One that names none has the id ''. */
  sessions(): EarlierSession[] {
    const { files, isCut } = listInProject(this.#within, `${this.#prefix}sessions`, MAX_NAMES);
    if (isCut) throw new ExpectedError(message('memory.earlierTooMany', { path: this.path }));
    const found = new Map<string, EarlierSession>();
    for (const name of [...files].sort()) {
      const file = L1_NAME.exec(name)?.[1];
      if (file === undefined) continue;
      const id = this.#sessionIn(name);
      const other = found.get(file);
      const names = [...(other?.names ?? []), name];
      found.set(file, { id: other === undefined || other.id === id ? id : '', file, names });
    }
    return [...found.values()];
  }

  /** Of `rules.md` or another small file; undefined if there is none that can be used. */
  text(name: string): string | undefined {
    const file = readInProject(this.#within, `${this.#prefix}memory/${name}`, MAX_INDEX_BYTES);
    return file.state === 'ok' ? file.text : undefined;
  }

  /** How many documents people changed after 0.1.0 had written them, unknown to its journal. */
  changedDocuments(): number {
    const read = (name: string) => {
      const path = `${this.#prefix}memory/${name}`;
      const file = readInProject(this.#within, path, MAX_DOCUMENT_BYTES);
      return file.state === 'ok' ? file.text : undefined;
    };
    return DOCUMENTS.filter((name) => {
      const [now, left] = [read(name), read(`.history/${name}/ours.copy`)];
      return now !== undefined && now !== left;
    }).length;
  }

  /** Copies what is wanted, with the whole journal. Returns the names of the files. */
  copyTo(into: ProjectMemory, wanted: Wanted, proof: SessionProof): string[] {
    prepareProjectMemory(into);
    const copied: string[] = [];
    let room = MAX_TOTAL_BYTES;
    const copy = (name: string, maxBytes = MAX_FILE_BYTES) => {
      const to = join(into.base, name);
      const bytes = copyFromProject(this.#within, this.#prefix + name, to, maxBytes);
      if (bytes === undefined) return undefined;
      room -= Number(bytes);
      if (bytes === 'tooLarge' || room < 0)
        throw new ExpectedError(message('memory.earlierTooLarge', { path: join(this.path, name) }));
      copied.push(name);
      return bytes;
    };
    const index = this.#index();
    const progress: Record<string, SessionProgress> = {};
    for (const { id, file, names } of wanted.sessions) {
      const stem = file.replace('.l1.jsonl', '');
      const bytes = new Map(names.map((name) => [name, copy(`sessions/${name}`)]));
      copy(`sessions/${stem}.md`);
      copy(`sessions/raw/${stem}.jsonl.gz`);
      const known = progressOf(index, { id, file }, bytes.get(file), proof);
      // A session whose file was deleted went on in another: that is the one that the index names.
      if (progress[id] === undefined || index.sessions[id]?.file === file) progress[id] = known;
    }
    copy('memory/journal.jsonl', MAX_JOURNAL_BYTES);
    for (const name of wanted.edits ? DOCUMENTS : []) {
      copy(`memory/${name}`);
      // Tells what people changed in the file after 0.1.0 had written it.
      copy(`memory/.history/${name}/ours.copy`);
    }
    const pages = wanted.isAll ? ['sessions', 'sessions/archive'] : [];
    for (const folder of wanted.edits ? [...pages, 'memory/archive'] : pages)
      for (const name of this.#pages(folder)) copy(name);
    const { attempts: _, cleared: _c, delta: _d, askedFor: _a, ...rest } = index;
    updateMemoryIndex(into, () => ({
      ...(wanted.edits ? rest : {}),
      sessions: progress,
    }));
    return copied;
  }

  /** Weeks, months, and what was moved out of memory.md. */
  #pages(folder: string): string[] {
    const { files } = listInProject(this.#within, this.#prefix + folder, MAX_NAMES);
    return files.filter((name) => TIER_PAGE.test(name)).map((name) => `${folder}/${name}`);
  }

  #sessionIn(name: string): string {
    const head = readHeadInProject(this.#within, `${this.#prefix}sessions/${name}`, HEAD_BYTES);
    const start = head && (name.endsWith('.gz') ? unpackedHead(head) : head);
    const id = start && parseHeader(start.toString('utf8').split('\n', 1)[0] ?? '')?.session;
    return id !== undefined && isSessionId(id) ? id : '';
  }

  #index(): MemoryIndex {
    const name = `${this.#prefix}memory/memory-index.json`;
    const file = readInProject(this.#within, name, MAX_INDEX_BYTES);
    const reading =
      file.state === 'ok' ? parseDocument(name, file.text, memoryIndexFile) : undefined;
    return reading?.state === 'ok' ? reading.value : memoryIndexFile.empty();
  }
}

/** How far the transcript is read. The path of the transcript is looked up, not believed. */
function progressOf(
  index: MemoryIndex,
  { id, file }: Pick<EarlierSession, 'id' | 'file'>,
  bytes: number | undefined,
  proof: SessionProof,
): SessionProgress {
  const known = index.sessions[id];
  if (known?.file !== file) return endedSession(file, bytes ?? 0);
  const { transcript: _, ...progress } = known;
  const transcript = proof.transcriptOf(id);
  const l1Bytes = Math.min(known.l1Bytes, bytes ?? known.l1Bytes);
  return { ...progress, l1Bytes, ...(transcript !== undefined && { transcript }) };
}

/** A few bytes can stand for gigabytes: those are no head of ours. */
function unpackedHead(head: Buffer): Buffer | undefined {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_UNPACKED_HEAD };
  return attempt(() => gunzipSync(head, options), undefined);
}
