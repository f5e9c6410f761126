/**
 * An edit of the journal in words (M19): an edit comes in; what was done, to what, and the fields
 * that differ go out. Before and after are whatever the files held, so everything that is not known
 * is shown as it stands.
 */
import type { HistoryEdit } from '../../../../core/usecases/contract.ts';

export type Deed = 'added' | 'forgotten' | 'changed';

export interface FieldDiff {
  /** Empty for a text as a whole. */
  field: string;
  before: string;
  after: string;
}

/** What changes along with every edit and tells a person nothing. */
const SILENT = new Set(['editedAt', 'isEdited', 'conceptBy', 'id', 'uid']);
/** What names an item. */
const NAMING = ['content', 'name', 'text'];

export function deedOf({ before, after }: Pick<HistoryEdit, 'before' | 'after'>): Deed {
  if (isNothing(before)) return 'added';
  return isNothing(after) ? 'forgotten' : 'changed';
}

export function titleOf({ before, after }: Pick<HistoryEdit, 'before' | 'after'>): string {
  for (const value of [after, before])
    if (isRecord(value)) {
      const name = NAMING.map((key) => value[key]).find(
        (text) => typeof text === 'string' && text !== '',
      );
      if (typeof name === 'string') return name;
    }
  return '';
}

export function diffsOf({ before, after }: Pick<HistoryEdit, 'before' | 'after'>): FieldDiff[] {
  if (!isRecord(before) || !isRecord(after)) {
    const [old, now] = [wordsOf(before), wordsOf(after)];
    return old === now ? [] : [{ field: '', before: old, after: now }];
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !SILENT.has(name) && asText(before[name]) !== asText(after[name]))
    .map((field) => ({ field, before: asText(before[field]), after: asText(after[field]) }));
}

function wordsOf(value: unknown): string {
  if (!isRecord(value)) return asText(value);
  const name = NAMING.map((key) => value[key]).find((text) => typeof text === 'string');
  return typeof name === 'string' ? name : asText(value);
}

function asText(value: unknown): string {
  if (isNothing(value)) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(', ');
  return JSON.stringify(value) ?? '';
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
