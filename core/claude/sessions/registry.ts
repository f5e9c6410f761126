/**
 * Claude Code's own list of running sessions: one file per process in
 * `<claude>/sessions/<pid>.json`. It is not documented, so absence, unknown values and torn reads
 * (the file is rewritten in place) are all expected here.
 */

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { type Message, message } from '../../messages/message.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { SessionId } from '../../platform/store/session-id.ts';

export type SessionState = 'idle' | 'busy' | 'waiting' | 'unknown';

/**
 * What Claude Code says of one of its sessions, true or not: whether the process still lives is not
 * known here.
 */
export interface RegisteredSession {
  pid: number;
  sessionId: string;
  cwd: string;
  state: SessionState;
  /** With `waiting`: for what, in the CLI's words, e.g. `permission prompt`. */
  waitingFor?: string;
  /** As the CLI wrote it; compared with the start time of the process that has the pid now. */
  processStart?: string;
  /** Which machine and pid namespace the pid belongs to. */
  pidDomain?: string;
  kind?: string;
  name?: string;
  version?: string;
  startedAt?: number;
}

const MAX_ENTRY_BYTES = 1024 * 1024;
/**
 * Two writes within one tick of the file system's clock look the same; `idle` and `busy` are
 * equally long.
 */
const SETTLED_MS = 2000;
const TORN_READ_TRIES = 4;
const TORN_READ_PAUSE_MS = 15;

const Pid = v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(2 ** 31 - 1));
const optionalText = v.fallback(v.optional(v.string()), undefined);

/** Also the shape of one entry of `claude agents --json`. */
export const RegistryEntry = v.object({
  pid: Pid,
  sessionId: SessionId,
  cwd: v.pipe(v.string(), v.minLength(1)),
  status: optionalText,
  waitingFor: optionalText,
  // If it is there it must be understood: a start time that we cannot compare would make any
  // process pass for this one.
  procStart: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
  procStartFt: v.optional(v.string()),
  pidDomain: optionalText,
  kind: optionalText,
  name: optionalText,
  version: optionalText,
  startedAt: v.fallback(v.optional(v.number()), undefined),
});

export function registeredSession(entry: v.InferOutput<typeof RegistryEntry>): RegisteredSession {
  const optional = {
    waitingFor: entry.waitingFor,
    processStart: entry.procStart ?? entry.procStartFt,
    pidDomain: entry.pidDomain,
    kind: entry.kind,
    name: entry.name,
    version: entry.version,
    startedAt: entry.startedAt,
  };
  return {
    pid: entry.pid,
    sessionId: entry.sessionId,
    cwd: entry.cwd,
    state: sessionState(entry.status),
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<RegisteredSession>),
  };
}

/**
 * `shell`: idle, while a shell runs in the background, which a /clear leaves alone. A word that we
 * do not know never passes for idle (A3).
 */
function sessionState(status: string | undefined): SessionState {
  if (status === 'idle' || status === 'busy' || status === 'waiting') return status;
  return status === 'shell' ? 'idle' : 'unknown';
}

export interface RegistryReading {
  sessions: RegisteredSession[];
  /**
   * False if there is no such folder, or nothing in it could be understood: then it tells nothing.
   */
  isUsable: boolean;
  /** The pids of files that stayed unreadable. */
  unreadable: number[];
  /** Why the folder itself cannot be read. */
  problem?: Message;
}

/**
 * Reads the registry and remembers each file until it changes, so that looking often costs next to
 * nothing.
 */
export class SessionRegistry {
  readonly folder: string;
  readonly #known = new Map<
    string,
    { mtimeMs: number; size: number; session: RegisteredSession | undefined }
  >();

  constructor(claudeFolder: string) {
    this.folder = join(claudeFolder, 'sessions');
  }

  async read(): Promise<RegistryReading> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => error);
    if (names instanceof Error) {
      const { code = '' } = names;
      const problem = message('sessions.folderUnreadable', { path: this.folder, code });
      return {
        sessions: [],
        isUsable: false,
        unreadable: [],
        ...(code !== 'ENOENT' && { problem }),
      };
    }
    const files = names.filter((name) => /^\d+\.json$/.test(name));
    for (const known of this.#known.keys()) if (!files.includes(known)) this.#known.delete(known);
    const sessions: RegisteredSession[] = [];
    const unreadable: number[] = [];
    const entries = await Promise.all(files.map((name) => this.#readEntry(name)));
    for (const [index, session] of entries.entries()) {
      if (session === undefined) unreadable.push(Number.parseInt(files[index] ?? '', 10));
      else if (session !== 'vanished') sessions.push(session);
    }
    return { sessions, isUsable: sessions.length > 0 || files.length === 0, unreadable };
  }

  async #readEntry(name: string): Promise<RegisteredSession | undefined | 'vanished'> {
    const path = join(this.folder, name);
    for (let attempt = 1; ; attempt++) {
      const info = await stat(path).catch(() => undefined);
      if (info === undefined) {
        this.#known.delete(name);
        return 'vanished';
      }
      const known = this.#known.get(name);
      const isSettled = Date.now() - info.mtimeMs > SETTLED_MS;
      if (isSettled && known?.mtimeMs === info.mtimeMs && known.size === info.size)
        return known.session;
      const session = readSession(path, Number.parseInt(name, 10));
      if (session !== undefined || attempt === TORN_READ_TRIES) {
        this.#known.set(name, { mtimeMs: info.mtimeMs, size: info.size, session });
        return session;
      }
      await sleep(TORN_READ_PAUSE_MS);
    }
  }
}

function readSession(path: string, pid: number): RegisteredSession | undefined {
  const file = readSmallFile(path, MAX_ENTRY_BYTES);
  if (file.state !== 'ok') return undefined;
  let json: unknown;
  try {
    json = JSON.parse(file.text);
  } catch {
    return undefined; // caught in the middle of a rewrite; the caller looks again
  }
  const parsed = v.safeParse(RegistryEntry, json);
  return parsed.success && parsed.output.pid === pid ? registeredSession(parsed.output) : undefined;
}
