/**
 * Conversations that were cleared and can be gone back to (K9): which there are, where Claude Code
 * resumes each, and the command for it. Names of folders and first words are text from outside.
 * Nothing here runs or types anything.
 */
import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute } from 'node:path';
import {
  expectedTranscript,
  projectFolderName,
  searchTranscript,
} from '../claude/transcript/locate.ts';
import { type Outline, transcriptOutline } from '../claude/transcript/outline.ts';
import { readMemoryIndex } from '../memory/log/memory-index.ts';
import { redact } from '../memory/redact/redact.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import type { Places } from '../platform/store/places.ts';
import { isSessionId } from '../platform/store/session-id.ts';
import { firstSentence, shorten } from '../platform/text/sentences.ts';
import type { ProjectMemory } from '../projects/project-memory.ts';
import { type ClearRecord, readRecord, readRecords } from './clear-record.ts';
import { resumeCommand } from './resume-command.ts';

export interface ClearedConversation {
  sessionId: string;
  /** The session that took its place; null after a `/clear` that the user typed. */
  newSessionId: string | null;
  /** The Claude Code that it was cleared in. */
  pid: number | null;
  projectRoot: string;
  clearedAt: string;
  /** How full it was; null if nobody knows. */
  percent: number | null;
  /** Its name, else its first words; empty if it has neither. */
  topic: string;
  /** Why it cannot be resumed; null if it can. */
  problem: Message | null;
}

export interface WayBack {
  sessionId: string;
  /** Where Claude Code resumes it. */
  folder: string;
  /** To be pasted in a terminal of this system. */
  command: string;
}

const TOPIC_CHARS = 120;
/** Of a prompt: more than a topic can show. */
const WORDS_READ = 2000;

type Cleared = Pick<ClearRecord, 'sessionId' | 'projectRoot' | 'cwd'>;

/**
 * Newest first: what Memory Keeper cleared in these projects, and the last session that the user
 * cleared by hand in each Claude Code. Undefined stands for all projects of which there are records.
 */
export function clearedConversations(
  places: Places,
  memories: readonly ProjectMemory[] | undefined,
): ClearedConversation[] {
  const roots = memories?.map(({ root }) => root);
  const byUs = readRecords(places)
    .filter((record) => wasCleared(record) && isSessionId(record.sessionId))
    .filter(({ projectRoot }) => roots === undefined || roots.includes(projectRoot));
  const known = new Set(byUs.map(({ sessionId }) => sessionId));
  const byHand = (memories ?? []).flatMap((memory) =>
    clearedByHand(places, memory).filter(({ sessionId }) => !known.has(sessionId)),
  );
  return [...byUs.map((record) => conversationOf(places, record)), ...byHand].sort((one, other) =>
    one.clearedAt < other.clearedAt ? 1 : -1,
  );
}

/** A session that was compacted goes on: there is nothing to go back to. */
function wasCleared(record: ClearRecord | undefined): boolean {
  return record?.state === 'restored' && record.method === undefined;
}

function conversationOf(places: Places, record: ClearRecord): ClearedConversation {
  const { sessionId, newSessionId = null, pid, projectRoot, percent = null, steps } = record;
  const clearedAt = steps.at(-1)?.at ?? '';
  const { topic, problem } = look(places, record);
  return { sessionId, newSessionId, pid, projectRoot, clearedAt, percent, topic, problem };
}

function clearedByHand(places: Places, memory: ProjectMemory): ClearedConversation[] {
  const { cleared = {} } = readMemoryIndex(memory);
  return Object.entries(cleared).flatMap(([pid, sessionId]) => {
    if (!isSessionId(sessionId) || wasCleared(readRecord(places, sessionId))) return [];
    const { topic, problem, endedAt } = look(places, { sessionId, projectRoot: memory.root });
    // Without its transcript nobody can say when that was.
    if (endedAt === '') return [];
    return {
      sessionId,
      newSessionId: null,
      pid: Number(pid) || null,
      projectRoot: memory.root,
      clearedAt: endedAt,
      percent: null,
      topic,
      problem,
    };
  });
}

function look(
  places: Places,
  cleared: Cleared,
): { topic: string; endedAt: string; problem: Message | null } {
  const found = findConversation(places, cleared);
  if ('problem' in found) return { topic: '', endedAt: '', problem: found.problem };
  const { outline, folder } = found;
  return {
    topic: topicOf(outline),
    endedAt: outline.endedAt,
    problem: isFolder(folder) ? null : message('resume.folderGone', { folder }),
  };
}

/** How to go back to a conversation; refuses if that is not possible, and says why. */
export function wayBackTo(places: Places, sessionId: string, platform = process.platform): WayBack {
  const record = readRecord(places, sessionId);
  const found = findConversation(places, record ?? { sessionId, projectRoot: '' });
  if ('problem' in found) throw new ExpectedError(found.problem);
  const { folder } = found;
  if (!isFolder(folder)) throw new ExpectedError(message('resume.folderGone', { folder }));
  return { sessionId, folder, command: resumeCommand(folder, sessionId, platform) };
}

function findConversation(
  places: Places,
  { sessionId, projectRoot, cwd = projectRoot }: Cleared,
): { outline: Outline; folder: string } | { problem: Message } {
  const path =
    expectedTranscript(places.claude, cwd, sessionId) ?? searchTranscript(places.claude, sessionId);
  const outline = path === undefined ? undefined : transcriptOutline(path);
  if (path === undefined || outline === undefined)
    return { problem: message('resume.transcriptGone', { project: projectRoot || '–' }) };
  // Claude Code looks for a conversation by the folder that it is started in.
  const wanted = basename(dirname(path));
  const folders = [cwd, outline.folder ?? '', projectRoot].filter((folder) => folder !== '');
  const folder = folders.find((one) => projectFolderName(one) === wanted);
  return { outline, folder: folder ?? outline.folder ?? cwd };
}

function isFolder(path: string): boolean {
  return isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Without secrets: it is shown in lists, which people show to others. */
function topicOf({ title, firstPrompt = '' }: Outline): string {
  const words = redact((title || firstPrompt).slice(0, WORDS_READ));
  return shorten(firstSentence(words), TOPIC_CHARS);
}
