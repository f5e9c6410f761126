/**
 * The texts that a person edits, memory.md and the rules (M19), each with its draft: they live
 * outside the views, so that looking at something else loses nothing, and are kept beyond the page
 * until they are saved or discarded. One save at a time; what is typed while it is under way stays.
 */
import { create } from 'zustand';
import type { Saved, VersionedText } from '../../core/usecases/contract.ts';
import { asBridgeError } from './app-store.ts';
import { type DraftKind, keptDrafts } from './kept-drafts.ts';
import {
  baseVersion,
  type Draft,
  type DraftEvent,
  draftFromBefore,
  isDirty,
  newDraft,
  nextDraft,
  onDisk,
} from './text-draft.ts';

/**
 * What is kept of a draft. `base`: the version that it was made from; its text stands on disk, or
 * is a conflict at the next save, as one that is open is again.
 */
interface KeptText {
  base: string;
  text: string;
}

export interface TextDrafts {
  /** For a view; undefined until the text was read. */
  useDraft(document: string): Draft | undefined;
  /** All of them, by document. */
  useDrafts(): Record<string, Draft>;
  of(document: string): Draft | undefined;
  tell(document: string, event: DraftEvent): void;
  /** Also where it cannot be read any more what stands on disk. Gives back how to have it again. */
  discard(document: string): () => void;
  /** undefined: there was nothing to save, or the draft says why it was not saved. */
  save(
    document: string,
    send: (text: string, base: string) => Promise<Saved>,
  ): Promise<Extract<Saved, { saved: true }> | undefined>;
}

function textDrafts(kind: DraftKind): TextDrafts {
  const useDrafts = create<Record<string, Draft>>(() => ({}));
  const of = (document: string) => useDrafts.getState()[document];

  /** One from before, against what this page may have read already. */
  function takeUp(document: string, { text, base }: KeptText): void {
    const read = of(document);
    if (read !== undefined && (read.isSaving || isDirty(read))) return;
    const disk = read === undefined ? null : onDisk(read);
    useDrafts.setState({ [document]: draftFromBefore(text, base) });
    if (disk !== null) tell(document, { kind: 'loaded', disk });
  }
  keptDrafts.onTakenUp(() => {
    for (const [document, kept] of Object.entries(keptDrafts.take(kind, isKeptText)))
      takeUp(document, kept);
  });

  function tell(document: string, event: DraftEvent): void {
    const before = of(document);
    if (before === undefined && event.kind !== 'loaded') return;
    const draft =
      before === undefined
        ? newDraft((event as { disk: VersionedText }).disk)
        : nextDraft(before, event);
    useDrafts.setState({ [document]: draft });
    const { base, text } = draft;
    if (isDirty(draft)) {
      if (event.kind !== 'loaded')
        keptDrafts.keep(kind, document, { base: base.version, text } satisfies KeptText);
    } else if (before !== undefined && isDirty(before)) keptDrafts.keep(kind, document, null);
  }

  function discard(document: string): () => void {
    const draft = of(document);
    if (draft === undefined || draft.isSaving) return () => undefined;
    if (onDisk(draft) !== null) tell(document, { kind: 'discarded' });
    else {
      const { [document]: _, ...others } = useDrafts.getState();
      useDrafts.setState(others, true);
      keptDrafts.keep(kind, document, null);
    }
    return () => {
      if (of(document) === undefined) useDrafts.setState({ [document]: draft });
      tell(document, { kind: 'broughtBack', draft });
    };
  }

  return {
    useDraft: (document) => useDrafts((drafts) => drafts[document]),
    useDrafts: () => useDrafts(),
    of,
    tell,
    discard,
    async save(document, send) {
      const draft = of(document);
      if (draft === undefined || draft.isSaving || !isDirty(draft)) return undefined;
      const sent = draft.text;
      tell(document, { kind: 'saving' });
      try {
        const outcome = await send(sent, baseVersion(draft));
        tell(document, { kind: 'saved', sent, outcome });
        return outcome.saved ? outcome : undefined;
      } catch (error) {
        tell(document, { kind: 'failed', message: asBridgeError(error).said });
        return undefined;
      }
    },
  };
}

function isKeptText(value: unknown): value is KeptText {
  const { base, text } = (value ?? {}) as Partial<KeptText>;
  return typeof text === 'string' && typeof base === 'string';
}

/** By project. */
export const memoryMdDrafts = textDrafts('memory.md');
/** By project, '' for all. */
export const rulesDrafts = textDrafts('rules');
