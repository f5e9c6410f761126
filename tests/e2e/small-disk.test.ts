/**
 * What happens on a disk that is really full: a small one is mounted, which takes an administrator.
 * Unit tests try every step on a simulated one.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, it, onTestFinished } from 'vitest';
import { listMemoryFiles } from '../../core/memory/portable/contents.ts';
import { importMemory } from '../../core/memory/portable/import-memory.ts';
import { exportMemory } from '../../core/memory/portable/write-archive.ts';
import { updateDocument } from '../../core/platform/store/document.ts';
import { MadeMemory } from '../bed/made-memory.ts';
import { run } from '../bed/run.ts';
import { tempFolder } from '../bed/temp-folder.ts';
import { describeWith } from '../bed/with-pieces.ts';

const silent = () => undefined;

const notesFile = {
  version: 1,
  schema: v.looseObject({ notes: v.array(v.string()) }),
  empty: () => ({ notes: [] as string[] }),
  keepVersions: 3,
};

async function smallDisk(size: string): Promise<string> {
  const folder = tempFolder();
  await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  onTestFinished(() => run('umount', [folder]).then(() => undefined));
  return folder;
}

function contents(made: MadeMemory): Record<string, string> {
  const files = listMemoryFiles(made.memory).files.filter(
    ({ name }) => name !== 'memory/memory-index.json',
  );
  return Object.fromEntries(files.map(({ name, path }) => [name, readFileSync(path, 'latin1')]));
}

describeWith('documents on a full disk', ['smallDisk'], () => {
  it('keep the old content and say why', async () => {
    const disk = await smallDisk('64k');
    const path = join(disk, 'notes.json');
    const add = (note: string) =>
      updateDocument(path, notesFile, ({ notes }) => ({ notes: [...notes, note] }));
    add('safe');
    const content = readFileSync(path, 'utf8');
    expect(() => add('x'.repeat(100_000))).toThrow('ENOSPC');
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(readdirSync(disk)).toEqual(['.history', 'notes.json']);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });
});

describeWith('an import on a small disk', ['smallDisk'], () => {
  /** Words that cannot be packed. */
  const noise = (bytes: number) =>
    Array.from({ length: bytes / 10 }, () => Math.random().toString(36).slice(2, 11)).join(' ');

  async function largeArchive(): Promise<string> {
    const made = new MadeMemory({ day: '2026-11-10' });
    made.say('t1', ...Array.from({ length: 20 }, () => ({ user: noise(20_000) })));
    const file = join(tempFolder(), 'memory.zip');
    await exportMemory(made.memory, file, silent);
    return file;
  }

  it.each(['project', 'home'])(
    'M20 that of the %s fills up in the middle: told in words, the memory as it was',
    async (which) => {
      const file = await largeArchive();
      const disk = await smallDisk('250k');
      const made = new MadeMemory();
      const root = join(disk, 'app');
      mkdirSync(root);
      const places = which === 'home' ? { ...made.places, home: join(disk, 'home') } : made.places;
      const small = which === 'project' ? new MadeMemory({ root: disk }) : made;
      small.decide('s1', 'Prices are kept in cents.');
      const before = contents(small);
      const { memory } = small;
      const request = {
        places,
        memory,
        source: file,
        isPreview: false,
        isReplacing: false,
        onProgress: silent,
      };
      await expect(importMemory(request)).rejects.toThrow('archive.diskFull');
      expect(contents(small)).toEqual(before);
      const left = [memory.folder, join(places.home, 'imports')].flatMap((folder) =>
        existsSync(folder) ? readdirSync(folder) : [],
      );
      expect(left.filter((name) => name.startsWith('.staging'))).toEqual([]);
      small.decide('s1', 'Work goes on.');
      expect(small.facts.decisions).toHaveLength(2);
    },
  );

  it('M20 an export onto it leaves no half of an archive', async () => {
    const made = new MadeMemory();
    made.say('t1', ...Array.from({ length: 20 }, () => ({ user: noise(20_000) })));
    const disk = await smallDisk('64k');
    await expect(exportMemory(made.memory, join(disk, 'memory.zip'), silent)).rejects.toThrow(
      /ENOSPC|full/,
    );
    expect(readdirSync(disk)).toEqual([]);
    writeFileSync(join(disk, 'free'), 'x');
  });
});
