/**
 * The forms for facts and concepts as data (M19): an item comes in, the fields of its form go out
 * as strings, and what a person changed in them goes back as a change that names nothing else, so
 * that whatever else the item carries stays.
 */

import type { Fact } from '../../../../core/memory/l2-facts/facts-file.ts';
import type { Concept } from '../../../../core/memory/l3-concepts/concepts-file.ts';
import type { ConceptChange, FactChange, FactPart } from '../../../../core/usecases/contract.ts';

export type Fields = Record<string, string>;
export type FieldName =
  | 'content'
  | 'reason'
  | 'status'
  | 'resolution'
  | 'keywords'
  | 'files'
  | 'conceptId'
  | 'name'
  | 'summary';

export interface Field {
  name: FieldName;
  kind: 'line' | 'text' | 'list' | 'status' | 'concept';
  isNeeded?: boolean;
}

const CONTENT: Field = { name: 'content', kind: 'text', isNeeded: true };
const REASON: Field = { name: 'reason', kind: 'text' };
const ISSUE: Field[] = [
  { name: 'status', kind: 'status' },
  { name: 'resolution', kind: 'text' },
];
const REST: Field[] = [
  { name: 'conceptId', kind: 'concept' },
  { name: 'keywords', kind: 'list' },
  { name: 'files', kind: 'list' },
];

export const CONCEPT_FIELDS: Field[] = [
  { name: 'name', kind: 'line', isNeeded: true },
  { name: 'summary', kind: 'text' },
  { name: 'keywords', kind: 'list' },
  { name: 'files', kind: 'list' },
];

export function factFields(part: FactPart): Field[] {
  return [CONTENT, REASON, ...(part === 'issues' ? ISSUE : []), ...REST];
}

/** As the form shows it. */
export function fieldsOf(fields: readonly Field[], item: Partial<Fact> | Partial<Concept>): Fields {
  const values = item as Record<string, unknown>;
  return Object.fromEntries(fields.map(({ name }) => [name, asText(values[name])]));
}

function asText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : '';
}

export function changedFields(before: Fields, after: Fields): string[] {
  return Object.keys(after).filter((name) => (after[name] ?? '') !== (before[name] ?? ''));
}

/** Only what differs; an emptied field is taken away. */
export function changeOf(
  fields: readonly Field[],
  before: Fields,
  after: Fields,
): FactChange & ConceptChange {
  const changed = new Set(changedFields(before, after));
  const entries = fields
    .filter(({ name }) => changed.has(name))
    .map((field) => [field.name, fieldValue(field, after[field.name] ?? '')] as const);
  return Object.fromEntries(entries) as FactChange & ConceptChange;
}

function fieldValue({ name, kind }: Field, typed: string): string | string[] | null {
  if (kind === 'list') return listOf(typed);
  const text = typed.trim();
  return text === '' && name !== 'summary' ? null : text;
}

function listOf(typed: string): string[] {
  return [...new Set(typed.split(/[,\n]/).map((word) => word.trim()))].filter(
    (word) => word !== '',
  );
}

/** What is wrong with it, as the name of a field; undefined if it can be saved. */
export function missingField(fields: readonly Field[], values: Fields): FieldName | undefined {
  return fields.find(
    ({ name, isNeeded }) => isNeeded === true && (values[name] ?? '').trim() === '',
  )?.name;
}
