/**
 * Lists what a repository brings for the user to decide on (T1, T2): the notes in its
 * `.claude/memory`, and which of them were refused, adopted or said in the project's own memory
 * before. Only looks: nothing is written, and nothing found here reaches a session, a search or a
 * setting unless the user adopts it.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { readDocument } from '../../platform/store/document.ts';
import type { Places } from '../../platform/store/places.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { contentFingerprint } from '../../platform/text/fingerprint.ts';
import { conceptsPath, factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { SettingValueType } from '../../settings/setting-definitions.ts';
import { readSettings } from '../../settings/settings.ts';
import { type Fact, factsFile } from '../l2-facts/facts-file.ts';
import { type Concept, conceptsFile } from '../l3-concepts/concepts-file.ts';
import { redact } from '../redact/redact.ts';
import { rulesInForce } from '../restore/rules.ts';
import { FACT_PARTS, factsIn } from '../state/edits.ts';
import { type Decisions, readAdoptedRules, readDecisions } from './decisions.ts';
import { readForeignFiles, readForeignSettings } from './foreign-files.ts';
import {
  detailsOfNote,
  type FoundNote,
  type NoteDetail,
  type NoteKind,
  textOfNote,
} from './foreign-note.ts';
import { proposalsIn } from './proposals.ts';

/**
 * `removed`: it was adopted, and taken out of memory since. `known`: our own memory says it, without
 * the repository.
 */
export type NoteState = 'open' | 'refused' | 'adopted' | 'removed' | 'known';

export interface ForeignNote {
  id: string;
  kind: NoteKind;
  text: string;
  details: NoteDetail[];
  path: string;
  where: string;
  state: NoteState;
  /** Of a setting: its present value. */
  now?: SettingValueType;
}

export interface ForeignNotes {
  notes: ForeignNote[];
  /** How many more there are than were asked for or looked at. */
  more: number;
  /** How many settings of the repository ask for what no repository can ask for. */
  ignoredSettings: number;
  /** Why files were not read. */
  problems: Message[];
}

export interface JudgedNote extends FoundNote {
  state: NoteState;
}

interface Judged {
  notes: JudgedNote[];
  more: number;
  ignoredSettings: number;
  problems: Message[];
}

/** `isAll`: also those that the user has decided on. */
export function listForeignNotes(
  places: Places,
  memory: ProjectMemory,
  { isAll = false, count = Number.POSITIVE_INFINITY } = {},
): ForeignNotes {
  const { notes, more, ...rest } = judgeForeignNotes(places, memory);
  const wanted = notes.filter(({ state }) => state === 'open' || (isAll && state !== 'known'));
  const { values } = readSettings(places, memory.root);
  const shown = wanted.slice(0, count).map(({ id, content, path, where, state }) => ({
    id,
    kind: content.kind,
    text: textOfNote(content),
    details: detailsOfNote(content),
    path,
    where,
    state,
    ...(content.kind === 'setting' && { now: values[content.key].value }),
  }));
  return { notes: shown, more: more + wanted.length - shown.length, ...rest };
}

/** Every note that is found, each once, with what became of it. */
export function judgeForeignNotes(places: Places, memory: ProjectMemory): Judged {
  const files = readForeignFiles(memory);
  const config = readForeignSettings(memory);
  const { values } = readSettings(places, memory.root);
  const proposals =
    config.values === undefined
      ? { notes: [], ignored: 0 }
      : proposalsIn(config.values, config.path, values);
  const all = [...files.flatMap(({ notes }) => notes), ...proposals.notes];
  const found = [...new Map(all.map((note) => [note.id, note])).values()];
  return {
    notes: found.length === 0 ? [] : judged(found, places, memory),
    more: files.reduce((sum, { more }) => sum + more, 0),
    ignoredSettings: proposals.ignored,
    problems: [...files, config].flatMap(({ problem }) => problem ?? []),
  };
}

function judged(found: readonly FoundNote[], places: Places, memory: ProjectMemory): JudgedNote[] {
  const decisions = readDecisions(memory);
  const own = new OwnMemory(places, memory);
  return found.map((note) => ({ ...note, state: stateOf(note, decisions, own) }));
}

