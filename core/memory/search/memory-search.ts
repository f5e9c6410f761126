/**
 * Searches a project's memory (M17) and returns ranked hits with the words around them. The index
 * is saved in our own folder between runs, and only new and changed files are indexed.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { readDocument } from '../../platform/store/document.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import { shortHash } from '../../platform/store/owner.ts';
import type { Places } from '../../platform/store/places.ts';
import { conceptsPath, factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { FACT_LISTS, type Fact, factsFile, PERMANENT_LISTS } from '../l2-facts/facts-file.ts';
import { entryText } from '../l2-facts/l2-verify.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { readL1Range } from '../log/l1-store.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { memoryParts } from '../memory-md/memory-md.ts';
import { isPage } from './entry-context.ts';
import {
  type SearchDocument,
  type SearchHit,
  SearchIndex,
  type SearchOptions,
} from './search-index.ts';
import { snippet } from './snippet.ts';

export interface MemoryHit extends SearchHit {
  /** The words around the best match. */
  snippet: string;
}

/** How much of the files is in the index. */
const Coverage = v.object({
  /** Bytes of each L1 file. */
  l1: v.record(v.string(), v.number()),
  /** The version of each other file, and the ids of its documents. */
  files: v.record(v.string(), v.object({ mark: v.string(), ids: v.array(v.string()) })),
});

interface OpenIndex {
  index: SearchIndex;
  coverage: v.InferOutput<typeof Coverage>;
}

/** Caches what was made from files, each until the mark of its file changes. */
class LruCache<T> {
  readonly #limit: number;
  readonly #entries = new Map<string, { mark: string; value: T }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string, mark: string): T | undefined {
    const entry = this.#entries.get(key);
    return entry?.mark === mark ? this.set(key, mark, entry.value) : undefined;
  }

  set(key: string, mark: string, value: T): T {
    this.#entries.delete(key);
    this.#entries.set(key, { mark, value });
    const [oldest = ''] = this.#entries.keys();
    if (this.#entries.size > this.#limit) this.#entries.delete(oldest);
    return value;
  }
}

// The window searches on every keystroke, and facts.json can have tens of megabytes.
const indexes = new LruCache<OpenIndex>(3);
const fileTexts = new LruCache<Map<string, string>>(16);

export function searchMemory(
  places: Places,
  memory: ProjectMemory,
  query: string,
  options: SearchOptions = {},
): MemoryHit[] {
  const textOf = textReader(memory);
  return upToDateIndex(places, memory)
    .search(query, options)
    .flatMap((hit) => {
      const text = textOf(hit.id);
      return text === undefined ? [] : [{ ...hit, snippet: snippet(text, hit.terms) }];
    });
}

/** The hits of several projects in one list, in the same order as those of one. */
export function bestOfAll(hits: readonly MemoryHit[][], limit: number): MemoryHit[] {
  const [only = [], ...others] = hits;
  if (others.length === 0) return only;
  const newerFirst = (one: MemoryHit, other: MemoryHit) =>
    (other.at ?? '').localeCompare(one.at ?? '');
  return hits
    .flat()
    .sort(
      (one, other) =>
        Number(isPage(one.layer)) - Number(isPage(other.layer)) ||
        other.score - one.score ||
        newerFirst(one, other),
    )
    .slice(0, limit);
}

/** The paths without their ends: `<base>.idx` is the index, `<base>.json` its coverage. */
function indexBase(places: Places, { root }: ProjectMemory): string {
  return join(places.home, 'search', shortHash(root));
}

/** Needed when files were replaced: the index knows L1 files by name and length alone. */
export function removeSearchIndex(places: Places, memory: ProjectMemory): void {
  for (const end of ['idx', 'json']) removeFile(`${indexBase(places, memory)}.${end}`);
}

/**
 * The index with all that was said and changed until now. `worthSaving`: with fewer changes it is
 * not written; whoever asks often keeps it in this process.
 */
export function upToDateIndex(places: Places, memory: ProjectMemory, worthSaving = 1): SearchIndex {
  const base = indexBase(places, memory);
  const saved = openIndex(base);
  // A deleted conversation must not be found any more, so everything is indexed again.
  const isOutdated = Object.keys(saved.coverage.l1).some((file) => !isKept(memory, file));
  const open = isOutdated ? emptyIndex() : saved;
  const changes = putNewL1(memory, open) + putChangedFiles(memory, open);
  const isKeptHere = indexes.get(base, indexMark(base)) === open;
  if ((changes > 0 && !(isKeptHere && changes < worthSaving)) || isOutdated) {
    writeFileAtomic(`${base}.idx`, open.index.toBuffer(), { durable: false });
    writeFileAtomic(`${base}.json`, JSON.stringify(open.coverage), { durable: false });
    indexes.set(base, indexMark(base), open);
  }
  return open.index;
}

function openIndex(base: string): OpenIndex {
  const mark = indexMark(base);
  const cached = indexes.get(base, mark);
  if (cached !== undefined) return cached;
  const saved = attempt(
    () => ({
      index: SearchIndex.fromBuffer(readFileSync(`${base}.idx`)),
      coverage: v.parse(Coverage, JSON.parse(readFileSync(`${base}.json`, 'utf8'))),
    }),
    undefined,
  );
  if (saved?.index === undefined) return emptyIndex();
  return indexes.set(base, mark, { index: saved.index, coverage: saved.coverage });
}

function emptyIndex(): OpenIndex {
  return { index: new SearchIndex(), coverage: { l1: {}, files: {} } };
}

function indexMark(base: string): string {
  return `${fileMark(`${base}.idx`)}, ${fileMark(`${base}.json`)}`;
}

