import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HomeOf010 } from '../../../tests/fixtures/home-of-0.1.0.ts';
import { readActivity } from '../../clear/activity.ts';
import { judgeForeignNotes, listForeignNotes } from '../../memory/foreign/foreign-notes.ts';
import { ADOPTABLE } from '../../memory/portable/adopt-earlier.ts';
import { placesFrom } from '../../platform/store/places.ts';
import { projectMemory } from '../../projects/project-memory.ts';
import { adoptOffered, listEarlier, offerAgain, previewOffered, refuseOffered } from './earlier.ts';

function home() {
  const at = new HomeOf010();
  const env = { HOME: at.home };
  const system = { places: placesFrom(env), env };
  const memory = projectMemory(system.places, at.shop, env);
  const path = join(at.shop, '.claude');
  const notes = () => readActivity(system.places, 9).map(({ note }) => note);
  const list = () => listEarlier(system, memory);
  return { at, ...system, system, memory, path, notes, list };
}

describe('what 0.1.0 left in a project and nothing proves', () => {
  it('M1 T1 is offered once the rest has moved, which the activity log says', () => {
    const { list, path, memory, notes, system } = home();
    expect(list()).toMatchObject([
      { path, isRefused: false, left: { sessions: 1, edits: 23, rules: true, settings: true } },
    ]);
    list();
    const moved = { code: 'memory.earlierMoved', values: { count: 9 } };
    expect(notes().slice(-1)).toEqual([moved]);
    expect(notes().filter((note) => JSON.stringify(note) === JSON.stringify(moved))).toHaveLength(
      1,
    );
    expect(previewOffered(system, memory, path)).toMatchObject({ sessions: 1, entries: 4 });
  });

  it('T1 is taken over in parts, and the offer ends with the last of them', () => {
    const { list, path, memory, notes, system } = home();
    list();
    adoptOffered(system, memory, path, ['sessions', 'rules']);
    expect(list()).toMatchObject([{ left: { sessions: 0, edits: 23, rules: false } }]);
    expect(notes().at(-1)).toMatchObject({
      code: 'memory.earlierAdopted',
      values: { parts: [{ code: 'memory.earlierSessions' }, { code: 'memory.earlierRules' }] },
    });
    adoptOffered(system, memory, path, ['edits', 'settings']);
    expect(list()).toEqual([]);
  });

  it('T1 that is not the user’s is refused for good, also when it changes', () => {
    const { at, list, path, memory, system } = home();
    list();
    refuseOffered(system, memory, path);
    expect(list()).toMatchObject([{ isRefused: true }]);
    expect(() => adoptOffered(system, memory, path, ['rules'])).toThrow('memory.earlierRefused');
    writeFileSync(join(at.shop, '.claude/memory/journal.jsonl'), '\n', { flag: 'a' });
    expect(list()).toMatchObject([{ isRefused: true }]);
    offerAgain(system, memory, path);
    expect(list()).toMatchObject([{ isRefused: false }]);
  });

  it('T1 is named by nobody but this project: another path is refused', () => {
    const { at, memory, system, list } = home();
    list();
    const act = () => previewOffered(system, memory, join(at.notes, '.claude'));
    expect(act).toThrow('memory.earlierNone');
  });

  it('M1 T1 is no foreign note once it is the user’s own', () => {
    const { list, path, memory, system, places } = home();
    list();
    expect(listForeignNotes(places, memory).notes.length).toBeGreaterThan(0);
    adoptOffered(system, memory, path, ADOPTABLE);
    const open = judgeForeignNotes(places, memory).notes.filter(({ state }) => state === 'open');
    expect(open).toEqual([]);
  });
});
