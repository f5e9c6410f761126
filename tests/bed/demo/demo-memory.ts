/**
 * Makes the memory that a story would have left, by the product's own code: transcripts in Claude
 * Code's folder, L1 of them, a model's answers in the journal, and the tidying up of each day. A
 * fact that the product refuses is a mistake in the story, and told.
 */
import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  FACT_LISTS,
  factsFile,
  sessionFactsFile,
} from '../../../core/memory/l2-facts/facts-file.ts';
import type { L1Entry } from '../../../core/memory/log/l1-refine.ts';
import { readL1, saveL1 } from '../../../core/memory/log/l1-store.ts';
import { readMemoryIndex } from '../../../core/memory/log/memory-index.ts';
import { record } from '../../../core/memory/state/derive.ts';
import { compress } from '../../../core/memory/tiers/compress.ts';
import { readDocument } from '../../../core/platform/store/document.ts';
import type { Places } from '../../../core/platform/store/places.ts';
import { minuteStamp } from '../../../core/platform/text/stamp.ts';
import { factsPath, sessionFactsPath } from '../../../core/projects/memory-paths.ts';
import { type ProjectMemory, projectMemory } from '../../../core/projects/project-memory.ts';
import { readSettings } from '../../../core/settings/settings.ts';
import type { Line, Story, StoryFact, StorySession } from './story.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const LINE_MS = 90_000;

export interface DemoProject {
  root: string;
  memory: ProjectMemory;
  /** The sessions of its past, oldest first. */
  sessions: string[];
}

export function makeDemoProject(places: Places, root: string, story: Story): DemoProject {
  mkdirSync(join(root, '.git'), { recursive: true });
  const memory = projectMemory(places, root);
  const sessions = story.sessions.map((session, index) => {
    // The user has written them before the last session, whose summary then brings the date up to
    // date.
    if (index === story.sessions.length - 1) writeSections(memory, story);
    return playSession(places, memory, session, sessionIdOf(story.name, index));
  });
  return { root, memory, sessions };
}

function writeSections(memory: ProjectMemory, { sections, sessions }: Story): void {
  const at = new Date(startOf(sessions.at(-1) as StorySession) - HOUR_MS).toISOString();
  for (const [part, value] of Object.entries(sections)) {
    if (value === '') continue;
    record(memory, { type: 'edit', at, document: 'memory', part, id: '', value, before: '' });
  }
}

/** The same for the same story, so that pictures differ in nothing but what changed. */
function sessionIdOf(name: string, index: number): string {
  const digits = createHash('sha256').update(`${name} ${index}`).digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

function startOf({ daysAgo, at }: StorySession): number {
  return Date.parse(
    `${new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)}T${at}:00Z`,
  );
}

export function transcriptPath(places: Places, root: string, sessionId: string): string {
  return join(places.claude, 'projects', root.replace(/[^a-zA-Z0-9]/g, '-'), `${sessionId}.jsonl`);
}

function playSession(
  places: Places,
  memory: ProjectMemory,
  session: StorySession,
  sessionId: string,
): string {
  const start = startOf(session);
  const transcript = transcriptPath(places, memory.root, sessionId);
  const rows = session.lines.flatMap((line, index) =>
    rowsOf(line, new Date(start + index * LINE_MS).toISOString()),
  );
  appendRows(
    transcript,
    rows.map((row) => ({ ...row, cwd: memory.root, sessionId })),
  );
  const { file = '' } = saveL1(memory, { sessionId, transcript }, { isOver: true }) ?? {};
  const end = new Date(start + session.lines.length * LINE_MS);
  recordFacts(memory, session, sessionId, readL1(file), end);
  recordSummary(memory, session, sessionId, end);
  compress(memory, readSettings(places, memory.root).settings, end);
  return sessionId;
}

export function appendRows(transcript: string, rows: readonly object[]): void {
  mkdirSync(dirname(transcript), { recursive: true });
  appendFileSync(transcript, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

function rowsOf(line: Line, timestamp: string): object[] {
  const row = (message: object) => ({
    isSidechain: false,
    uuid: randomUUID(),
    timestamp,
    ...message,
  });
  const assistant = (content: object) =>
    row({
      type: 'assistant',
      message: {
        id: `msg_${randomUUID()}`,
        role: 'assistant',
        model: 'claude-opus-5-5',
        content: [content],
      },
    });
  if ('user' in line) return [row({ type: 'user', message: { role: 'user', content: line.user } })];
  if ('assistant' in line) return [assistant({ type: 'text', text: line.assistant })];
  const id = `toolu_${randomUUID()}`;
  const input =
    line.tool === 'Bash'
      ? { command: line.input }
      : line.tool === 'Grep'
        ? { pattern: line.input }
        : { file_path: line.input };
  const result = { type: 'tool_result', tool_use_id: id, content: line.output };
  return [
    assistant({ type: 'tool_use', id, name: line.tool, input }),
    row({ type: 'user', message: { role: 'user', content: [result] } }),
  ];
}

function recordFacts(
  memory: ProjectMemory,
  { lines }: StorySession,
  session: string,
  entries: readonly L1Entry[],
  end: Date,
): void {
  const {
    file = '',
    factsBytes = 0,
    l1Bytes = 0,
  } = readMemoryIndex(memory).sessions[session] ?? {};
  const found = lines.flatMap((line) => {
    const text = 'user' in line ? line.user : 'assistant' in line ? line.assistant : '';
    const entry = entries.find((candidate) => 'text' in candidate && candidate.text === text);
    return 'facts' in line
      ? (line.facts ?? []).map((fact) => answerOf(memory, fact, entry?.id, text))
      : [];
  });
  const at = end.toISOString();
  record(memory, {
    type: 'facts',
    at,
    way: 'mod',
    text: JSON.stringify(found),
    session,
    file,
    from: factsBytes,
    to: l1Bytes,
    cover: false,
  });
  const kept = readDocument(sessionFactsPath(memory, file), sessionFactsFile);
  const refused = kept.state === 'ok' ? kept.value.refused : [];
  if (refused.length > 0)
    throw new Error(`the story has facts that do not hold: ${JSON.stringify(refused)}`);
}

function answerOf(
  memory: ProjectMemory,
  { replaces, ...fact }: StoryFact,
  entry: string | undefined,
  text: string,
): object {
  const quote = fact.quote ?? text;
  return {
    ...fact,
    entry,
    quote,
    ...(replaces !== undefined && { supersedes: idOf(memory, replaces) }),
  };
}

function idOf(memory: ProjectMemory, content: string): string | undefined {
  const reading = readDocument(factsPath(memory), factsFile);
  if (reading.state !== 'ok') return undefined;
  return FACT_LISTS.flatMap((list) => reading.value[list]).find((fact) => fact.content === content)
    ?.id;
}

function recordSummary(
  memory: ProjectMemory,
  { summary }: StorySession,
  session: string,
  end: Date,
): void {
  const { file = '', l1Bytes = 0 } = readMemoryIndex(memory).sessions[session] ?? {};
  const at = end.toISOString();
  record(memory, {
    type: 'delta',
    at,
    way: 'mod',
    text: summary,
    ends: { [session]: l1Bytes },
    upTo: at,
    files: { [session]: file },
    stamp: minuteStamp(end),
  });
}
