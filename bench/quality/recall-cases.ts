/**
 * Lives through the transcripts of `--data` again, project by project and in the order of time, as
 * the product would have: at each prompt all that was said until then is saved. Each prompt whose
 * answer used names that earlier sessions had, and the present one had not, is a case (K7).
 */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { entryText } from '../../core/memory/l2-facts/l2-verify.ts';
import type { L1Entry } from '../../core/memory/log/l1-refine.ts';
import { readL1Range, saveL1 } from '../../core/memory/log/l1-store.ts';
import { readMemoryIndex } from '../../core/memory/log/memory-index.ts';
import { isRecord, type JsonRecord, recordAt, stringAt } from '../../core/platform/text/json.ts';
import type { ProjectMemory } from '../../core/projects/project-memory.ts';
import { memoryAt } from '../../tests/bed/recorded-work.ts';
import { namesIn } from '../continuity/names.ts';
import { corpusIn } from '../real-transcripts/corpus.ts';
import type { Scene } from '../scene.ts';

export interface EarlierEntry {
  session: string;
  /** The name of its L1 file. */
  file: string;
  entry: L1Entry;
  text: string;
}

export interface RecallCase {
  memory: ProjectMemory;
  session: string;
  /** Of the session's id: one half was tuned on. */
  half: 'tuned' | 'untuned';
  prompt: string;
  /** Of other sessions, until now. */
  earlier: readonly EarlierEntry[];
  /** What the answer then used of them. */
  needed: ReadonlySet<string>;
}

interface Row {
  session: string;
  at: string;
  line: string;
  json: JsonRecord;
}

const NOT_TYPED = /^\s*(?:<|\[Request|Caveat:|This session is being continued)/;
const WORKTREE = /\/\.(?:claude\/)?worktrees\/.*$/;

export function* recallCases(data: string, scene: Scene): Generator<RecallCase> {
  const rows = corpusIn(data, scene).map(({ name, path }) =>
    rowsOf(basename(name).replace(/\.jsonl(?:\.gz)?$/, ''), path),
  );
  const byProject = Map.groupBy(rows, projectOf);
  for (const sessions of byProject.values()) {
    const inOrder = sessions.flat().sort((one, other) => compare(one.at, other.at));
    yield* new Project(scene.folder()).live(inOrder);
  }
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** A row without a time belongs to the one before it. */
function rowsOf(session: string, path: string): Row[] {
  let at = '';
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const json = parsed(line);
      if (json === undefined) return [];
      at = stringAt(json, 'timestamp') ?? at;
      return [{ session, at, line, json }];
    });
}

