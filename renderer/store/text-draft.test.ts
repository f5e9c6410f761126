import { describe, expect, it } from 'vitest';
import { message } from '../../core/usecases/messages.ts';
import {
  baseVersion,
  type Draft,
  type DraftEvent,
  draftFromBefore,
  isDirty,
  newDraft,
  nextDraft,
} from './text-draft.ts';

const disk = (text: string, version: string) => ({ text, version });
const through = (draft: Draft, ...events: DraftEvent[]) => events.reduce(nextDraft, draft);
const typed = (text: string): DraftEvent => ({ kind: 'typed', text });
const loaded = (text: string, version: string): DraftEvent => ({
  kind: 'loaded',
  disk: disk(text, version),
});
const conflictOf = (merged: string | null = null) =>
  through(
    newDraft(disk('base', '1')),
    typed('mine'),
    { kind: 'saving' },
    {
      kind: 'saved',
      sent: 'mine',
      outcome: { saved: false, theirs: 'theirs', version: '2', merged },
    },
  );

describe('a draft of memory.md or of the rules', () => {
  it('M19 a change on disk is taken as long as nothing was typed', () => {
    const draft = through(newDraft(disk('a', '1')), loaded('b', '2'));
    expect(draft).toMatchObject({ text: 'b', newer: null });
    expect(isDirty(draft)).toBe(false);
  });

  it('M19 a change on disk never replaces what was typed, and is told', () => {
    const draft = through(newDraft(disk('a', '1')), typed('mine'), loaded('b', '2'));
    expect(draft).toMatchObject({ text: 'mine', newer: disk('b', '2') });
    expect(baseVersion(draft)).toBe('1');
  });

  it('M19 the same words on disk are no conflict', () => {
    expect(isDirty(through(newDraft(disk('a', '1')), typed('b'), loaded('b', '2')))).toBe(false);
  });

  it('M19 what is typed while it is being saved stays, and is not saved yet', () => {
    const draft = through(newDraft(disk('a', '1')), typed('ab'), { kind: 'saving' }, typed('abc'), {
      kind: 'saved',
      sent: 'ab',
      outcome: { saved: true, version: '2' },
    });
    expect(draft).toMatchObject({ text: 'abc', base: disk('ab', '2'), isSaving: false });
    expect(isDirty(draft)).toBe(true);
  });

  it('M19 an event that comes in the middle of a save changes nothing', () => {
    const saving = through(newDraft(disk('a', '1')), typed('b'), { kind: 'saving' });
    expect(nextDraft(saving, loaded('c', '9'))).toBe(saving);
  });

  it('M19 a conflict holds both versions, and the result is saved against the new one', () => {
    const draft = conflictOf('merged');
    expect(draft.conflict).toEqual({
      mine: 'mine',
      theirs: 'theirs',
      version: '2',
      merged: 'merged',
    });
    expect(baseVersion(draft)).toBe('2');
    const done = through(
      draft,
      typed('merged'),
      { kind: 'saving' },
      {
        kind: 'saved',
        sent: 'merged',
        outcome: { saved: true, version: '3' },
      },
    );
    expect(done).toMatchObject({ text: 'merged', base: disk('merged', '3'), conflict: null });
    expect(isDirty(done)).toBe(false);
  });

  it('M19 a conflict whose sides do not touch begins with both, unless more was typed meanwhile', () => {
    expect(conflictOf('merged').text).toBe('merged');
    expect(conflictOf(null).text).toBe('mine');
    const outcome = { saved: false, theirs: 'theirs', version: '2', merged: 'merged' } as const;
    const typing = through(
      newDraft(disk('base', '1')),
      typed('mine'),
      { kind: 'saving' },
      typed('mine and more'),
    );
    expect(nextDraft(typing, { kind: 'saved', sent: 'mine', outcome }).text).toBe('mine and more');
  });

  it('M19 whatever is chosen in a conflict, what was typed is still there', () => {
    expect(through(conflictOf(), typed('theirs')).conflict?.mine).toBe('mine');
  });

  it('M19 a third version while a conflict is open is told, and not written over: the result is saved against the one that was seen', () => {
    const draft = through(conflictOf('merged'), typed('result'), loaded('newest', '5'));
    expect(draft).toMatchObject({
      text: 'result',
      newer: disk('newest', '5'),
      conflict: conflictOf('merged').conflict,
    });
    expect(baseVersion(draft)).toBe('2');
    const outcome = { saved: false, theirs: 'newest', version: '5', merged: 'all' } as const;
    const again = through(draft, { kind: 'saving' }, { kind: 'saved', sent: 'result', outcome });
    expect(again).toMatchObject({
      newer: null,
      conflict: { mine: 'result', theirs: 'newest', version: '5', merged: 'all' },
    });
    expect(through(draft, loaded('theirs', '2')).newer).toBeNull();
  });

  it('M19 a conflict whose two sides say the same is none', () => {
    const outcome = { saved: false, theirs: 'mine', version: '2', merged: null } as const;
    const draft = through(newDraft(disk('a', '1')), typed('mine'), {
      kind: 'saved',
      sent: 'mine',
      outcome,
    });
    expect(isDirty(draft)).toBe(false);
    const more = through(newDraft(disk('a', '1')), typed('mine'), typed('mine and more'), {
      kind: 'saved',
      sent: 'mine',
      outcome,
    });
    expect(more).toMatchObject({ base: disk('mine', '2'), text: 'mine and more', conflict: null });
  });

  it('M19 what is chosen in a conflict can be edited on, and is saved against the version that was seen', () => {
    const settled = through(conflictOf(), { kind: 'settled', text: 'mine' });
    expect(settled).toMatchObject({ text: 'mine', base: disk('theirs', '2'), conflict: null });
    expect(isDirty(through(conflictOf(), { kind: 'settled', text: 'theirs' }))).toBe(false);
    const later = through(conflictOf(), loaded('newest', '5'), { kind: 'settled', text: 'mine' });
    expect([baseVersion(later), later.newer]).toEqual(['2', disk('newest', '5')]);
  });

  it('M19 what came of a save is shown: rules that were emptied are the default ones', () => {
    const outcome = { saved: true, version: '2' } as const;
    const emptied = through(
      newDraft(disk('mine', '1')),
      typed(''),
      { kind: 'saving' },
      { kind: 'saved', sent: '', outcome },
    );
    expect(through(emptied, loaded('the default rules', '2')).text).toBe('the default rules');
  });

  it('M19 discarding takes what stands on disk', () => {
    expect(through(newDraft(disk('a', '1')), typed('b'), { kind: 'discarded' })).toEqual(
      newDraft(disk('a', '1')),
    );
    expect(through(conflictOf(), { kind: 'discarded' })).toEqual(newDraft(disk('theirs', '2')));
    for (const draft of [conflictOf(), through(newDraft(disk('a', '1')), typed('b'))])
      expect(through(draft, loaded('newest', '5'), { kind: 'discarded' })).toEqual(
        newDraft(disk('newest', '5')),
      );
  });

  it('M19 a draft from before is not discarded for a text that nobody has read yet', () => {
    const draft = draftFromBefore('mine', '1');
    expect(through(draft, { kind: 'discarded' })).toBe(draft);
    expect(through(draft, loaded('a', '1'), { kind: 'discarded' })).toEqual(
      newDraft(disk('a', '1')),
    );
    expect(through(draft, loaded('b', '2'), { kind: 'discarded' })).toEqual(
      newDraft(disk('b', '2')),
    );
  });

  it('M19 what was discarded comes back against what it was made from, so that nothing newer is written over', () => {
    const draft = through(newDraft(disk('a', '1')), typed('mine'));
    expect(through(draft, { kind: 'discarded' }, { kind: 'broughtBack', draft })).toEqual(draft);
    const later = through(draft, { kind: 'discarded' }, loaded('b', '2'), {
      kind: 'broughtBack',
      draft,
    });
    expect(later).toMatchObject({ text: 'mine', newer: disk('b', '2') });
    expect(baseVersion(later)).toBe('1');
  });

  it('M19 a failed save keeps the draft and tells why', () => {
    const draft = through(
      newDraft(disk('a', '1')),
      typed('b'),
      { kind: 'saving' },
      { kind: 'failed', message: message('archive.diskFull') },
    );
    expect(draft).toMatchObject({ text: 'b', isSaving: false, error: message('archive.diskFull') });
  });
});
