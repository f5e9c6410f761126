/**
 * A project with a memory, made the way sessions make it: words go into a transcript, from there
 * into L1, and what a model would have answered about them is recorded. Times run on by a minute
 * with each word, from a given day.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type FactsFile,
  factsFile,
  type SessionFacts,
  sessionFactsFile,
} from '../../core/memory/l2-facts/facts-file.ts';
import { type ConceptsFile, conceptsFile } from '../../core/memory/l3-concepts/concepts-file.ts';
import type { JournalEvent } from '../../core/memory/log/journal.ts';
import type { L1Entry } from '../../core/memory/log/l1-refine.ts';
import { readL1, saveL1 } from '../../core/memory/log/l1-store.ts';
import { readMemoryIndex } from '../../core/memory/log/memory-index.ts';
import { record } from '../../core/memory/state/derive.ts';
import { readDocument } from '../../core/platform/store/document.ts';
import { keepMachineIdIn } from '../../core/platform/store/machine.ts';
import type { Places } from '../../core/platform/store/places.ts';
import {
  conceptsPath,
  factsPath,
  memoryMdPath,
  sessionFactsPath,
} from '../../core/projects/memory-paths.ts';
import { type ProjectMemory, projectMemory } from '../../core/projects/project-memory.ts';
import { readSettings, type Settings } from '../../core/settings/settings.ts';
import { tempFolder } from './temp-folder.ts';

export type Word =
  | { user: string }
  | { assistant: string }
  | { tool: string; output: string; name?: string; input?: object };

const MINUTE_MS = 60_000;

export class MadeMemory {
  readonly root: string;
  readonly places: Places;
  readonly memory: ProjectMemory;
  #now: number;

  constructor({
    day = '2026-11-16',
    root = tempFolder(),
    places = { claude: join(root, 'claude'), home: join(root, 'home') } as Places,
  } = {}) {
    this.root = join(root, 'app');
    mkdirSync(this.root, { recursive: true });
    this.places = places;
    keepMachineIdIn(places.home);
    this.memory = projectMemory(this.places, this.root);
    this.#now = Date.parse(`${day}T09:00:00Z`);
  }

  get settings(): Settings {
    return readSettings(this.places, this.root).settings;
  }

  /** The time of the next word. */
  get now(): string {
    return new Date(this.#now).toISOString();
  }

  goTo(day: string): void {
    this.#now = Date.parse(`${day}T09:00:00Z`);
  }

  /** Gives back the entries of L1 that came of it. */
  say(session: string, ...words: Word[]): L1Entry[] {
    return this.#save(session, words, false);
  }

  end(session: string): void {
    this.#save(session, [], true);
  }

  /** A model's answer about what no facts were looked for in yet. */
  answerFacts(session: string, answer: string | readonly object[], { cover = false } = {}): void {
    this.record(this.factsEvent(session, answer, { cover }));
  }

  factsEvent(
    session: string,
    answer: string | readonly object[],
    { cover = false } = {},
  ): JournalEvent {
    const {
      file = '',
      l1Bytes = 0,
      factsBytes = 0,
      coveredBytes = 0,
    } = readMemoryIndex(this.memory).sessions[session] ?? {};
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    const [from, to] = cover ? [coveredBytes, factsBytes] : [factsBytes, l1Bytes];
    return { type: 'facts', at: this.now, way: 'mod', text, session, file, from, to, cover };
  }

  record(...events: JournalEvent[]): void {
    record(this.memory, ...events);
  }

  /** What the user says in a session and what a model makes of it, as one step. */
  decide(
    session: string,
    statement: string,
    { kind = 'decision', said = statement, ...more }: Record<string, unknown> = {},
  ): void {
    const [entry] = this.say(session, { user: String(said) });
    this.answerFacts(session, [
      { kind, content: statement, entry: entry?.id, quote: said, ...more },
    ]);
  }

  compress(at = this.now): void {
    this.record({ type: 'compress', at });
  }

  get facts(): FactsFile {
    return known(readDocument(factsPath(this.memory), factsFile));
  }

  get concepts(): ConceptsFile {
    return known(readDocument(conceptsPath(this.memory), conceptsFile));
  }

  get memoryMd(): string {
    return readFileSync(memoryMdPath(this.memory), 'utf8');
  }

  sessionFacts(session: string): SessionFacts {
    const { file = '' } = readMemoryIndex(this.memory).sessions[session] ?? {};
    return known(readDocument(sessionFactsPath(this.memory, file), sessionFactsFile));
  }

  /** Every derived file, by its name, byte for byte. */
  files(...sessions: string[]): Record<string, string> {
    const paths = [
      factsPath(this.memory),
      conceptsPath(this.memory),
      memoryMdPath(this.memory),
      ...sessions.map((session) =>
        sessionFactsPath(
          this.memory,
          readMemoryIndex(this.memory).sessions[session]?.file ?? session,
        ),
      ),
    ];
    return Object.fromEntries(paths.map((path) => [basename(path), readFileSync(path, 'utf8')]));
  }

  #save(session: string, words: readonly Word[], isOver: boolean): L1Entry[] {
    const transcript = join(this.root, '..', `${session}.jsonl`);
    const rows = words.flatMap((word) => this.#rows(word));
    appendFileSync(transcript, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const { file = '', added = 0 } =
      saveL1(this.memory, { sessionId: session, transcript }, { isOver }) ?? {};
    return added === 0 ? [] : readL1(file).slice(-added);
  }

  #rows(word: Word): object[] {
    const row = (message: object) => {
      const timestamp = this.now;
      this.#now += MINUTE_MS;
      return { isSidechain: false, uuid: randomUUID(), timestamp, ...message };
    };
    if ('user' in word)
      return [row({ type: 'user', message: { role: 'user', content: word.user } })];
    const assistant = (content: object) =>
      row({
        type: 'assistant',
        message: { id: `msg_${randomUUID()}`, role: 'assistant', model: 'x', content: [content] },
      });
    if ('assistant' in word) return [assistant({ type: 'text', text: word.assistant })];
    const id = `toolu_${randomUUID()}`;
    const result = { type: 'tool_result', tool_use_id: id, content: word.output };
    return [
      assistant({
        ...{ type: 'tool_use', id, name: word.name ?? 'Bash' },
        input: word.input ?? { command: word.tool },
      }),
      row({ type: 'user', message: { role: 'user', content: [result] } }),
    ];
  }
}

function known<T>(reading: { state: string; value?: T }): T {
  if (reading.value === undefined) throw new Error(`cannot be read: ${JSON.stringify(reading)}`);
  return reading.value;
}
