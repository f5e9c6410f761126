/**
 * Searches a project's memory (M17) and returns ranked hits with the words around them. The index
 * is saved in our own folder between runs, and only what is new is added.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { readDocument } from '../../platform/store/document.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import { fingerprint } from '../../platform/store/owner.ts';
import type { Places } from '../../platform/store/places.ts';
import { conceptsPath, factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { FACT_LISTS, factsFile, PERMANENT_LISTS } from '../l2-facts/facts-file.ts';
import { wordsOf } from '../l2-facts/l2-verify.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { readKeptL1 } from '../log/l1-store.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { memoryParts } from '../memory-md/memory-md.ts';
import { Lately } from './lately.ts';
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

/** How far the index knows the files. */
const Known = v.object({
  /** Bytes of each L1 file. */
  l1: v.record(v.string(), v.number()),
  /** Which version of each other file, and the ids of what stood in it. */
  files: v.record(v.string(), v.object({ mark: v.string(), ids: v.array(v.string()) })),
});

type Known = v.InferOutput<typeof Known>;

const NOTHING: Known = { l1: {}, files: {} };

interface Opened {
  index: SearchIndex;
  known: Known;
}

const indexes = new Lately<Opened>(3);
const fileTexts = new Lately<Map<string, string>>(16);

export function searchMemory(
  places: Places,
  memory: ProjectMemory,
  query: string,
  options: SearchOptions = {},
): MemoryHit[] {
  const texts = new Texts(memory);
  return upToDateIndex(places, memory)
    .search(query, options)
    .flatMap((hit) => {
      const text = texts.of(hit.id);
      return text === undefined ? [] : [{ ...hit, snippet: snippet(text, hit.terms) }];
    });
}

function upToDateIndex(places: Places, memory: ProjectMemory): SearchIndex {
  const base = join(places.home, 'search', fingerprint(memory.root));
  const saved = open(base);
  const isGone =
    saved !== undefined && Object.keys(saved.known.l1).some((file) => !isKept(memory, file));
  // What was deleted must not be found any more: then everything is read again.
  const state =
    saved === undefined || isGone
      ? { index: new SearchIndex(), known: structuredClone(NOTHING) }
      : saved;
  const changes =
    putNewL1(memory, state.index, state.known) + putChangedFiles(memory, state.index, state.known);
  if (changes > 0 || isGone) {
    writeFileAtomic(`${base}.idx`, state.index.toBuffer(), { durable: false });
    writeFileAtomic(`${base}.json`, JSON.stringify(state.known), { durable: false });
    indexes.keep(base, indexMark(base), state);
  }
  return state.index;
}

function open(base: string): Opened | undefined {
  const mark = indexMark(base);
  const kept = indexes.get(base, mark);
  if (kept !== undefined) return kept;
  const saved = attempt(() => readFileSync(`${base}.idx`), undefined);
  const known = attempt(
    () => v.parse(Known, JSON.parse(readFileSync(`${base}.json`, 'utf8'))),
    undefined,
  );
  const index = saved === undefined ? undefined : SearchIndex.fromBuffer(saved);
  return index === undefined || known === undefined
    ? undefined
    : indexes.keep(base, mark, { index, known });
}

const indexMark = (base: string) => `${fileMark(`${base}.idx`)}, ${fileMark(`${base}.json`)}`;

function isKept(memory: ProjectMemory, file: string): boolean {
  return existsSync(join(memory.sessions, file)) || existsSync(join(memory.sessions, `${file}.gz`));
}

/** L1 only grows: what stands behind the known part is new. */
function putNewL1(memory: ProjectMemory, index: SearchIndex, known: Known): number {
  let count = 0;
  for (const [session, { file, l1Bytes }] of Object.entries(readMemoryIndex(memory).sessions)) {
    const from = known.l1[file] ?? 0;
    if (file === '' || l1Bytes <= from) continue;
    for (const entry of readKeptL1(memory, file, from, l1Bytes) ?? []) {
      const { id, ts: at, role } = entry;
      index.put({
        id: `l1/${file}/${id}`,
        layer: 'l1',
        project: memory.root,
        session,
        role,
        at,
        text: wordsOf(entry),
      });
      count++;
    }
    known.l1[file] = l1Bytes;
  }
  return count;
}

