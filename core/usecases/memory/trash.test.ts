/** The trash for people (T8): listed, put back, emptied, and noted in Activity. */
import { expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { readActivity } from '../../clear/activity.ts';
import { readL1Range } from '../../memory/log/l1-store.ts';
import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { compress } from '../../memory/tiers/compress.ts';
import { message } from '../../messages/message.ts';
import { changeSetting } from '../../settings/settings.ts';
import { noteRetention } from '../hooks/note-retention.ts';
import { emptyTrash, restoreTrash, trashRows } from './trash.ts';

/** Three sessions that went to the trash. */
function trashed(): MadeMemory {
  const made = new MadeMemory();
  for (const day of ['2026-11-02', '2026-11-03', '2026-11-04']) {
    made.goTo(day);
    made.say(day, { user: `Work of ${day}.` });
    made.end(day);
  }
  changeSetting({ places: made.places }, 'retention.l1Days', 30);
  tidyUp(made, '2026-12-10');
  return made;
}

function tidyUp({ places, memory, settings }: MadeMemory, day: string): void {
  const { retention } = compress(memory, settings, new Date(`${day}T12:00:00Z`));
  noteRetention({ places, memory, settings }, retention);
}

const noted = ({ places }: MadeMemory) =>
  readActivity(places, 10).map(({ what, figures, note, project }) => ({
    what,
    files: figures?.files,
    note,
    project,
  }));

it('T8 G2 each move to the trash and each removal is noted with its count and reason', () => {
  const made = trashed();
  tidyUp(made, '2026-12-11');
  tidyUp(made, '2027-01-11');
  const project = made.root;
  expect(noted(made)).toEqual([
    {
      what: 'trashed',
      files: 3,
      note: message('memory.trashedByAge', { days: 30, trashDays: 30 }),
      project,
    },
    {
      what: 'trashRemoved',
      files: 3,
      note: message('memory.trashTimeOver', { trashDays: 30 }),
      project,
    },
  ]);
});

it('T8 tells what lies in it, when it went and when it will be gone', () => {
  const { places, memory } = trashed();
  expect(trashRows(places, memory)).toMatchObject([
    { stem: expect.stringMatching(/^2026-11-02_/), wentOn: '2026-12-10', goneOn: '2027-01-10' },
    { stem: expect.stringMatching(/^2026-11-03_/) },
    { stem: expect.stringMatching(/^2026-11-04_/) },
  ]);
});

it('T8 puts back what is named, then all; what is not in it is refused and nothing happens', () => {
  const made = trashed();
  const { places, memory } = made;
  const [first] = trashRows(places, memory);
  const names = [first?.stem ?? '', 'nothing'];
  expect(() => restoreTrash(places, memory, names)).toThrow('memory.notInTrash');
  expect(trashRows(places, memory)).toHaveLength(3);
  expect(restoreTrash(places, memory, names.slice(0, 1)).restored).toEqual([first]);
  expect(restoreTrash(places, memory, undefined).restored).toHaveLength(2);
  for (const { file } of Object.values(readMemoryIndex(memory).sessions))
    expect(readL1Range(memory, file)).toHaveLength(1);
  expect(noted(made).slice(1)).toMatchObject([
    { what: 'trashRestored', files: 1 },
    { what: 'trashRestored', files: 2 },
  ]);
});

it('T8 is emptied at once, and that is noted', () => {
  const made = trashed();
  expect(emptyTrash(made.places, made.memory)).toMatchObject({ files: 3 });
  expect(trashRows(made.places, made.memory)).toEqual([]);
  expect(noted(made).at(-1)).toMatchObject({
    what: 'trashRemoved',
    files: 3,
    note: message('memory.trashEmptied'),
  });
});