function stateOf(note: FoundNote, decisions: Decisions, own: OwnMemory): NoteState {
  const decision = Object.hasOwn(decisions, note.id) ? decisions[note.id]?.decision : undefined;
  if (own.hasAdopted(note, decision === 'adopted')) return 'adopted';
  if (decision === 'refused') return 'refused';
  if (decision === 'own' || own.says(note)) return 'known';
  if (decision === 'adopted') return 'removed';
  return decision === undefined && own.hasForgotten(note) ? 'known' : 'open';
}

/** More than this of one file is not compared: a note may then be offered that we have. */
const MAX_COMPARED_BYTES = 16 * 1024 * 1024;

/** What the project's memory says already, prepared for comparison. */
class OwnMemory {
  readonly #facts = new Set<string>();
  readonly #concepts = new Set<string>();
  readonly #adopted = new Set<string>();
  readonly #forgotten: ReadonlySet<string>;
  readonly #texts: string;
  readonly #rules: string;

  constructor(places: Places, memory: ProjectMemory) {
    const facts = contentOf(readDocument(factsPath(memory), factsFile), factsFile.empty());
    const concepts = contentOf(
      readDocument(conceptsPath(memory), conceptsFile),
      conceptsFile.empty(),
    );
    for (const fact of [...FACT_PARTS.flatMap((part) => factsIn(facts, part)), ...facts.retired]) {
      this.#facts.add(plain(fact.content));
      this.#adopt(fact);
    }
    for (const concept of concepts.concepts) {
      this.#concepts.add(plain(concept.name));
      this.#adopt(concept);
    }
    const rules = readAdoptedRules(memory);
    for (const { id } of rules) this.#adopted.add(id);
    this.#forgotten = new Set([...facts._meta.forgotten, ...concepts.forgotten]);
    this.#texts = plain(memoryTexts(memory));
    const inForce = [memory.root, undefined].map((root) => rulesInForce(places, root, 'en').text);
    this.#rules = plain([...inForce, ...rules.map(({ text }) => text)].join('\n'));
  }

  #adopt({ origin }: Fact | Concept): void {
    if (typeof origin?.note === 'string') this.#adopted.add(origin.note);
  }

  /** Text of memory.md has no label but its words, and those are searched for only if need be. */
  hasAdopted({ id, content }: FoundNote, isDecided: boolean): boolean {
    if (content.kind !== 'text') return this.#adopted.has(id);
    if (!isDecided) return false;
    return this.#texts.includes(plain(adoptedText(content.section, redact(content.text))));
  }

  says({ content }: FoundNote): boolean {
    if (content.kind === 'setting') return false;
    const words = plain(textOfNote(content));
    if (content.kind === 'concept') return this.#concepts.has(words);
    if (content.kind === 'rule') return this.#rules.includes(words);
    return content.kind === 'text' ? this.#texts.includes(words) : this.#facts.has(words);
  }

  /** The user has removed it. */
  hasForgotten({ content }: FoundNote): boolean {
    if (this.#forgotten.size === 0 || content.kind === 'setting') return false;
    return this.#forgotten.has(contentFingerprint(textOfNote(content)));
  }
}

/** With its label for ever, in the words of memory.md itself (T1). */
export function adoptedText(section: string, text: string): string {
  const from = section === '' ? 'memory.md' : `memory.md, ${section}`;
  return `Adopted from the repository (${from}):${text.includes('\n') ? '\n\n' : ' '}${text}`;
}

function memoryTexts(memory: ProjectMemory): string {
  const folder = join(memory.folder, 'archive');
  const rotated = attempt(() => readdirSync(folder), []) // nothing was rotated yet
    .filter((name) => name.endsWith('.md'));
  return [memoryMdPath(memory), ...rotated.map((name) => join(folder, name))]
    .map((path) => {
      const file = readSmallFile(path, MAX_COMPARED_BYTES);
      return file.state === 'ok' ? file.text : '';
    })
    .join('\n');
}

/** A file of ours that cannot be read says nothing here; others report it. */
function contentOf<T>(reading: { value: T } | object, otherwise: T): T {
  return 'value' in reading ? reading.value : otherwise;
}

/** Headings are escaped on their way into memory.md. */
function plain(text: string): string {
  return text
    .replace(/\\(?=#)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