/** The other files are small: one that changed is taken out and put in again as a whole. */
function putChangedFiles(memory: ProjectMemory, index: SearchIndex, known: Known): number {
  let count = 0;
  const paths = otherFiles(memory);
  for (const path of new Set([...paths, ...Object.keys(known.files)])) {
    const mark = fileMark(path);
    if (mark === (known.files[path]?.mark ?? '')) continue;
    for (const id of known.files[path]?.ids ?? []) index.remove(id);
    const documents = documentsIn(memory, path);
    for (const document of documents) index.put(document);
    known.files[path] = { mark, ids: documents.map(({ id }) => id) };
    count++;
  }
  return count;
}

/** The paths of all pages that were made of sessions and months. */
export function pagesOf(memory: ProjectMemory): string[] {
  return [
    memory.sessions,
    join(memory.sessions, 'archive'),
    join(memory.folder, 'archive'),
  ].flatMap((folder) =>
    attempt(() => readdirSync(folder), [])
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  );
}

/** Facts, concepts, memory.md, and the pages. */
function otherFiles(memory: ProjectMemory): string[] {
  return [factsPath(memory), conceptsPath(memory), memoryMdPath(memory), ...pagesOf(memory)];
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
  const { permanent, ...lists } = reading.value;
  const document =
    (layer: 'l2' | 'l4') =>
    (fact: (typeof lists.decisions)[number]): SearchDocument => ({
      id: `${layer}/${fact.id}`,
      layer,
      project: memory.root,
      session: fact.session,
      ...(fact.evidence.at(-1)?.at && { at: fact.evidence.at(-1)?.at ?? '' }),
      title: fact.id,
      text: factText(fact),
    });
  return [
    ...FACT_LISTS.flatMap((list) => lists[list].map(document('l2'))),
    ...PERMANENT_LISTS.flatMap((list) => permanent[list].map(document('l4'))),
  ];
}

function factText({
  content,
  reason,
  resolution,
  files,
  keywords,
}: {
  content: string;
  reason?: string | undefined;
  resolution?: string | undefined;
  files: string[];
  keywords: string[];
}): string {
  return [content, reason, resolution, files.join(' '), keywords.join(' ')]
    .filter((text) => text !== undefined && text !== '')
    .join('\n');
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

/** The texts of hits: only files that have some are read, each of them once. */
class Texts {
  readonly #memory: ProjectMemory;
  readonly #l1 = new Map<string, Map<string, L1Entry>>();

  constructor(memory: ProjectMemory) {
    this.#memory = memory;
  }

  of(id: string): string | undefined {
    const [, file = '', entryId = ''] = /^l1\/([^/]+)\/(.+)$/.exec(id) ?? [];
    if (file === '') return textsIn(this.#memory, this.#fileOf(id)).get(id);
    const entry = this.#entriesOf(file).get(entryId);
    return entry === undefined ? undefined : wordsOf(entry);
  }

  #entriesOf(file: string): Map<string, L1Entry> {
    const known =
      this.#l1.get(file) ??
      new Map((readKeptL1(this.#memory, file) ?? []).map((entry) => [entry.id, entry]));
    this.#l1.set(file, known);
    return known;
  }

  /** As `documentsIn` gives ids. */
  #fileOf(id: string): string {
    const [layer = ''] = id.split('/', 1);
    if (layer === 'summary') return id.slice('summary/'.length);
    if (layer === 'memory') return memoryMdPath(this.#memory);
    return layer === 'l3' ? conceptsPath(this.#memory) : factsPath(this.#memory);
  }
}

function textsIn(memory: ProjectMemory, path: string): Map<string, string> {
  const mark = fileMark(path);
  const read = () => new Map(documentsIn(memory, path).map(({ id, text }) => [id, text]));
  return fileTexts.get(path, mark) ?? fileTexts.keep(path, mark, read());
}
