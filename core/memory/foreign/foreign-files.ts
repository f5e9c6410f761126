/**
 * Finds the notes in the files of a repository's `.claude/memory` (T1), in the formats of F6, F7 and
 * F10. The files may hold anything: what does not look like a note is passed over, and no more than
 * a bounded number of notes is looked at.
 */
import { basename } from 'node:path';
import { type Message, message } from '../../messages/message.ts';
import { readInProject } from '../../platform/project/read-in-project.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import type { FileReading } from '../../platform/store/read-file.ts';
import {
  isRecord,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
} from '../../platform/text/json.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { FACT_LISTS, factsFile, PERMANENT_LISTS } from '../l2-facts/facts-file.ts';
import { memoryParts } from '../memory-md/memory-md.ts';
import { ourCopies } from '../portable/project-copy.ts';
import type { FactPart } from '../state/edits.ts';
import { type FoundNote, foundNote, oneLine, visible } from './foreign-note.ts';

export interface ForeignFile {
  notes: FoundNote[];
  /** So many more than are looked at. */
  more: number;
  /** Why it was not read. */
  problem?: Message;
}

const FOLDER = '.claude/memory';
const KB = 1024;
/** More than this no person has written or will read. */
const MAX_BYTES = { json: 8 * KB * KB, memoryMd: 2 * KB * KB, small: 256 * KB };
/** Of one file. A window asks again whenever memory changes, and must not wait for it. */
const MAX_NOTES = 3000;
const MAX_TEXT_CHARS = 4000;
const MAX_LINE_CHARS = 1000;
const MAX_WORD_CHARS = 200;
const MAX_WORDS = 12;

/** All but the settings. */
export function readForeignFiles(memory: ProjectMemory): ForeignFile[] {
  const read = reader(memory);
  return [
    readForeignJson(read, 'facts.json', factNotes),
    readForeignJson(read, 'concepts.json', conceptNotes),
    readForeignText(read, 'memory.md', MAX_BYTES.memoryMd, memoryMdNotes),
    readForeignText(read, 'rules.md', MAX_BYTES.small, ruleNotes),
  ];
}

type Read = (name: string, maxBytes: number) => FileReading;

/** A copy that we put there ourselves (`storage: project`) is as good as none. */
function reader(memory: ProjectMemory): Read {
  const isOurs = ourCopies(memory);
  return (name, maxBytes) => {
    const file = readInProject(memory.root, `${FOLDER}/${name}`, maxBytes);
    return file.state === 'ok' && isOurs(`memory/${name}`, file.text) ? { state: 'missing' } : file;
  };
}

/** What the repository's config.json says; undefined if it says nothing. */
export function readForeignSettings(memory: ProjectMemory): {
  path: string;
  values?: JsonRecord;
  problem?: Message;
} {
  const path = `${FOLDER}/config.json`;
  const file = reader(memory)('config.json', MAX_BYTES.small);
  if (file.state === 'missing') return { path };
  if (file.state === 'refused') return { path, problem: file.reason };
  const values = parseJson(file.text);
  return isRecord(values) ? { path, values } : { path, problem: notObject(path) };
}

type Cut = Pick<ForeignFile, 'notes' | 'more'>;

function readForeignText(
  read: Read,
  name: string,
  maxBytes: number,
  notesIn: (text: string, path: string) => Cut,
): ForeignFile {
  const path = `${FOLDER}/${name}`;
  const file = read(name, maxBytes);
  if (file.state === 'ok') return notesIn(file.text, path);
  return { notes: [], more: 0, ...(file.state === 'refused' && { problem: file.reason }) };
}

function readForeignJson(
  read: Read,
  name: string,
  notesIn: (json: JsonRecord, path: string) => Cut,
): ForeignFile {
  let problem: Message | undefined;
  const file = readForeignText(read, name, MAX_BYTES.json, (text, path) => {
    const json = parseJson(text);
    if (!isRecord(json)) problem = notObject(path);
    else if ((numberAt(json, 'version') ?? 1) > factsFile.version)
      problem = message('store.newer', {
        file: name,
        version: numberAt(json, 'version') ?? 0,
        known: factsFile.version,
      });
    else return notesIn(json, path);
    return { notes: [], more: 0 };
  });
  return problem === undefined ? file : { ...file, problem };
}

function notObject(path: string): Message {
  return message('store.notObject', { file: basename(path) });
}

/** Up to the limit; the rest is only counted. */
function cut<T>(items: readonly T[], note: (item: T) => FoundNote | undefined): Cut {
  const looked = items.slice(0, MAX_NOTES);
  return { notes: looked.flatMap((item) => note(item) ?? []), more: items.length - looked.length };
}

