import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { asOrdinaryUser } from '../../../tests/bed/ordinary-user.ts';
import { fullFrom } from '../../../tests/bed/simulated-kill.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { logText, message } from '../../messages/message.ts';
import { type DocumentKind, readDocument, updateDocument } from './document.ts';
import { listVersions, restoreNewestVersion } from './history.ts';

interface Notes {
  notes: string[];
}

const notesFile: DocumentKind<Notes> = {
  version: 3,
  schema: v.looseObject({ notes: v.array(v.string()) }),
  migrations: {
    1: ({ text, ...rest }) => ({ ...rest, list: [text] }),
    2: ({ list, ...rest }) => ({ ...rest, notes: list }),
  },
  empty: () => ({ notes: [] }),
  keepVersions: 3,
};

const add = (note: string) => (current: Notes) => ({ ...current, notes: [...current.notes, note] });

function fileWith(content: string): string {
  const path = join(tempFolder(), 'notes.json');
  writeFileSync(path, content);
  return path;
}

const parsed = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

describe('documents', () => {
  it('M2 are created by their first change', () => {
    const path = join(tempFolder(), 'sub', 'notes.json');
    expect(readDocument(path, notesFile)).toEqual({ state: 'missing', value: { notes: [] } });
    updateDocument(path, notesFile, add('one'));
    expect(parsed(path)).toEqual({ notes: ['one'], version: 3 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('M2 keep fields that this version does not know', () => {
    const path = fileWith('{"version":3,"notes":["one"],"colour":"red","deep":{"er":[1]}}');
    updateDocument(path, notesFile, add('two'));
    expect(parsed(path)).toEqual({
      version: 3,
      notes: ['one', 'two'],
      colour: 'red',
      deep: { er: [1] },
    });
  });

  it('M2 of an older version are migrated step by step, and only written when something changes', () => {
    const path = fileWith('{"version":1,"text":"old","colour":"red"}');
    expect(readDocument(path, notesFile)).toMatchObject({
      state: 'ok',
      value: { notes: ['old'], colour: 'red' },
    });
    expect(parsed(path).version).toBe(1);
    updateDocument(path, notesFile, add('new'));
    expect(parsed(path)).toEqual({ version: 3, notes: ['old', 'new'], colour: 'red' });
  });

  it.each([
    ['not JSON at all', '{"notes": ["one"', 'store.notJson'],
    ['a list', '[]', 'store.notObject'],
    ['of another shape', '{"notes": "one"}', 'store.badContent'],
    ['without a usable version', '{"version": "x", "notes": []}', 'store.badVersion'],
    ['empty', '', 'store.notJson'],
  ])(
    'M2 that are %s are told and left alone by reading, and set aside, never overwritten, by writing',
    (_, content, code) => {
      const path = fileWith(content);
      expect(readDocument(path, notesFile)).toMatchObject({
        state: 'broken',
        reason: { code, values: { file: basename(path) } },
      });
      expect(readFileSync(path, 'utf8')).toBe(content);
      const { setAside } = updateDocument(path, notesFile, add('fresh'));
      expect(readFileSync(setAside as string, 'utf8')).toBe(content);
      expect(parsed(path).notes).toEqual(['fresh']);
    },
  );

  it('M2 of a newer version are refused and stay as they are', () => {
    const content = '{"version":4,"notes":["from the future"]}';
    const path = fileWith(content);
    expect(readDocument(path, notesFile)).toMatchObject({ state: 'refused' });
    expect(() => updateDocument(path, notesFile, add('x'))).toThrow(
      logText(message('store.newer', { file: basename(path), version: 4, known: 3 })),
    );
    expect(readFileSync(path, 'utf8')).toBe(content);
  });

  it('M2 with a byte order mark are read', () => {
    expect(readDocument(fileWith('\uFEFF{"notes":["bom"]}'), notesFile)).toMatchObject({
      value: { notes: ['bom'] },
    });
  });

  it('of absurd size are refused without being read', () => {
    const path = fileWith('{}');
    truncateSync(path, 65 * 1024 * 1024);
    expect(readDocument(path, notesFile)).toEqual({
      state: 'refused',
      reason: message('store.tooLarge', { path, kilobytes: 64 * 1024 }),
    });
  });

  it('behind a link are changed where they really are', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'dotfiles'));
    symlinkSync(join(folder, 'dotfiles', 'notes.json'), join(folder, 'notes.json'));
    writeFileSync(join(folder, 'dotfiles', 'notes.json'), '{"notes":["one"]}');
    updateDocument(join(folder, 'notes.json'), notesFile, add('two'));
    expect(parsed(join(folder, 'dotfiles', 'notes.json')).notes).toEqual(['one', 'two']);
  });

  it('are not written when nothing changes', () => {
    const path = fileWith('{"notes":["one"],   "version":3}');
    expect(updateDocument(path, notesFile, (current) => current).value.notes).toEqual(['one']);
    expect(readFileSync(path, 'utf8')).toBe('{"notes":["one"],   "version":3}');
    const missing = join(path, '..', 'none.json');
    updateDocument(missing, notesFile, (current) => current);
    expect(existsSync(missing)).toBe(false);
  });

  it('stay as they are when the change itself fails', () => {
    const path = fileWith('{ broken');
    const failing = () => {
      throw new Error('no');
    };
    expect(() => updateDocument(path, notesFile, failing)).toThrow('no');
    expect(readFileSync(path, 'utf8')).toBe('{ broken');
    expect(readdirSync(join(path, '..'))).toEqual(['notes.json']);
  });

  it('M19 keep their newest earlier versions, and the last change can be undone', () => {
    const path = join(tempFolder(), 'notes.json');
    for (const note of ['a', 'b', 'c', 'd', 'e']) updateDocument(path, notesFile, add(note));
    expect(listVersions(path).map((version) => parsed(version).notes.join(''))).toEqual([
      'ab',
      'abc',
      'abcd',
    ]);
    expect(restoreNewestVersion(path)).toBe(true);
    expect(parsed(path).notes.join('')).toBe('abcd');
    expect(listVersions(path)).toHaveLength(2);
  });

  it('M19 the first change can be undone too', () => {
    const path = join(tempFolder(), 'notes.json');
    updateDocument(path, notesFile, add('a'));
    expect(restoreNewestVersion(path)).toBe(true);
    expect(existsSync(path)).toBe(false);
    expect(restoreNewestVersion(path)).toBe(false);
  });

  it('M19 history is not touched by editing the file in place', () => {
    const path = join(tempFolder(), 'notes.json');
    for (const note of ['a', 'b']) updateDocument(path, notesFile, add(note));
    writeFileSync(path, 'edited by hand');
    const [, kept] = listVersions(path);
    expect(parsed(kept as string).notes).toEqual(['a']);
  });

  it('that are not readable are refused with that reason', async () => {
    const path = fileWith('{"notes":[]}');
    chmodSync(join(path, '..'), 0o755);
    chmodSync(path, 0o000);
    const reading = await asOrdinaryUser(() => readDocument(path, notesFile));
    expect(reading).toEqual({
      state: 'refused',
      reason: message('store.noPermission', { path }),
    });
  });

  it('on a disk that fills up at any step have the old content or the new, and say why', async () => {
    const outcomes = { old: 0, new: 0 };
    for (let step = 0, isFull = true; isFull; step++) {
      const path = join(tempFolder(), 'notes.json');
      updateDocument(path, notesFile, add('safe'));
      const before = readFileSync(path, 'utf8');
      let failure = '';
      ({ isFull } = await fullFrom(step, () => {
        try {
          updateDocument(path, notesFile, add('more'));
        } catch (error) {
          failure = String(error);
        }
      }));
      if (failure !== '') expect(failure, `step ${step}`).toContain('ENOSPC');
      const isOld = readFileSync(path, 'utf8') === before;
      if (!isOld) expect(parsed(path).notes, `step ${step}`).toEqual(['safe', 'more']);
      outcomes[isOld ? 'old' : 'new']++;
      expect(readdirSync(join(path, '..')), `step ${step}`).toEqual(['.history', 'notes.json']);
    }
    expect(outcomes.old).toBeGreaterThan(4);
    expect(outcomes.new).toBeGreaterThan(1);
  });
});
