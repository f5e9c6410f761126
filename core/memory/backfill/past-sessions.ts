/**
 * Finds the conversations on this machine that no memory has yet, or only a part of (L1d): the
 * transcripts of all projects in Claude Code's folder. It writes nothing. A conversation belongs to
 * the project of the directory in which it began, as everywhere else (B3), unless a memory has a
 * part of it already.
 */
import { lstatSync, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { type Outline, transcriptOutline } from '../../claude/transcript/outline.ts';
import { projectRoot } from '../../platform/project/project-place.ts';
import { attempt } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import { knownProjects } from '../../projects/known-projects.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import {
  type TranscriptSource,
  transcriptFolders,
  transcriptsIn,
} from '../../projects/project-transcripts.ts';
import { readMemoryIndex, type SessionProgress } from '../log/memory-index.ts';
import { isOfOtherTool } from './other-tools.ts';

export interface PastSession extends TranscriptSource {
  /** Of the transcript. */
  bytes: number;
  /** How many of these no memory has. */
  unread: number;
  /** The root of its project. */
  root: string;
  /** ISO times. */
  startedAt: string;
  endedAt: string;
  /** What Claude Code or the user called it; empty if neither did. */
  title: string;
  named: { title: string; leaf: string } | undefined;
  /** A memory has its beginning: it was kept as it happened. */
  isKeptInPart: boolean;
}

/** Why transcripts are passed over. */
export interface PassedOver {
  /** All of it is in a memory. */
  kept: number;
  /** Conversations of programs: the SDK, `claude -p`, observers of other tools. */
  programs: number;
  subagents: number;
  /** Nobody has said anything. */
  empty: number;
  /** Links, pipes, files of somebody else, far too large, or without a directory. */
  unreadable: number;
}

export interface FoundSessions {
  /** Oldest first. */
  sessions: PastSession[];
  passedOver: PassedOver;
}

/** No transcript of a conversation gets near; reading it would take minutes. */
const MAX_TRANSCRIPT_BYTES = 2 * 1024 * 1024 * 1024;

export function findPastSessions(places: Places, env: NodeJS.ProcessEnv): FoundSessions {
  return new Search(places, env).run();
}

interface Kept {
  memory: ProjectMemory;
  progress: SessionProgress;
}

interface Looked {
  info: Stats;
  outline: Outline;
  root: string;
  progress: SessionProgress | undefined;
}

class Search {
  readonly #places: Places;
  readonly #env: NodeJS.ProcessEnv;
  readonly #owners: ReadonlySet<number>;
  readonly #kept = new Map<string, Kept>();
  readonly #roots = new Map<string, string>();
  readonly #found = new Map<string, PastSession>();
  readonly #passedOver = { kept: 0, programs: 0, subagents: 0, empty: 0, unreadable: 0 };

  constructor(places: Places, env: NodeJS.ProcessEnv) {
    this.#places = places;
    this.#env = env;
    this.#owners = ownersOf(places);
    for (const memory of knownProjects(places))
      for (const [id, progress] of Object.entries(readMemoryIndex(memory).sessions))
        this.#kept.set(id, { memory, progress });
  }

  run(): FoundSessions {
    for (const transcript of this.#transcripts()) {
      const why = this.#look(transcript);
      if (why !== undefined) this.#passedOver[why]++;
    }
    const sessions = [...this.#found.values()].sort((one, other) =>
      one.startedAt < other.startedAt ? -1 : 1,
    );
    return { sessions, passedOver: this.#passedOver };
  }

  #transcripts(): string[] {
    const isFolder = (path: string) => attempt(() => lstatSync(path).isDirectory(), false);
    return transcriptFolders(this.#places).filter(isFolder).flatMap(transcriptsIn);
  }

  /** Returns why it is passed over. */
  #look(transcript: string): keyof PassedOver | undefined {
    const sessionId = basename(transcript, '.jsonl');
    const info = attempt(() => lstatSync(transcript), undefined);
    if (!isSessionId(sessionId) || info === undefined || !this.#isReadable(info))
      return 'unreadable';
    const kept = this.#kept.get(sessionId);
    if (kept !== undefined && isAllKept(kept.progress, info.size)) return 'kept';
    if (sessionId.startsWith('agent-')) return 'subagents';
    const outline = attempt(() => transcriptOutline(transcript), undefined);
    if (outline === undefined) return 'unreadable';
    const reason = notAConversation(outline);
    if (reason !== undefined) return reason;
    const { folder } = outline;
    const root = kept?.memory.root ?? (folder === undefined ? undefined : this.#rootOf(folder));
    if (root === undefined) return 'unreadable';
    this.#add({ sessionId, transcript }, { info, outline, root, progress: kept?.progress });
    return undefined;
  }

  #add(source: TranscriptSource, { info: { size, mtime }, outline, root, progress }: Looked): void {
    const { title, named } = outline;
    const session = {
      ...source,
      bytes: size,
      unread: Math.max(0, size - (progress?.offset ?? 0)),
      root,
      startedAt: outline.startedAt || mtime.toISOString(),
      endedAt: outline.endedAt || mtime.toISOString(),
      title,
      named,
      isKeptInPart: progress !== undefined && progress.file !== '' && !isHalfway(progress),
    };
    // A session that went on in another folder may have two; the longer one has all of it.
    const other = this.#found.get(source.sessionId);
    if (other === undefined || other.bytes < size) this.#found.set(source.sessionId, session);
  }

  /** A plain file of the user's own: nobody can have us read something else. */
  #isReadable(info: Stats): boolean {
    const isOwn = this.#owners.size === 0 || this.#owners.has(info.uid);
    return isOwn && info.isFile() && info.size <= MAX_TRANSCRIPT_BYTES;
  }

  #rootOf(folder: string): string {
    const known = this.#roots.get(folder);
    if (known !== undefined) return known;
    const root = projectRoot(this.#places, folder, this.#env);
    this.#roots.set(folder, root);
    return root;
  }
}

function notAConversation(outline: Outline): keyof PassedOver | undefined {
  if (outline.isSubagent) return 'subagents';
  if (isOfOtherTool(outline)) return 'programs';
  return outline.isSilent ? 'empty' : undefined;
}

/** Ours, and whoever the folder of all transcripts belongs to: a root user works in others' homes. */
function ownersOf({ claude }: Places): Set<number> {
  const folder = attempt(() => lstatSync(join(claude, 'projects')).uid, undefined);
  return new Set([process.getuid?.(), folder].filter((uid) => uid !== undefined));
}

/** The rest of a line that was never finished is not waiting for anybody. */
function isAllKept(progress: SessionProgress, size: number): boolean {
  const { offset, backfilled } = progress;
  return (offset === size || backfilled?.size === size) && !isHalfway(progress);
}

/** A backfill was interrupted before it had its summary. */
function isHalfway({ file, backfilled }: SessionProgress): boolean {
  return file !== '' && backfilled !== undefined && backfilled.dated === undefined;
}
