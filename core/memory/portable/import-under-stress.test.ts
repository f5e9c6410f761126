/** Imports that are killed, that run at once, and that run out of disk (M20, M21). */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pace } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyMadeProject } from '../../../tests/bed/copied-memory.ts';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { run } from '../../../tests/bed/run.ts';
import { fullFrom, killedAt, type Moment, stepThrough } from '../../../tests/bed/simulated-kill.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { verifyMemory } from '../state/verify.ts';
import { listMemoryFiles } from './contents.ts';
import { finishImports, importMemory } from './import-memory.ts';
import { exportMemory } from './write-archive.ts';

const CHILD = join(import.meta.dirname, '../../../tests/children/killed-import-child.ts');
const silent = () => undefined;

async function archiveOf(day: string, session: string, statement: string): Promise<string> {
  const made = new MadeMemory({ day });
  made.decide(session, statement);
  const file = join(tempFolder(), 'memory.zip');
  await exportMemory(made.memory, file, silent);
  return file;
}

function contents(made: MadeMemory): Record<string, string> {
  const files = listMemoryFiles(made.memory).files.filter(
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

const requestFor = ({ places, memory }: MadeMemory, source: string) => ({
  places,
  memory,
  source,
  isPreview: false,
  isReplacing: false,
  onProgress: silent,
});

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
    const request = {
      places,
      memory,
      source: file,
      isPreview: false,
      isReplacing: false,
      onProgress: tell,
    };
    const before = contents(made);
    await expect(importMemory(request)).rejects.toThrow('store.lockExpired');
    expect(packed).toBe(4);
    expect(contents(made)).toEqual({ ...before, 'memory/notes.txt': '3' });
  });

  it('M20 killed at any moment leaves the old memory or the new one', async () => {
    const file = await archiveOf('2026-11-10', 't1', 'The logo is blue.');
    const base = tempFolder();
    const made = new MadeMemory({ root: join(base, 'first') });
    made.decide('s1', 'Prices are kept in cents.');
    const again = (name: string) => {
      copyMadeProject(join(base, 'first'), join(base, name));
      return new MadeMemory({ root: join(base, name) });
    };
    const old = contents(again('old'));
    const whole = again('whole');
    const { moments } = await stepThrough(() => importMemory(requestFor(whole, file)));
    const done = contents(whole);
    expect(Object.keys(done).length).toBeGreaterThan(Object.keys(old).length);
    const outcomes = { old: 0, new: 0 };
    const swapAt = swapOf(moments);
    for (const { step, call } of moments) {
      // What comes before the swap happens in folders that nobody reads, what comes after it is
      // cleaning up.
      const isOfSwap = step >= swapAt && (call === 'renameSync' || call === 'linkSync');
      if (!isOfSwap && step % 36 !== 0) continue;
      const what = `killed at step ${step}, ${call}`;
      const killed = again(`killed-${step}`);
      const { isKilled } = await killedAt(step, () => importMemory(requestFor(killed, file)));
      expect(isKilled, what).toBe(true);
      await stepThrough(() => finishImports(killed.places, killed.memory));
      const is = JSON.stringify(contents(killed)) === JSON.stringify(old) ? 'old' : 'new';
      if (is === 'new') expect(contents(killed), what).toEqual(done);
      expect(verifyMemory(killed.memory).problems, what).toEqual([]);
      await stepThrough(() => killed.decide('s3', 'Work goes on.'));
      expect(killed.facts.decisions.map(({ content }) => content)).toContain('Work goes on.');
      outcomes[is]++;
    }
    expect(outcomes.old).toBeGreaterThan(10);
    expect(outcomes.new).toBeGreaterThan(15);
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

describe('a disk that gets full', () => {
  it('M20 at any step of an import: told in words, the memory as it was, and nothing left behind', async () => {
    const file = await archiveOf('2026-11-10', 't1', 'The logo is blue.');
    const whole = await stepThrough(() => importMemory(requestFor(lived(), file)));
    const swapAt = swapOf(whole.moments);
    const told = { full: 0, done: 0 };
    for (const { step, call } of whole.moments) {
      if (step % (step < swapAt ? 36 : 5) !== 0) continue;
      const what = `full from step ${step}, ${call}`;
      const made = lived();
      const before = contents(made);
      const full = fullFrom(step, () => importMemory(requestFor(made, file)));
      const problem = await full.then(() => '', String);
      if (problem === '') told.done++;
      else {
        told.full++;
        expect(problem, what).toContain('archive.diskFull');
        expect(contents(made), what).toEqual(before);
      }
      const left = [made.memory.folder, join(made.places.home, 'imports')].flatMap((folder) =>
        existsSync(folder) ? readdirSync(folder) : [],
      );
      expect(left.filter((name) => name.startsWith('.staging'))).toEqual([]);
      await stepThrough(() => made.decide('s1', 'Work goes on.'));
      expect(made.facts.decisions.map(({ content }) => content)).toContain('Work goes on.');
    }
    expect(told.full).toBeGreaterThan(10);
    expect(told.done).toBeGreaterThan(1);
  });

  it('M20 at any step of an export: no half of an archive is left', async () => {
    const made = lived();
    for (let step = 0, isFull = true; isFull; step++) {
      const folder = tempFolder();
      let problem = '';
      ({ isFull } = await fullFrom(step, async () => {
        const file = join(folder, 'memory.zip');
        problem = await exportMemory(made.memory, file, silent).then(() => '', String);
      }));
      expect(problem === '' || /ENOSPC|full/.test(problem), problem).toBe(true);
      expect(readdirSync(folder), `full from step ${step}`).toEqual(
        problem === '' ? ['memory.zip'] : [],
      );
    }
  });
});

function swapOf(moments: readonly Moment[]): number {
  return moments.findIndex(({ args }) => String(args[0]).includes('swap.json'));
}

function lived(): MadeMemory {
  const made = new MadeMemory();
  made.decide('s1', 'Prices are kept in cents.');
  return made;
}
