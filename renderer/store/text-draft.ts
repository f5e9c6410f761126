/**
 * What becomes of a text that a person edits while others may write it too (M19): events come in,
 * the next state goes out. A draft is never given up but by the person: a text that changed on disk
 * under it is a conflict with both versions, and the way out of it is saved against the new
 * version.
 */

import type { Saved, VersionedText } from '../../core/usecases/contract.ts';
import type { Message } from '../../core/usecases/messages.ts';

export interface Conflict {
  /** What the person had when it came to light; kept whatever is chosen. */
  mine: string;
  theirs: string;
  /** The version that the result is saved against. */
  version: string;
  /** Both, where they do not touch. */
  merged: string | null;
}

/**
 * `text` null: the draft is from before, and what it was made from was not read in this page yet.
 */
type Base = VersionedText | { version: string; text: null };

export interface Draft {
  /** As it was on disk when the draft was begun. */
  base: Base;
  text: string;
  isSaving: boolean;
  conflict: Conflict | null;
  /**
   * What stands on disk, if that is newer than what the draft, or the conflict that is open, was
   * made from: saving will show both.
   */
  newer: VersionedText | null;
  error: Message | null;
}

export type DraftEvent =
  | { kind: 'loaded'; disk: VersionedText }
  | { kind: 'typed'; text: string }
  | { kind: 'discarded' }
  /** What was discarded comes back, against what it was made from. */
  | { kind: 'broughtBack'; draft: Draft }
  /** Out of a conflict, with this text, which is saved against the new version. */
  | { kind: 'settled'; text: string }
  | { kind: 'saving' }
  | { kind: 'saved'; sent: string; outcome: Saved }
  | { kind: 'failed'; message: Message };

export function newDraft(disk: VersionedText): Draft {
  return { base: disk, text: disk.text, isSaving: false, conflict: null, newer: null, error: null };
}

/** One that was kept beyond its page. */
export function draftFromBefore(text: string, base: string): Draft {
  return { ...newDraft({ text, version: base }), base: { version: base, text: null } };
}

/** What a save is to be held against. */
export function baseVersion(draft: Draft): string {
  return draft.conflict?.version ?? draft.base.version;
}

export function isDirty(draft: Draft): boolean {
  return draft.conflict !== null || draft.text !== draft.base.text;
}

export function nextDraft(draft: Draft, event: DraftEvent): Draft {
  switch (event.kind) {
    case 'loaded':
      return loaded(draft, event.disk);
    case 'typed':
      return { ...draft, text: event.text, error: null };
    case 'discarded':
      return discarded(draft);
    case 'broughtBack':
      return broughtBack(event.draft, onDisk(draft));
    case 'settled':
      return {
        ...draft,
        ...(draft.conflict !== null && { base: theirsOf(draft.conflict) }),
        text: event.text,
        conflict: null,
      };
    case 'saving':
      return { ...draft, isSaving: true, error: null };
    case 'saved':
      return saved(draft, event.sent, event.outcome);
    case 'failed':
      return { ...draft, isSaving: false, error: event.message };
  }
}

/** What a discard leaves; null as long as it is not known. */
export function onDisk({ newer, conflict, base }: Draft): VersionedText | null {
  return newer ?? (conflict !== null ? theirsOf(conflict) : base.text !== null ? base : null);
}

function discarded(draft: Draft): Draft {
  const disk = onDisk(draft);
  return disk === null ? draft : newDraft(disk);
}

function broughtBack(draft: Draft, disk: VersionedText | null): Draft {
  return disk === null ? draft : loaded(draft, disk);
}

function theirsOf({ theirs, version }: Conflict): VersionedText {
  return { text: theirs, version };
}

/**
 * A newer text on disk: taken as it is where nothing would be lost; else it comes to light at the
 * next save. In a conflict that is open, too: the result was made without it, and must not be saved
 * over it.
 */
function loaded(draft: Draft, disk: VersionedText): Draft {
  if (draft.isSaving) return draft;
  // The same words by another way are no conflict.
  if (draft.conflict === null && (!isDirty(draft) || draft.text === disk.text))
    return newDraft(disk);
  if (disk.version !== baseVersion(draft)) return { ...draft, newer: disk };
  return { ...draft, newer: null, ...(draft.conflict === null && { base: disk }) };
}

function saved(draft: Draft, sent: string, outcome: Saved): Draft {
  if (outcome.saved)
    return { ...newDraft({ text: sent, version: outcome.version }), text: draft.text };
  const { theirs, version, merged } = outcome;
  if (theirs === sent) return { ...newDraft({ text: theirs, version }), text: draft.text };
  // Whoever just saves once more loses neither side. What was typed since the save is not replaced
  // under the person's hands.
  const text = merged !== null && draft.text === sent ? merged : draft.text;
  return {
    ...draft,
    text,
    isSaving: false,
    newer: null,
    error: null,
    conflict: { mine: draft.text, theirs, version, merged },
  };
}
