/** `get` (K8): one entry of memory in full, with its neighbours: the words around it, or its facts. */
import { existsSync, readFileSync } from 'node:fs';
import type * as v from 'valibot';
import { entryText } from '../../memory/l2-facts/l2-verify.ts';
import type { L1Entry } from '../../memory/log/l1-refine.ts';
import { memoryParts } from '../../memory/memory-md/memory-md.ts';
import { pagesOf } from '../../memory/search/memory-search.ts';
import { readSuggestions } from '../../memory/suggestions/suggestions.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import { around } from '../memory/conversation.ts';
import { conceptDetail, factDetail } from '../memory/items.ts';
import { pageText } from '../memory/memory-text.ts';
import type { ProjectCache } from '../memory/project-cache.ts';
import type { SessionMemory } from './session-memory.ts';
import { meantBy, pageId, saidId } from './shown-ids.ts';
import { suggestionLines } from './suggestion-lines.ts';
import type { GetArguments } from './tool-arguments.ts';
import { cut, fencedAnswer, inLine, MAX_ENTRY_CHARS, timeOf } from './tool-text.ts';

/** The entry itself has what the others leave. */
const NEIGHBOUR_CHARS = 500;
const MAX_QUOTES = 5;
const MAX_FACTS = 20;
const SPEAKER = { user: 'The user', assistant: 'Claude', tool: 'Tool' } as const;

export function getTool(
  { project }: SessionMemory,
  { id, neighbours }: v.InferOutput<typeof GetArguments>,
): string {
  const blocks = blocksOf(project, id, neighbours);
  if (blocks === undefined)
    throw new ExpectedError(message('tools.noEntry', { id: inLine(id, 100) }));
  return fencedAnswer(inLine(id, 300), blocks, MAX_ENTRY_CHARS);
}

/** Undefined if this project's memory has no such entry. */
function blocksOf(project: ProjectCache, id: string, neighbours: number): string[] | undefined {
  const meant = meantBy(id);
  switch (meant.kind) {
    case 'said':
      return said(project, meant.session, meant.entry, neighbours);
    case 'session':
      return undefined;
    case 'memory':
      return partOfMemory(project, meant.section, meant.entry);
    case 'page': {
      const path = pagesOf(project.memory).find(
        (one) => pageId(project.memory, one) === meant.name,
      );
      return path === undefined ? undefined : [pageText(project.memory, path).text];
    }
    case 'item':
      return fact(project, meant.id) ?? concept(project, meant.id) ?? suggested(project, meant.id);
  }
}

function said(
  { sessions }: ProjectCache,
  session: string,
  entry: string,
  neighbours: number,
): string[] | undefined {
  const file = sessions.names().find((name) => name === session);
  if (file === undefined) return undefined;
  const { entries, index } = around(sessions, { session: file, entry, count: neighbours });
  if (index < 0) return undefined;
  const room = MAX_ENTRY_CHARS - 1000 - (entries.length - 1) * (NEIGHBOUR_CHARS + 100);
  return entries.map((one, at) =>
    spoken(
      file,
      one,
      at === index ? Math.max(room, NEIGHBOUR_CHARS) : NEIGHBOUR_CHARS,
      at === index,
    ),
  );
}

function spoken(file: string, entry: L1Entry, limit: number, isWanted: boolean): string {
  const mark = isWanted ? '▶ ' : '';
  const head = `${mark}${SPEAKER[entry.role]}, ${timeOf(entry.ts)} · ${saidId(file, entry.id)}`;
  return `${head}\n${cut(entryText(entry), limit)}`;
}

function partOfMemory(
  { memory }: ProjectCache,
  section: string,
  entry: string,
): string[] | undefined {
  const path = memoryMdPath(memory);
  if (!existsSync(path)) return undefined;
  const found = memoryParts(readFileSync(path, 'utf8')).find(
    ({ part, id }) => part === section && id === entry,
  );
  return found && [found.text];
}

function fact(project: ProjectCache, id: string): string[] | undefined {
  if (project.facts.find(id) === undefined) return undefined;
  const { part, fact: found, concept: about } = factDetail(project, id);
  const { content, reason, status, resolution, supersededBy, files, evidence, date } = found;
  const facts = [
    `${part}, ${date}: ${content}`,
    reason && `Reason: ${reason}`,
    status && `Status: ${status}${resolution ? `, ${resolution}` : ''}`,
    supersededBy && `Replaced by ${supersededBy}`,
    about && `About: ${about.id} ${about.name}`,
    files.length > 0 && `Files: ${files.join(', ')}`,
    evidence.length === 0 && 'No words of a session prove it.',
  ];
  const quotes = evidence.slice(-MAX_QUOTES).map(({ session, entry, role, at, quote }) => {
    const [file = session] = project.sessions.of(session);
    return `${SPEAKER[role]}, ${timeOf(at)} · ${saidId(file, entry)}\n“${cut(quote, NEIGHBOUR_CHARS)}”`;
  });
  return [facts.filter(Boolean).join('\n'), ...quotes];
}

/** What Claude itself noted or proposed; nobody else has said it. */
function suggested({ memory }: ProjectCache, id: string): string[] | undefined {
  const found = readSuggestions(memory).find((one) => one.id === id);
  return found && [suggestionLines(found)];
}

function concept(project: ProjectCache, id: string): string[] | undefined {
  if (!project.concepts.concepts.some((one) => one.id === id)) return undefined;
  const { concept: found, facts } = conceptDetail(project, id);
  const rows = facts
    .slice(-MAX_FACTS)
    .map(({ id: factId, date, content }) => `${factId} · ${date}\n  ${cut(content, 300)}`);
  return [`${found.name}\n${found.summary}`.trim(), ...rows];
}