function parsed(line: string): JsonRecord | undefined {
  try {
    const json: unknown = JSON.parse(line);
    return isRecord(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** The folder that a session began in; worktrees are the repository's. */
function projectOf(rows: readonly Row[]): string {
  const cwd = rows.map(({ json }) => stringAt(json, 'cwd')).find((path) => path !== undefined);
  return (cwd ?? '').replace(WORKTREE, '');
}

class Project {
  readonly #folder: string;
  readonly #memory: ProjectMemory;
  /** Rows that are not saved yet, by session. */
  readonly #unsaved = new Map<string, string[]>();
  readonly #contexts = new Map<string, Set<string>>();
  /** How much of each L1 file is in `#entries`. */
  readonly #read = new Map<string, number>();
  #entries: EarlierEntry[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    const root = join(folder, 'project');
    mkdirSync(root);
    this.#memory = memoryAt(root);
  }

  *live(rows: readonly Row[]): Generator<RecallCase> {
    const bySession = Map.groupBy(rows, ({ session }) => session);
    for (const row of rows) {
      if (isMessage(row) && isPrompt(row.json)) {
        const own = bySession.get(row.session) ?? [];
        const found = this.#caseOf(row, own.slice(own.indexOf(row) + 1));
        if (found !== undefined) yield found;
      }
      this.#add(row);
    }
  }

  #caseOf(row: Row, after: readonly Row[]): RecallCase | undefined {
    const { session, json } = row;
    const end = after.findIndex((next) => isMessage(next) && isPrompt(next.json));
    const answer = after
      .slice(0, end < 0 ? undefined : end)
      .filter((next) => isMessage(next) && next.json.type === 'assistant');
    const used = new Set(
      answer.flatMap((next) => [...namesIn(textOf(contentOf(next.json), SAID))]),
    );
    const prompt = textOf(contentOf(json));
    const context = new Set([...(this.#contexts.get(session) ?? []), ...namesIn(prompt)]);
    const open = [...used].filter((name) => !context.has(name));
    if (open.length === 0) return undefined;
    this.#save();
    const earlier = this.#entries.filter((entry) => entry.session !== session);
    const known = new Set(earlier.flatMap((entry) => [...namesOf(entry)]));
    const needed = new Set(open.filter((name) => known.has(name)));
    if (needed.size === 0) return undefined;
    return { memory: this.#memory, session, half: halfOf(session), prompt, earlier, needed };
  }

  #add(row: Row): void {
    this.#unsaved.set(row.session, [...(this.#unsaved.get(row.session) ?? []), row.line]);
    if (!isMessage(row)) return;
    const context = this.#contexts.get(row.session) ?? new Set();
    for (const name of namesIn(textOf(contentOf(row.json), ALL))) context.add(name);
    this.#contexts.set(row.session, context);
  }

  #save(): void {
    for (const [session, lines] of this.#unsaved) {
      const transcript = join(this.#folder, `${session}.jsonl`);
      appendFileSync(transcript, `${lines.join('\n')}\n`);
      saveL1(this.#memory, { sessionId: session, transcript });
    }
    this.#unsaved.clear();
    for (const [session, { file, l1Bytes }] of Object.entries(
      readMemoryIndex(this.#memory).sessions,
    )) {
      const from = this.#read.get(file) ?? 0;
      if (file === '' || l1Bytes <= from) continue;
      for (const entry of readL1Range(this.#memory, file, from, l1Bytes) ?? [])
        this.#entries.push({ session, file, entry, text: entryText(entry) });
      this.#read.set(file, l1Bytes);
    }
  }
}

const names = new WeakMap<EarlierEntry, Set<string>>();
function namesOf(entry: EarlierEntry): Set<string> {
  const known = names.get(entry) ?? namesIn(entry.text);
  names.set(entry, known);
  return known;
}

function halfOf(session: string): RecallCase['half'] {
  const [first = 0] = createHash('sha256').update(session).digest();
  return first % 2 === 0 ? 'tuned' : 'untuned';
}

function isMessage({ json }: Row): boolean {
  const { type, isSidechain, isMeta } = json;
  return (type === 'user' || type === 'assistant') && isSidechain !== true && isMeta !== true;
}

function isPrompt(json: JsonRecord): boolean {
  const content = contentOf(json);
  const isResult =
    Array.isArray(content) &&
    content.some((block) => isRecord(block) && block.type === 'tool_result');
  const text = textOf(content);
  return json.type === 'user' && !isResult && text.trim() !== '' && !NOT_TYPED.test(text);
}

const contentOf = (json: JsonRecord): unknown => recordAt(json, 'message')?.content;

const TEXT = ['text'];
const SAID = ['text', 'tool_use'];
const ALL = ['text', 'tool_use', 'tool_result'];

function textOf(content: unknown, types: readonly string[] = TEXT): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isRecord)
    .filter(({ type }) => types.includes(String(type)))
    .map((block) => {
      // The names of arguments are nobody's words.
      if (block.type === 'tool_use') return valuesOf(block.input).join('\n');
      return block.type === 'text' ? (stringAt(block, 'text') ?? '') : textOf(block.content);
    })
    .join('\n');
}

function valuesOf(input: unknown): string[] {
  if (typeof input === 'string') return [input];
  if (Array.isArray(input)) return input.flatMap(valuesOf);
  return isRecord(input) ? Object.values(input).flatMap(valuesOf) : [];
}
