/**
 * Reads Claude Code's own list of running sessions, `<claude>/sessions/<pid>.json`. It is not
 * documented, so absence, unknown values and torn reads (it is rewritten in place) are expected.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { type Message, message } from '../../messages/message.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { SessionId } from '../../platform/store/session-id.ts';

export type SessionState = 'idle' | 'busy' | 'waiting' | 'unknown';

const MAX_ENTRY_BYTES = 1024 * 1024;
/** Two writes in one tick of the file system's clock look the same: `idle` is as long as `busy`. */
const SETTLED_MS = 2000;
const TORN_READ_TRIES = 4;
const TORN_READ_PAUSE_MS = 15;

const Pid = v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(2 ** 31 - 1));
const optionalText = v.fallback(v.optional(v.string()), undefined);

/** Also the shape of one entry of `claude agents --json`. */
const RegistryEntry = v.object({
  pid: Pid,
  sessionId: SessionId,
  cwd: v.pipe(v.string(), v.minLength(1)),
  status: optionalText,
  /** With `waiting`: for what, in the CLI's words, e.g. `permission prompt`. */
  waitingFor: optionalText,
  // Must be understood if present: without it any process would pass for this one.
  procStart: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
  procStartFt: v.optional(v.string()),
  /** Which machine and pid namespace the pid belongs to. */
  pidDomain: optionalText,
  kind: optionalText,
  /** What started it: `cli`, `sdk-cli` (`claude -p`), `sdk-ts`, `claude-vscode`, … */
  entrypoint: optionalText,
  name: optionalText,
  version: optionalText,
  startedAt: v.fallback(v.optional(v.number()), undefined),
});

/** What Claude Code says about one of its sessions; the process may have ended since. */
export interface RegisteredSession
  extends Omit<v.InferOutput<typeof RegistryEntry>, 'status' | 'procStart' | 'procStartFt'> {
  state: SessionState;
  /** As the CLI wrote it; compared with the start time of the process that has the pid now. */
  processStart?: string | undefined;
}

/** Undefined if the entry cannot be understood. */
export function registeredSession(entry: unknown): RegisteredSession | undefined {
  const parsed = v.safeParse(RegistryEntry, entry);
  if (!parsed.success) return undefined;
  const { status, procStart, procStartFt, ...same } = parsed.output;
  return { ...same, state: sessionState(status), processStart: procStart ?? procStartFt };
}

/** `shell`: idle, with a shell in the background. An unknown word never passes for idle (A3). */
function sessionState(status: string | undefined): SessionState {
  if (status === 'idle' || status === 'busy' || status === 'waiting') return status;
  return status === 'shell' ? 'idle' : 'unknown';
}

interface RegistryReading {
  sessions: RegisteredSession[];
  /** False if there is no such folder, or nothing in it could be understood. */
  isUsable: boolean;
  /** The pids of files that stayed unreadable. */
  unreadable: number[];
  /** Why the folder itself cannot be read. */
  problem?: Message;
}

/** Remembers each file until it changes, so that reading often costs next to nothing. */
export class SessionRegistry {
  readonly folder: string;
  readonly #cache = new Map<
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
      const nothing = { sessions: [], isUsable: false, unreadable: [] };
      if (code === 'ENOENT') return nothing;
      const problem = message('sessions.folderUnreadable', { path: this.folder, code });
      return { ...nothing, problem };
    }
    const files = names.filter((name) => /^\d+\.json$/.test(name));
    for (const name of this.#cache.keys()) if (!files.includes(name)) this.#cache.delete(name);
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
        this.#cache.delete(name);
        return 'vanished';
      }
      const cached = this.#cache.get(name);
      const isSettled = Date.now() - info.mtimeMs > SETTLED_MS;
      if (isSettled && cached?.mtimeMs === info.mtimeMs && cached.size === info.size)
        return cached.session;
      const session = readSession(path, Number.parseInt(name, 10));
      if (session !== undefined || attempt === TORN_READ_TRIES) {
        this.#cache.set(name, { mtimeMs: info.mtimeMs, size: info.size, session });
        return session;
      }
      await sleep(TORN_READ_PAUSE_MS);
    }
  }
}

/** Undefined also if the file is torn: the caller reads it again. */
function readSession(path: string, pid: number): RegisteredSession | undefined {
  const file = readSmallFile(path, MAX_ENTRY_BYTES);
  const session = file.state === 'ok' ? registeredSession(parseJson(file.text)) : undefined;
  return session?.pid === pid ? session : undefined;
}
