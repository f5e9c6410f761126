/**
 * Adopts foreign notes, or refuses them for good (T1, T2): the notes that the user has named by
 * their ids, and no others. What is adopted goes the way of a person's own edit, without secrets and
 * with a label that stays, and can be undone (M19).
 */
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import { changeSetting } from '../../settings/settings.ts';
import { EditLog } from '../edits/edit-log.ts';
import { asPlainText } from '../memory-md/memory-md.ts';
import { redact } from '../redact/redact.ts';
import { type Addition, addTogether } from '../state/edits.ts';
import { changeAdoptedRules, decide } from './decisions.ts';
import { adoptedText, type JudgedNote, judgeForeignNotes } from './foreign-notes.ts';

export interface Adopted {
  /** Of the notes that were not adopted before. */
  ids: string[];
  /** The numbers of the edits in memory, for undo. */
  edits: number[];
}

/** Refuses to do anything if one of the notes is not there, or not as the user has seen it. */
export function adoptForeignNotes(
  places: Places,
  memory: ProjectMemory,
  ids: readonly string[],
): Adopted {
  const notes = named(places, memory, ids).filter(
    ({ state }) => state !== 'adopted' && state !== 'known',
  );
  if (notes.length === 0) return { ids: [], edits: [] };
  prepareProjectMemory(memory);
  const at = new Date().toISOString();
  const additions = notes.flatMap((note) => additionOf(note, at));
  const edits = additions.length === 0 ? [] : addTogether(memory, new EditLog(memory), additions);
  adoptRules(memory, notes, at);
  for (const { content } of notes) {
    if (content.kind !== 'setting') continue;
    const scope = { places, projectRoot: memory.root };
    const change = changeSetting(scope, content.key, content.value);
    if (!change.ok) throw new ExpectedError(change.reason);
  }
  const adopted = notes.map(({ id }) => id);
  decide(memory, adopted, 'adopted');
  return { ids: adopted, edits };
}

/** They are never offered again, whatever is pulled. A rule that was adopted goes along no more. */
export function refuseForeignNotes(
  places: Places,
  memory: ProjectMemory,
  ids: readonly string[],
): { ids: string[] } {
  const notes = named(places, memory, ids);
  const inMemory = notes.find(
    ({ state, content }) => state === 'adopted' && content.kind !== 'rule',
  );
  if (inMemory !== undefined)
    throw new ExpectedError(message('foreign.inMemory', { id: inMemory.id }));
  prepareProjectMemory(memory);
  const refused = notes.map(({ id }) => id);
  dropRules(memory, notes);
  decide(memory, refused, 'refused');
  return { ids: refused };
}

/** Takes a refusal back, the adoption of a rule, or what an undo has left of another adoption. */
export function offerForeignNotes(
  places: Places,
  memory: ProjectMemory,
  ids: readonly string[],
): { ids: string[] } {
  const notes = named(places, memory, ids).filter(
    ({ state, content }) => state !== 'open' && (state !== 'adopted' || content.kind === 'rule'),
  );
  const offered = notes.map(({ id }) => id);
  if (notes.length > 0) prepareProjectMemory(memory);
  dropRules(memory, notes);
  decide(memory, offered, 'offered');
  return { ids: offered };
}

/**
 * For files that the user's own memory was moved out of: what memory says now is never offered as a
 * foreign note, even when memory has changed since and the old files have not.
 */
export function rememberOwnNotes(places: Places, memory: ProjectMemory): void {
  const own = judgeForeignNotes(places, memory).notes.flatMap(({ id, state }) =>
    state === 'known' ? id : [],
  );
  decide(memory, own, 'own');
}

function dropRules(memory: ProjectMemory, notes: readonly JudgedNote[]): void {
  const dropped = new Set(notes.flatMap(({ id, state }) => (state === 'adopted' ? id : [])));
  if (dropped.size > 0)
    changeAdoptedRules(memory, (rules) => rules.filter(({ id }) => !dropped.has(id)));
}

function named(places: Places, memory: ProjectMemory, ids: readonly string[]): JudgedNote[] {
  const found = new Map(judgeForeignNotes(places, memory).notes.map((note) => [note.id, note]));
  return [...new Set(ids)].map((id) => {
    const note = found.get(id);
    if (note === undefined) throw new ExpectedError(message('foreign.gone', { id }));
    return note;
  });
}

function additionOf({ id, content, path }: JudgedNote, at: string): Addition[] {
  const origin = { kind: 'repository', path, at, note: id };
  if (content.kind === 'rule' || content.kind === 'setting') return [];
  if (content.kind === 'text')
    return [
      {
        document: 'memory',
        text: asPlainText(adoptedText(content.section, redact(content.text))),
      },
    ];
  const fields = Object.fromEntries(
    Object.entries(content.fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? redact(value) : value.map(redact),
    ]),
  );
  if (content.kind === 'concept') {
    const empty = { summary: '', files: [], keywords: [], exchanges: [] };
    const name = redact(content.name);
    return [{ document: 'concepts', fields: { ...empty, ...fields, name, origin } }];
  }
  return [
    {
      document: 'facts',
      part: content.kind,
      fields: { ...fields, content: redact(content.content), origin },
    },
  ];
}

function adoptRules(memory: ProjectMemory, notes: readonly JudgedNote[], at: string): void {
  const added = notes.flatMap(({ id, content, path }) =>
    content.kind === 'rule'
      ? [
          {
            id,
            text: redact(content.text),
            origin: { kind: 'repository' as const, path },
            at,
          },
        ]
      : [],
  );
  if (added.length > 0) changeAdoptedRules(memory, (rules) => [...rules, ...added]);
}
