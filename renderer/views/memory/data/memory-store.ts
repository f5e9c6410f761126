/**
 * What a person has begun and not finished (M19): each open form, and how the editor and the lists
 * stood. It lives outside the views, so that looking at something else loses nothing, and forms are
 * kept beyond the page until they are saved or discarded.
 */
import { create } from 'zustand';
import { keptDrafts } from '../../../store/kept-drafts.ts';

export interface FormDraft {
  /** As typed. */
  values: Record<string, string>;
  /**
   * As it was when the typing began, and its version: a save is held against that, whatever was
   * read since.
   */
  initial: Record<string, string>;
  version: string;
  /** The kind of a new fact. */
  part?: string;
}

interface MemoryState {
  /** Forms that were begun, by project and item. */
  forms: Record<string, FormDraft>;
  /** How the editor stood: cursor and undo, by project. */
  editors: Record<string, unknown>;
  /** The one that was open last. */
  tab: string;
  /** How the parts of a view are filtered, by part. */
  filters: Record<string, { words: string; part: string; isAll: boolean }>;
}

export const NO_FILTER = { words: '', part: '', isAll: false };

export const useMemoryStore = create<MemoryState>(() => ({
  forms: {},
  editors: {},
  tab: 'text',
  filters: {},
}));

// What is being typed already is newer than what was kept.
keptDrafts.onTakenUp(() => {
  const kept = keptDrafts.take('form', isFormDraft);
  useMemoryStore.setState(({ forms }) => ({ forms: { ...kept, ...forms } }));
});

export function keepEditor(project: string, state: unknown): void {
  useMemoryStore.setState(({ editors }) => ({ editors: { ...editors, [project]: state } }));
}

export function setFilter(part: string, filter: Partial<typeof NO_FILTER>): void {
  useMemoryStore.setState(({ filters }) => ({
    filters: { ...filters, [part]: { ...NO_FILTER, ...filters[part], ...filter } },
  }));
}

/** `null` forgets the form. */
export function keepForm(key: string, draft: FormDraft | null): void {
  const isBegun =
    draft !== null &&
    Object.entries(draft.values).some(([name, value]) => value !== (draft.initial[name] ?? ''));
  keptDrafts.keep('form', key, isBegun ? draft : null);
  useMemoryStore.setState(({ forms }) => {
    const { [key]: _, ...others } = forms;
    return { forms: draft === null ? others : { ...others, [key]: draft } };
  });
}

function isFormDraft(value: unknown): value is FormDraft {
  const { values, initial, version, part = '' } = (value ?? {}) as Partial<FormDraft>;
  return (
    isTexts(values) && isTexts(initial) && typeof version === 'string' && typeof part === 'string'
  );
}

function isTexts(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => typeof text === 'string')
  );
}
