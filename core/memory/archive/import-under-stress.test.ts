/** Imports that are killed, that run at once, and that run out of disk (M20, M21). */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pace } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { run } from '../../../tests/bed/run.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { describeWith } from '../../../tests/bed/with-pieces.ts';
import { readMemoryIndex } from '../project/memory-index.ts';
import { verifyMemory } from '../project/verify.ts';
import { keptFiles } from './contents.ts';
import { finishImports, importMemory } from './import-memory.ts';
import { exportMemory } from './write-archive.ts';

const CHILD = join(import.meta.dirname, 'killed-import-child.ts');
const silent = () => undefined;

async function archiveOf(day: string, session: string, statement: string): Promise<string> {
  const made = new MadeMemory({ day });
  made.decide(session, statement);
  const file = join(tempFolder(), 'memory.zip');
  await exportMemory(made.memory, file, silent);
  return file;
}

function contents(made: MadeMemory): Record<string, string> {
  const files = keptFiles(made.memory).files.filter(
    ({ name }) => name !== 'memory/memory-index.json',
  );
  return Object.fromEntries(
    files.map(({ name, path }) => [
      name,
      readFileSync(path, 'latin1').replace(/"at": ?"[^"]*"/g, ''),
    ]),
  );
}

const childArgs = ({ places, root }: MadeMemory, file: string) => [
  CHILD,
  places.claude,
  places.home,
  root,
  file,
];

describe('an import', () => {
  it('M21 that took longer than others wait changes nothing, though it was the last try', async () => {
    const file = await archiveOf('2026-11-10', 't1', 'The logo is blue.');
    const made = new MadeMemory();
    made.decide('s1', 'Prices are kept in cents.');
    const now = Date.now;
    onTestFinished(() => {
      Date.now = now;
    });
    let packed = 0;
    const tell = (step: string, done: number) => {
      if (step !== 'packing' || done !== 1) return;
      packed++;
      // Three times somebody writes meanwhile; the fourth time others are kept out, for longer than
      // they have to wait.
      if (packed < 4) writeFileSync(join(made.memory.folder, 'notes.txt'), String(packed));
      else Date.now = () => now() + 10 * 60_000;
    };
    const { places, memory } = made;
    const request = { places, memory, source: file, isPreview: false, isReplacing: false, tell };
    const before = contents(made);
    await expect(importMemory(request)).rejects.toThrow('expired before the change was finished');
    expect(packed).toBe(4);
    expect(contents(made)).toEqual({ ...before, 'memory/notes.txt': '3' });
  });

  it('M20 killed at any moment leaves the old memory or the new one', async () => {
    const file = await archiveOf('2026-11-10', 't1', 'The logo is blue.');
    const base = tempFolder();
    const made = new MadeMemory({ root: join(base, 'first') });
    made.decide('s1', 'Prices are kept in cents.');
    const again = (name: string) => {
      cpSync(join(base, 'first'), join(base, name), { recursive: true, preserveTimestamps: true });
      return new MadeMemory({ root: join(base, name) });
    };
    const old = contents(again('old'));
    const whole = again('whole');
    const { stdout } = spawnSync(process.execPath, childArgs(whole, file), { encoding: 'utf8' });
    const changes = Number(stdout);
    const done = contents(whole);
    expect(Object.keys(done).length).toBeGreaterThan(Object.keys(old).length);
    const outcomes = { old: 0, new: 0 };
    // The last ones are those of the swap: there every fourth is looked at.
    const moments = Array.from({ length: changes }, (_, n) => n + 1).filter((n) =>
      n > changes - 40 ? n % 4 === 0 : n % 60 === 0,
    );
    for (const nth of moments) {
      const killed = again(`killed-${nth}`);
      const { signal } = spawnSync(process.execPath, [...childArgs(killed, file), String(nth)], {
        encoding: 'utf8',
      });
      expect(signal, `change ${nth}`).toBe('SIGKILL');
      finishImports(killed.places, killed.memory);
      const is = JSON.stringify(contents(killed)) === JSON.stringify(old) ? 'old' : 'new';
      if (is === 'new') expect(contents(killed), `change ${nth}`).toEqual(done);
      expect(verifyMemory(killed.memory).problems).toEqual([]);
      killed.decide('s3', 'Work goes on.');
      expect(killed.facts.decisions.map(({ content }) => content)).toContain('Work goes on.');
      outcomes[is]++;
    }
    expect(outcomes.old).toBeGreaterThan(2);
    expect(outcomes.new).toBeGreaterThan(2);
  });

  it('M21 several at once, beside a session at work, all arrive and nothing that was said is lost', async () => {
    const statements = [
      'The logo is blue.',
      'Invoices go out on Fridays.',
      'Backups run at night.',
    ];
    const files = await Promise.all(
      statements.map((text, n) => archiveOf(`2026-10-1${n}`, `t${n}`, text)),
    );
    const made = new MadeMemory();
    made.decide('s1', 'Prices are kept in cents.');
    let isOver = false;
    const running = Promise.all(
      files.map((file) => run(process.execPath, childArgs(made, file))),
    ).finally(() => {
      isOver = true;
    });
    let said = 0;
    for (; !isOver; said++) {
      made.say('s1', { user: `Word ${said} said meanwhile.` });
      await pace(200);
    }
    await running;
    const contents = made.facts.decisions.map(({ content }) => content);
    expect(contents.sort()).toEqual([...statements, 'Prices are kept in cents.'].sort());
    const { file = '' } = readMemoryIndex(made.memory).sessions.s1 ?? {};
    const words = readFileSync(join(made.memory.sessions, file), 'utf8');
    for (let n = 0; n < said; n++) expect(words).toContain(`Word ${n} said meanwhile.`);
    expect(verifyMemory(made.memory).problems).toEqual([]);
  });
});

describeWith('an import on a small disk', ['smallDisk'], () => {
  async function smallDisk(size: string): Promise<string> {
    const folder = tempFolder();
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
    onTestFinished(() => run('umount', [folder]).then(() => undefined));
    return folder;
  }

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
        tell: silent,
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
