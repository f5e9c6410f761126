/** `memory-keeper memory`: what is kept of the project in this folder. */
import { basename, join } from 'node:path';
import { createEngine } from '../../core/engine.ts';
import { handOver } from '../../core/memory/hand-over.ts';
import { readL1, saveL1 } from '../../core/memory/l1-store.ts';
import { memoryIndexFile } from '../../core/memory/memory-index.ts';
import { type ProjectMemory, projectMemory } from '../../core/memory/project-memory.ts';
import { projectTranscripts } from '../../core/memory/project-transcripts.ts';
import { restoreText } from '../../core/memory/restore.ts';
import { readDocument } from '../../core/store/document.ts';
import { type Places, projectRoot } from '../../core/store/places.ts';
import { readSmallFile } from '../../core/store/read-file.ts';
import { type Command, currentFolder, parseOptions, UsageError } from '../command.ts';
import { plain, thousands } from '../text.ts';

const HELP = `Shows and writes what is kept of the project in this folder.

Usage: memory-keeper memory show [--json]      memory.md, and how much is kept of which session
       memory-keeper memory save [--json]      reads all of the project's transcripts and keeps what is not kept yet
       memory-keeper memory restore [--json]   the text that a session gets after /clear
`;

const SEE = 'memory-keeper memory --help';
const MAX_MEMORY_BYTES = 4 * 1024 * 1024;

interface Answer {
  data: object;
  text: string;
}

export const memoryCommand: Command = {
  name: 'memory',
  summary: 'what is kept of this project: show, save, restore',
  help: HELP,
  async run(args) {
    const { values, positionals } = parseOptions('memory', {
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean' } },
    });
    const { places } = createEngine();
    const memory = projectMemory(places, await projectRoot(currentFolder()));
    const [action = 'show', ...more] = positionals;
    if (more.length > 0) throw new UsageError(`too many words after "${action}"`, SEE);
    const answer = await answerTo(action, places, memory);
    process.stdout.write(values.json === true ? `${JSON.stringify(answer.data, null, 2)}\n` : answer.text);
  },
};

function answerTo(action: string, places: Places, memory: ProjectMemory): Promise<Answer> {
  if (action === 'show') return show(memory);
  if (action === 'save') return save(places, memory);
  if (action === 'restore') return restore(memory);
  throw new UsageError(`memory cannot "${action}"`, SEE);
}

interface KeptSession {
  sessionId: string;
  file: string;
  entries: number;
  lastAt: string;
}

async function show(memory: ProjectMemory): Promise<Answer> {
  const [text, sessions] = [await memoryText(memory), await keptSessions(memory)];
  const data = { project: memory.root, memory: text ?? null, sessions };
  if (sessions.length === 0 && text === undefined)
    return {
      data,
      text: `Nothing is kept of ${plain(memory.root)} yet. \`memory-keeper memory save\` keeps what Claude Code's transcripts have.\n`,
    };
  const lines = sessions.map(
    ({ file, entries, lastAt }) => `  ${basename(file)}  ${thousands(entries).padStart(7)} entries, last ${lastAt}\n`,
  );
  const kept = `${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'} kept:\n${lines.join('')}`;
  return { data, text: `${text === undefined ? '' : `${text.trim()}\n\n`}${kept}` };
}

async function save(places: Places, memory: ProjectMemory): Promise<Answer> {
  const sources = await projectTranscripts(places, memory.root, process.env);
  const saved = [];
  for (const [index, source] of sources.entries()) {
    if (process.stderr.isTTY === true) process.stderr.write(`\r${index + 1} of ${sources.length} transcripts`);
    const result = await saveL1(memory, source);
    if (result !== undefined && result.added > 0) saved.push({ sessionId: source.sessionId, ...result });
  }
  if (process.stderr.isTTY === true && sources.length > 0) process.stderr.write('\n');
  const added = saved.reduce((sum, result) => sum + result.added, 0);
  return {
    data: { project: memory.root, transcripts: sources.length, added, saved },
    text: `${thousands(added)} new entries of ${saved.length} sessions kept (${sources.length} transcripts looked at).\n`,
  };
}

async function restore(memory: ProjectMemory): Promise<Answer> {
  const newest = (await keptSessions(memory)).sort((a, b) => a.lastAt.localeCompare(b.lastAt)).at(-1);
  const sources = {
    projectName: basename(memory.root),
    handOver: newest === undefined ? undefined : handOver(await readL1(newest.file)),
    memory: await memoryText(memory),
  };
  const text = restoreText(sources);
  return { data: { text, characters: text.length }, text: text === '' ? 'There is nothing to give back yet.\n' : `${text}\n` };
}

async function keptSessions(memory: ProjectMemory): Promise<KeptSession[]> {
  const index = await readDocument(memory.index, memoryIndexFile);
  if (index.state !== 'ok') return [];
  const kept = Object.entries(index.value.sessions).filter(([, { file }]) => file !== '');
  return Promise.all(
    kept.map(async ([sessionId, { file }]) => {
      const path = join(memory.sessions, file);
      const entries = await readL1(path).catch(() => []); // removed by hand
      return { sessionId, file: path, entries: entries.length, lastAt: entries.at(-1)?.ts ?? '' };
    }),
  );
}

async function memoryText(memory: ProjectMemory): Promise<string | undefined> {
  const file = await readSmallFile(join(memory.folder, 'memory.md'), MAX_MEMORY_BYTES);
  return file.state === 'ok' ? file.text : undefined;
}
