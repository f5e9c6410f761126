/** What retention takes away can be had back for a while (T8). */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { killedAt } from '../../../tests/bed/simulated-kill.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { changeSetting } from '../../settings/settings.ts';
import { readL1Range } from '../log/l1-store.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { listMemoryFiles } from '../portable/contents.ts';
import { compress } from './compress.ts';
import { goneOn, listTrash, removeForGood, restoreFromTrash, trashFolder } from './trash.ts';

/** Two sessions of November, the first one with words that only it has. */
function made({ l1Days = 30, trashDays = 30 } = {}): MadeMemory {
  const memory = new MadeMemory();
  for (const day of ['2026-11-02', '2026-11-20']) {
    memory.goTo(day);
    memory.say(day, { user: `Work of ${day}.` }, { assistant: 'Done.' });
    memory.end(day);
  }
  changeSetting({ places: memory.places }, 'retention.l1Days', l1Days);
  changeSetting({ places: memory.places }, 'retention.trashDays', trashDays);
  changeSetting({ places: memory.places }, 'retention.rawCopy', true);
  return memory;
}

const fileOf = ({ memory }: MadeMemory, session: string) =>
  readMemoryIndex(memory).sessions[session]?.file ?? '';
const said = (project: MadeMemory, session: string) =>
  readL1Range(project.memory, fileOf(project, session));
const tidyUp = (project: MadeMemory, day: string) =>
  compress(project.memory, project.settings, new Date(`${day}T12:00:00Z`)).retention;
const names = (project: MadeMemory) => listTrash(project.memory).map(({ name }) => name);

/** Both sessions are summed up and copied, and the first one has gone to the trash. */
function trashed(options?: { l1Days?: number; trashDays?: number }): MadeMemory {
  const project = made(options);
  tidyUp(project, '2026-11-20');
  tidyUp(project, '2026-12-06');
  return project;
}

/** Every file of memory and trash, by content, whatever its name is. */
function everything({ memory }: MadeMemory): Set<string> {
  const files = readdirSync(dirname(memory.sessions), { recursive: true, withFileTypes: true });
  const texts = files
    .filter((entry) => entry.isFile() && /^\d.*jsonl(\.gz)?$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('base64'));
  return new Set(texts);
}

