/**
 * Updates permanent facts, session summaries (`<session>.md`) and tiers, after a session and once a
 * day (F5, F8).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { readDocument } from '../../platform/store/document.ts';
import { withLock } from '../../platform/store/lock.ts';
import { estimateTokens } from '../../platform/text/estimate-tokens.ts';
import { firstSentence, shorten } from '../../platform/text/sentences.ts';
import { dayStamp } from '../../platform/text/stamp.ts';
import { sessionFactsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { Settings } from '../../settings/settings.ts';
import { type SessionFacts, sessionFactsFile } from '../l2-facts/facts-file.ts';
import { handOver, isRequest } from '../log/hand-over.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { readL1Range } from '../log/l1-store.ts';
import { readMemoryIndex, type SessionProgress } from '../log/memory-index.ts';
import { record } from '../state/derive.ts';
import { isLongSilent, moveToTiers, type RetentionOutcome } from './tiers.ts';

const MAX_LINE_CHARS = 160;
const MAX_FILES = 12;

/** Returns what retention did, if it was due. */
export function compressIfDue(
  memory: ProjectMemory,
  settings: Settings,
): RetentionOutcome | undefined {
  const { sessions, compressedAt } = readMemoryIndex(memory);
  if (Object.keys(sessions).length === 0) return undefined;
  const now = new Date();
  const isNewDay = compressedAt === undefined || dayStamp(new Date(compressedAt)) !== dayStamp(now);
  if (isNewDay || Object.values(sessions).some((session) => needsSummary(memory, session, now)))
    return compress(memory, settings).retention;
  return undefined;
}

/** Returns the names of the session summaries that it wrote, and what retention did. */
export function compress(
  memory: ProjectMemory,
  settings: Settings,
  now = new Date(),
): { summaries: string[]; retention: RetentionOutcome } {
  record(memory, { type: 'compress', at: now.toISOString() });
  return withLock(join(memory.sessions, 'tiers'), () => {
    const due = Object.entries(readMemoryIndex(memory).sessions).filter(([, session]) =>
      needsSummary(memory, session, now),
    );
    for (const [id, session] of due) summarise(memory, id, session, { settings, now });
    const retention = moveToTiers(memory, now, settings.retention);
    return { summaries: due.map(([, { file }]) => summaryName(file)), retention };
  });
}

function summarise(
  memory: ProjectMemory,
  id: string,
  { file, transcript, l1Bytes }: SessionProgress,
  { settings, now }: { settings: Settings; now: Date },
): void {
  const entries = readL1Range(memory, file) ?? [];
  const facts = readDocument(sessionFactsPath(memory, file), sessionFactsFile);
  const text = sessionSummary(
    file.replace('.l1.jsonl', ''),
    entries,
    facts.state === 'ok' ? facts.value : { ...sessionFactsFile.empty(), session: id },
    settings.summaryMaxLength,
  );
  // One of an old session goes into its week at once, and is made again if that does not happen.
  const durable = !isLongSilent(memory.sessions, file, now);
  const path = join(memory.sessions, summaryName(file));
  writeFileAtomic(path, `${text}\n<!-- ${l1Bytes} -->\n`, { durable });
  if (settings.retention.rawCopy && transcript !== undefined) keepRawCopy(memory, file, transcript);
}

/** Claude Code's own transcript, secrets and all: only if the user wants that. */
function keepRawCopy(memory: ProjectMemory, file: string, transcript: string): void {
  const raw = attempt(() => readFileSync(transcript), undefined); // removed by Claude Code
  const path = join(memory.sessions, 'raw', file.replace('.l1.jsonl', '.jsonl.gz'));
  if (raw !== undefined) writeFileAtomic(path, gzipSync(raw));
}

/** Whether it has ended, its L1 is uncompressed, and a summary of all of it does not exist yet. */
function needsSummary(
  memory: ProjectMemory,
  { file, isOver, l1Bytes }: SessionProgress,
  now: Date,
): boolean {
  if (file === '' || !existsSync(join(memory.sessions, file))) return false;
  if (!isOver && !isLongSilent(memory.sessions, file, now)) return false;
  const summary = attempt(() => readFileSync(join(memory.sessions, summaryName(file)), 'utf8'), '');
  return !summary.includes(`<!-- ${l1Bytes} -->`);
}

function summaryName(file: string): string {
  return file.replace('.l1.jsonl', '.md');
}

/** A session on one page, without a model (M12). The oldest requests are left out first. */
function sessionSummary(
  stamp: string,
  entries: readonly L1Entry[],
  facts: SessionFacts,
  maxTokens: number,
): string {
  const requests = entries.flatMap((entry) =>
    isRequest(entry) ? [line(firstSentence(entry.text))] : [],
  );
  const tools = entries.filter(({ role }) => role === 'tool').length;
  const { lastReply = '', files = [] } = handOver(entries) ?? {};
  const tail = [
    ...section(
      'Facts',
      facts.facts.map(({ id, content }) => `${id}: ${line(content)}`),
    ),
    ...section('Files', files.slice(0, MAX_FILES)),
    ...section('Last reply', lastReply === '' ? [] : [line(firstSentence(lastReply))]),
  ];
  const head = `# Session ${stamp}\n\n${entries[0]?.ts ?? ''} to ${entries.at(-1)?.ts ?? ''}: ${requests.length} requests, ${tools} tool uses.\n`;
  const room = maxTokens - estimateTokens(head + tail.join(''));
  return `${head}${section('Requests', newestWithin(requests, room)).join('')}${tail.join('')}`;
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0
    ? []
    : [`\n## ${title}\n\n${items.map((item) => `- ${item}\n`).join('')}`];
}

function newestWithin(lines: readonly string[], maxTokens: number): string[] {
  const kept: string[] = [];
  let room = maxTokens;
  for (const text of [...lines].reverse()) {
    room -= estimateTokens(text) + 2;
    if (room < 0 && kept.length > 0)
      return [`… (${lines.length - kept.length} earlier ones)`, ...kept.reverse()];
    kept.push(text);
  }
  return kept.reverse();
}

function line(text: string): string {
  return shorten(text.replace(/\s+/g, ' ').trim(), MAX_LINE_CHARS);
}