function isKept(memory: ProjectMemory, file: string): boolean {
  return existsSync(join(memory.sessions, file)) || existsSync(join(memory.sessions, `${file}.gz`));
}

/** L1 only grows: everything after the indexed part is new. */
function putNewL1(memory: ProjectMemory, { index, coverage }: OpenIndex): number {
  let count = 0;
  for (const [session, { file, l1Bytes }] of Object.entries(readMemoryIndex(memory).sessions)) {
    const from = coverage.l1[file] ?? 0;
    if (file === '' || l1Bytes <= from) continue;
    const entries = readL1Range(memory, file, from, l1Bytes);
    if (entries === undefined) continue; // in the trash: it may come back
    for (const entry of entries) {
      const { ts: at, role } = entry;
      const id = `l1/${file}/${entry.id}`;
      const text = entryText(entry);
      index.put({ id, layer: 'l1', project: memory.root, session, role, at, text });
      count++;
    }
    coverage.l1[file] = l1Bytes;
  }
  return count;
}

/** The other files are small: a changed one is replaced as a whole. */
function putChangedFiles(memory: ProjectMemory, { index, coverage }: OpenIndex): number {
  let count = 0;
  const documentPaths = [factsPath(memory), conceptsPath(memory), memoryMdPath(memory)];
  const indexedPaths = Object.keys(coverage.files);
  for (const path of new Set([...documentPaths, ...pagesOf(memory), ...indexedPaths])) {
    const mark = fileMark(path);
    const { mark: indexedMark = '', ids = [] } = coverage.files[path] ?? {};
    if (mark === indexedMark) continue;
    for (const id of ids) index.remove(id);
    const documents = documentsIn(memory, path);
    for (const document of documents) index.put(document);
    coverage.files[path] = { mark, ids: documents.map(({ id }) => id) };
    count++;
  }
  return count;
}

/** The paths of all summaries of sessions, weeks and months. */
export function pagesOf({ folder, sessions }: ProjectMemory): string[] {
  return [sessions, join(sessions, 'archive'), join(folder, 'archive')].flatMap((parent) =>
    attempt(() => readdirSync(parent), [])
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(parent, name)),
  );
}

function documentsIn(memory: ProjectMemory, path: string): SearchDocument[] {
  const project = memory.root;
  if (path === factsPath(memory)) return factDocuments(memory);
  if (path === conceptsPath(memory)) return conceptDocuments(memory);
  const text = attempt(() => readFileSync(path, 'utf8'), ''); // gone meanwhile
  if (path === memoryMdPath(memory))
    return memoryParts(text).map((part) => ({
      id: `memory/${part.part}/${part.id}`,
      layer: 'memory',
      project,
      title: [part.part, part.id].filter((word) => word !== '').join(', '),
      text: part.text,
    }));
  return text === '' ? [] : [{ id: `summary/${path}`, layer: 'summary', project, text }];
}

function factDocuments(memory: ProjectMemory): SearchDocument[] {
  const reading = readDocument(factsPath(memory), factsFile);
  if (reading.state !== 'ok') return [];
  const document = (layer: 'l2' | 'l4', fact: Fact): SearchDocument => {
    const { id, session, content, reason, resolution, files, keywords, evidence } = fact;
    const at = evidence.at(-1)?.at;
    const texts = [content, reason, resolution, files.join(' '), keywords.join(' ')];
    return {
      id: `${layer}/${id}`,
      layer,
      project: memory.root,
      session,
      ...(at && { at }),
      title: id,
      text: texts.filter(Boolean).join('\n'),
    };
  };
  const { permanent, ...lists } = reading.value;
  return [
    ...FACT_LISTS.flatMap((list) => lists[list].map((fact) => document('l2', fact))),
    ...PERMANENT_LISTS.flatMap((list) => permanent[list].map((fact) => document('l4', fact))),
  ];
}

function conceptDocuments(memory: ProjectMemory): SearchDocument[] {
  const reading = readDocument(conceptsPath(memory), conceptsFile);
  if (reading.state !== 'ok') return [];
  return reading.value.concepts.map(({ id, name, summary, files, keywords }) => ({
    id: `l3/${id}`,
    layer: 'l3',
    project: memory.root,
    title: name,
    text: [name, summary, files.join(' '), keywords.join(' ')].join('\n'),
  }));
}

/** Reads the texts of hits: only the files that have some, and each of them once. */
function textReader(memory: ProjectMemory): (id: string) => string | undefined {
  const l1Files = new Map<string, Map<string, L1Entry>>();
  return (id) => {
    const [, file, entryId = ''] = /^l1\/([^/]+)\/(.+)$/.exec(id) ?? [];
    if (file === undefined) return textsIn(memory, fileOf(memory, id)).get(id);
    const entries =
      l1Files.get(file) ??
      new Map(readL1Range(memory, file)?.map((entry): [string, L1Entry] => [entry.id, entry]));
    l1Files.set(file, entries);
    const entry = entries.get(entryId);
    return entry === undefined ? undefined : entryText(entry);
  };
}

/** The file that `documentsIn` made this id from. */
function fileOf(memory: ProjectMemory, id: string): string {
  const [layer = ''] = id.split('/', 1);
  if (layer === 'summary') return id.slice('summary/'.length);
  if (layer === 'memory') return memoryMdPath(memory);
  return layer === 'l3' ? conceptsPath(memory) : factsPath(memory);
}

function textsIn(memory: ProjectMemory, path: string): Map<string, string> {
  const mark = fileMark(path);
  const read = () => new Map(documentsIn(memory, path).map(({ id, text }) => [id, text]));
  return fileTexts.get(path, mark) ?? fileTexts.set(path, mark, read());
}
