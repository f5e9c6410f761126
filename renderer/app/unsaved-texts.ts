/**
 * What was typed and not saved, in this page or before it (M19): the drafts of all kinds come in,
 * one list goes out, each with its project, the place where it was typed, and its words, so that
 * none is out of reach when its item or its project is gone.
 */
import type { Place } from '../store/app-store.ts';
import type { DraftKind } from '../store/kept-drafts.ts';
import { type Draft, isDirty } from '../store/text-draft.ts';
import { memoryMdDrafts, rulesDrafts } from '../store/text-drafts.ts';
import { type FormDraft, keepForm, useMemoryStore } from '../views/memory/data/memory-store.ts';

export interface UnsavedText {
  kind: DraftKind;
  document: string;
  /** Its root; '' for all. */
  project: string;
  /** The id of a fact or a concept; '' for one that is new, and for what is no item. */
  item: string;
  place: Place;
  text: string;
}

export function useUnsavedTexts(): UnsavedText[] {
  const memoryMd = memoryMdDrafts.useDrafts();
  const rules = rulesDrafts.useDrafts();
  const forms = useMemoryStore((state) => state.forms);
  return [
    ...textsOf('memory.md', memoryMd, { view: 'memory', tab: 'text' }),
    ...textsOf('rules', rules, { view: 'settings', tab: 'rules' }),
    ...Object.entries(forms).flatMap(([document, form]) => formOf(document, form)),
  ];
}

function textsOf(kind: DraftKind, drafts: Record<string, Draft>, place: Place): UnsavedText[] {
  return Object.entries(drafts)
    .filter(([, draft]) => isDirty(draft))
    .map(([document, { text }]) => ({ kind, document, project: document, item: '', place, text }));
}

export function formOf(document: string, { values, initial }: FormDraft): UnsavedText[] {
  const changed = Object.entries(values).filter(([name, value]) => value !== (initial[name] ?? ''));
  if (changed.length === 0) return [];
  const end = document.lastIndexOf('\n');
  const name = document.slice(end + 1);
  const isNew = name.startsWith('new ');
  const isPermanent = name === 'new permanent' || /^[rsl]\d/.test(name); // as ids of rules, solutions and core logic begin
  const tab = 'name' in values ? 'concepts' : isPermanent ? 'permanent' : 'facts';
  const item = isNew ? '' : name;
  return [
    {
      kind: 'form',
      document,
      project: document.slice(0, end),
      item,
      place: { view: 'memory', tab, ...(item !== '' && { item }) },
      text: changed.map(([, value]) => value).join('\n'),
    },
  ];
}

/** Gives back how to have it again. */
export function discardText({
  kind,
  document,
}: Pick<UnsavedText, 'kind' | 'document'>): () => void {
  if (kind === 'memory.md') return memoryMdDrafts.discard(document);
  if (kind === 'rules') return rulesDrafts.discard(document);
  const form = useMemoryStore.getState().forms[document] ?? null;
  keepForm(document, null);
  return () => keepForm(document, form);
}