/** What newer facts have replaced over there is no longer said. */
function factNotes(json: JsonRecord, path: string): Cut {
  const permanent = recordAt(json, 'permanent') ?? {};
  const lists: [FactPart, unknown][] = [
    ...PERMANENT_LISTS.map((list): [FactPart, unknown] => [`permanent.${list}`, permanent[list]]),
    ...FACT_LISTS.map((list): [FactPart, unknown] => [list, json[list]]),
  ];
  const items = lists.flatMap(([part, list]) =>
    (Array.isArray(list) ? list : []).map((item: unknown) => ({ part, item })),
  );
  return cut(items, ({ part, item }) => factNote(part, item, path));
}

function factNote(part: FactPart, item: unknown, path: string): FoundNote | undefined {
  const fact = typeof item === 'string' ? { content: item } : item;
  if (!isRecord(fact) || fact.supersededBy !== undefined) return undefined;
  const content = oneLine(stringAt(fact, 'content') ?? '', MAX_LINE_CHARS);
  if (content === '') return undefined;
  const status = stringAt(fact, 'status');
  const hasStatus = part === 'issues' && (status === 'open' || status === 'resolved');
  const fields = {
    ...line(fact, 'reason'),
    ...(hasStatus && { status }),
    ...line(fact, 'resolution'),
    ...words(fact, 'keywords'),
    ...words(fact, 'files'),
  };
  return foundNote({ kind: part, content, fields }, path, stringAt(fact, 'id') ?? '');
}

function conceptNotes(json: JsonRecord, path: string): Cut {
  return cut(Array.isArray(json.concepts) ? json.concepts : [], (concept: unknown) => {
    if (!isRecord(concept)) return undefined;
    const name = oneLine(stringAt(concept, 'name') ?? '', MAX_WORD_CHARS);
    if (name === '') return undefined;
    const fields = {
      ...line(concept, 'summary'),
      ...words(concept, 'keywords'),
      ...words(concept, 'files'),
    };
    return foundNote({ kind: 'concept', name, fields }, path, stringAt(concept, 'id') ?? '');
  });
}

function line(record: JsonRecord, field: string): Record<string, string> {
  const text = oneLine(stringAt(record, field) ?? '', MAX_LINE_CHARS);
  return text === '' ? {} : { [field]: text };
}

function words(record: JsonRecord, field: string): Record<string, string[]> {
  const list = record[field];
  const found = (Array.isArray(list) ? list.slice(0, MAX_WORDS) : [])
    .flatMap((word: unknown) => (typeof word === 'string' ? oneLine(word, MAX_WORD_CHARS) : []))
    .filter((word) => word !== '');
  return found.length === 0 ? {} : { [field]: found };
}

/** Has more than the labels and the date of an empty Current State. */
const isFilled = (text: string) =>
  /[^\s:-]/.test(text.replace(/^- (?:(?:Version|Status):\s*|Last updated:.*)$/gm, ''));

function memoryMdNotes(file: string, path: string): Cut {
  // The title of the file says nothing.
  const parts = memoryParts(file).map(({ part, id, text }) => ({
    section: part,
    stamp: id,
    text: part === '' ? text.replace(/^# .*$/m, '') : text,
  }));
  return cut(
    parts.filter(({ text }) => isFilled(text)),
    ({ section, stamp, text }) => {
      const content = {
        kind: 'text',
        section: oneLine(section, MAX_WORD_CHARS),
        text: visible(text, MAX_TEXT_CHARS),
      } as const;
      return foundNote(content, path, [section, stamp].filter((name) => name !== '').join(', '));
    },
  );
}

const BULLET = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;
const HEADING = /^\s*#{1,6}(?:\s|$)/;

/** One for each bullet with the lines that belong to it, and for each other line. */
function ruleNotes(file: string, path: string): Cut {
  const rules: { text: string; line: number }[] = [];
  let isOpen = false;
  for (const [index, text] of file.split('\n').entries()) {
    const last = rules.at(-1);
    const isRule = text.trim() !== '' && !HEADING.test(text);
    if (isRule && isOpen && last !== undefined && /^\s+\S/.test(text) && !BULLET.test(text))
      last.text = `${last.text} ${text.trim()}`.slice(0, 2 * MAX_LINE_CHARS);
    else if (isRule) rules.push({ text: text.replace(BULLET, ''), line: index + 1 });
    isOpen = isRule;
  }
  return cut(rules, ({ text, line: number }) => {
    const rule = oneLine(text, MAX_LINE_CHARS);
    return rule === '' ? undefined : foundNote({ kind: 'rule', text: rule }, path, String(number));
  });
}