describe('the trash', () => {
  it('T8 takes what retention takes out of the memory, and tells how much that is', () => {
    const project = made();
    tidyUp(project, '2026-11-20');
    const outcome = tidyUp(project, '2026-12-06');
    expect(outcome).toMatchObject({ trashed: { files: 2 }, removed: { files: 0, bytes: 0 } });
    expect([said(project, '2026-11-02'), said(project, '2026-11-20')?.length]).toEqual([
      undefined,
      2,
    ]);
    expect(names(project)).toEqual([
      expect.stringMatching(/^2026-11-02_\d{4}-[0-9a-f]{8}\.l1\.jsonl\.gz$/),
      expect.stringMatching(/^raw\/2026-11-02_\d{4}-[0-9a-f]{8}\.jsonl\.gz$/),
    ]);
    expect(listTrash(project.memory)[0]).toMatchObject({ wentOn: '2026-12-06', isRawCopy: false });
    expect(tidyUp(project, '2026-12-07')).toMatchObject({ trashed: { files: 0 } });
  });

  it('T8 is read by nothing else: neither export nor the list of files knows it', () => {
    const { memory } = trashed();
    const exported = listMemoryFiles(memory);
    expect([...exported.files.map(({ name }) => name), ...exported.leftOut].join()).not.toMatch(
      /trash|2026-11-02_\d{4}\.(l1\.)?jsonl/,
    );
    expect(readFileSync(join(trashFolder(memory), '.gitignore'), 'utf8')).toMatch(/^\*$/m);
  });

  it('T8 keeps it for all of its days, then it is gone for good', () => {
    const project = trashed({ trashDays: 10 });
    const [file] = listTrash(project.memory);
    expect(file && goneOn(file, 10)).toBe('2026-12-17');
    expect(tidyUp(project, '2026-12-16').removed.files).toBe(0);
    expect(names(project)).toHaveLength(2);
    expect(tidyUp(project, '2026-12-17').removed.files).toBe(2);
    expect(names(project)).toEqual([]);
    expect(readdirSync(trashFolder(project.memory))).toEqual(['.gitignore']);
  });

  it('T8 gives everything back as it was, and keeps that as long again', () => {
    const project = made();
    tidyUp(project, '2026-11-20');
    const before = said(project, '2026-11-02');
    tidyUp(project, '2026-12-06');
    const files = listTrash(project.memory);
    const result = restoreFromTrash(project.memory, files, new Date('2026-12-08T12:00:00Z'));
    expect(result).toEqual({ restored: files, taken: [] });
    expect(said(project, '2026-11-02')).toEqual(before);
    expect([tidyUp(project, '2026-12-09').trashed.files, names(project)]).toEqual([0, []]);
    expect(said(project, '2026-11-02')).toEqual(before);
    tidyUp(project, '2027-01-06');
    expect(said(project, '2026-11-02')).toEqual(before);
    tidyUp(project, '2027-01-08');
    expect(said(project, '2026-11-02')).toBeUndefined();
    expect(names(project).filter((name) => name.startsWith('2026-11-02'))).toHaveLength(1);
  });

  it('T8 replaces nothing: a file whose name was taken meanwhile stays in the trash', () => {
    const project = trashed();
    const [file] = listTrash(project.memory);
    const name = file?.name ?? '';
    writeFileSync(join(project.memory.sessions, name), 'another one');
    const { restored, taken } = restoreFromTrash(project.memory, listTrash(project.memory));
    expect([restored.map((one) => one.isRawCopy), taken.map((one) => one.name)]).toEqual([
      [true],
      [name],
    ]);
    expect(readFileSync(join(project.memory.sessions, name), 'utf8')).toBe('another one');
    expect(names(project)).toEqual([name]);
  });

  it('T8 keeps two files apart that have the same name and go on the same day', () => {
    const project = trashed();
    const [file] = listTrash(project.memory);
    writeFileSync(join(project.memory.sessions, file?.name ?? ''), 'another one');
    tidyUp(project, '2026-12-06');
    const same = listTrash(project.memory).filter(({ name }) => name === file?.name);
    expect(same.map(({ wentOn }) => wentOn)).toEqual(['2026-12-06', '2026-12-06']);
    expect(new Set(same.map(({ path }) => readFileSync(path).toString('base64'))).size).toBe(2);
  });

  it('T8 M12 counts from the last word, not from the day on which a long session began', () => {
    const project = made();
    project.goTo('2026-11-25');
    project.say('2026-11-02', { user: 'Here I am again.' });
    tidyUp(project, '2026-12-03'); // compressed
    expect(tidyUp(project, '2026-12-19').trashed.files).toBe(0);
    expect(said(project, '2026-11-02')).toHaveLength(3);
    tidyUp(project, '2026-12-26');
    expect(said(project, '2026-11-02')).toBeUndefined();
  });

  it('T8 leaves alone what is not its own, and follows no link', () => {
    const project = trashed({ trashDays: 1 });
    const trash = trashFolder(project.memory);
    const outside = tempFolder();
    mkdirSync(join(outside, '2020-01-01'));
    for (const path of [
      join(outside, '2020-01-01', '2020-01-01_0900.l1.jsonl'),
      join(trash, 'mine.txt'),
    ])
      writeFileSync(path, 'mine');
    mkdirSync(join(trash, '2020-01-01'));
    writeFileSync(join(trash, '2020-01-01', 'notes.md'), 'mine');
    expect(tidyUp(project, '2027-06-01').removed.files).toBe(2);
    expect(existsSync(join(trash, '2020-01-01', 'notes.md'))).toBe(true);
    expect(existsSync(join(trash, 'mine.txt'))).toBe(true);
  });

  it.each([
    ['moves to the trash', () => made(), (project: MadeMemory) => tidyUp(project, '2026-12-06')],
    [
      'restores',
      () => trashed(),
      ({ memory }: MadeMemory) =>
        restoreFromTrash(memory, listTrash(memory), new Date('2026-12-07')),
    ],
  ])(
    'T8 M21 killed at any step while it %s, no word is lost, and the next run finishes',
    async (_, start, action) => {
      for (let step = 0, isOver = false; !isOver; step++) {
        const project = start();
        if (listTrash(project.memory).length === 0) tidyUp(project, '2026-11-28'); // all compressed
        const before = everything(project);
        isOver = !(await killedAt(step, () => action(project))).isKilled;
        expect(everything(project)).toEqual(before);
        action(project);
        expect(everything(project)).toEqual(before);
      }
    },
  );

  it('T8 emptying removes all of it', () => {
    const project = trashed();
    expect(removeForGood(project.memory, listTrash(project.memory))).toHaveLength(2);
    expect(names(project)).toEqual([]);
  });
});
