/**
 * The forked sweep of `npm run soak`: real processes write, record, save and import, and are killed
 * with SIGKILL at a step, or at a random moment that the seed decides. Unit tests try every step on
 * a simulated disk; this proves that the simulation tells the truth.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readL1, saveL1 } from '../../core/memory/log/l1-store.ts';
import { readMemoryIndex } from '../../core/memory/log/memory-index.ts';
import { listMemoryFiles } from '../../core/memory/portable/contents.ts';
import { finishImports } from '../../core/memory/portable/import-memory.ts';
import { exportMemory } from '../../core/memory/portable/write-archive.ts';
import { rebuild } from '../../core/memory/state/derive.ts';
import { verifyMemory } from '../../core/memory/state/verify.ts';
import { sweepTempFiles } from '../../core/platform/store/atomic-write.ts';
import {
  conceptsPath,
  factsPath,
  memoryMdPath,
  sessionFactsPath,
} from '../../core/projects/memory-paths.ts';
import type { ProjectMemory } from '../../core/projects/project-memory.ts';
import { copyMadeProject } from '../bed/copied-memory.ts';
import { MadeMemory } from '../bed/made-memory.ts';
import { promptRow } from '../bed/made-session.ts';
import { memoryAt, recordWork } from '../bed/recorded-work.ts';

const CHILDREN = join(import.meta.dirname, '../children');
const WRITER = join(CHILDREN, 'killed-writer-child.ts');
const COUNTER = join(CHILDREN, 'counter-child.ts');
const RECORDER = join(CHILDREN, 'recorder-child.ts');
const SAVER = join(CHILDREN, 'l1-saver-child.ts');
const IMPORTER = join(CHILDREN, 'killed-import-child.ts');

export interface KillSweep {
  seed: number;
  tell: (line: string) => void;
}

/** Throws with the step, or the seed, at which a promise did not hold. */
export async function killSweep({ seed, tell }: KillSweep): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'memory-keeper-sweep-'));
  const random = randomFrom(seed);
  const sweeps = { atomicWrites, counters, holders, recording, editing, savers, imports };
  try {
    for (const [name, sweep] of Object.entries(sweeps)) {
      const folder = join(root, name);
      mkdirSync(folder);
      tell(`kill sweep: ${name}: ${await sweep(folder, random)}`);
    }
  } catch (error) {
    throw new Error(`kill sweep with seed ${seed}: ${(error as Error).message}`, { cause: error });
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  }
}

type Random = () => number;

/** Mulberry32: the same numbers from 0 to 1 for the same seed. */
function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const start = (program: string, ...args: string[]): ChildProcess =>
  fork(program, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });

/** What it printed, and whether it was killed. */
async function outcomeOf(child: ChildProcess): Promise<{ printed: string; isKilled: boolean }> {
  let printed = '';
  child.stdout?.on('data', (data) => {
    printed += data;
  });
  const [code, signal] = await once(child, 'close');
  assert.ok(code === 0 || signal === 'SIGKILL', `it ended with ${code ?? signal}`);
  return { printed, isKilled: signal === 'SIGKILL' };
}

/** A write that is killed at any step leaves the old or the new content (M21). */
async function atomicWrites(folder: string): Promise<string> {
  const [old, wanted] = ['old ', 'new '].map((word) => word.repeat(50_000));
  const seen = { old: 0, new: 0 };
  for (let step = 0, isKilled = true; isKilled; step++) {
    const path = join(folder, String(step), 'file.txt');
    mkdirSync(join(path, '..'));
    writeFileSync(path, old ?? '');
    ({ isKilled } = await outcomeOf(start(WRITER, path, String(step))));
    const content = readFileSync(path, 'utf8');
    assert.ok(content === old || content === wanted, `a mix at step ${step}`);
    seen[content === old ? 'old' : 'new']++;
    sweepTempFiles(join(path, '..'));
    assert.deepEqual(readdirSync(join(path, '..')), ['file.txt'], `step ${step}`);
  }
  assert.ok(seen.old > 3 && seen.new > 2, JSON.stringify(seen));
  return `${seen.old + seen.new} steps`;
}

const countIn = (path: string): number => JSON.parse(readFileSync(path, 'utf8')).count;

/** Eight processes with 500 changes each lose none (B7, B18). */
async function counters(folder: string): Promise<string> {
  const path = join(folder, 'counter.json');
  const children = Array.from({ length: 8 }, () => start(COUNTER, path, '500'));
  await Promise.all(children.map(outcomeOf));
  assert.equal(countIn(path), 4000);
  assert.equal(existsSync(`${path}.lock`), false);
  return '4000 changes of 8 processes';
}

/** A lock whose holder was killed at a random moment is free for the next (M21). */
async function holders(folder: string, random: Random): Promise<string> {
  const path = join(folder, 'counter.json');
  const rounds = 12;
  for (let round = 0; round < rounds; round++) {
    const from = existsSync(path) ? countIn(path) : 0;
    const victim = start(COUNTER, path, '100000');
    const outcome = outcomeOf(victim);
    while (!existsSync(path) || countIn(path) === from) await sleep(5);
    await sleep(random() * 20);
    victim.kill('SIGKILL');
    assert.ok((await outcome).isKilled);
  }
  const before = countIn(path);
  await outcomeOf(start(COUNTER, path, '50'));
  assert.equal(countIn(path), before + 50);
  assert.deepEqual(readdirSync(folder), ['counter.json']);
  return `${rounds} kills`;
}

const SESSIONS = 3;

/** A project with words of several sessions, and with changes that a person made by hand. */
function prepared(folder: string): string {
  const made = new MadeMemory({ root: join(folder, 'first') });
  for (let n = 0; n < SESSIONS; n++)
    made.say(
      `s${n}`,
      { user: `The dev server uses port 300${n % 2}.` },
      { user: `Team number ${n + 20} owns the gateway.` },
    );
  const stamp = '2026-11-16_0900';
  const text = 'The project was set up.';
  made.record({ type: 'delta', at: made.now, way: 'mod', text, ends: {}, upTo: made.now, stamp });
  const memoryMd = memoryMdPath(made.memory);
  const edited = readFileSync(memoryMd, 'utf8').replace(
    '## Current State',
    '- By hand.\n\n## Current State',
  );
  writeFileSync(memoryMd, edited);
  const facts = JSON.parse(readFileSync(factsPath(made.memory), 'utf8'));
  facts.notes.push({ content: 'Written by hand.' });
  writeFileSync(factsPath(made.memory), JSON.stringify(facts));
  return made.root;
}

function copyOf(root: string, folder: string, name: string): string {
  return copyMadeProject(dirname(root), join(folder, name));
}

/** All that was derived, without what tells times and places in the journal. */
function derived(memory: ProjectMemory): object {
  const { sessions } = readMemoryIndex(memory);
  const files = [
    ...[factsPath(memory), conceptsPath(memory), memoryMdPath(memory)],
    ...Object.values(sessions).map(({ file }) => sessionFactsPath(memory, file)),
  ];
  const texts = files.map((path) =>
    readFileSync(path, 'utf8')
      .replace(/"journal": \d+/, '')
      .replace(/"editedAt": ".*"/g, ''),
  );
  return { texts, sessions };
}

/** Recording that is killed at a step loses nothing and doubles nothing (M21). */
async function recording(folder: string): Promise<string> {
  const root = prepared(folder);
  const whole = copyOf(root, folder, 'whole');
  const steps = Number((await outcomeOf(start(RECORDER, whole))).printed);
  const expected = derived(memoryAt(whole));
  const tried = Array.from({ length: steps }, (_, n) => n).filter((n) => n < 44 || n % 9 === 0);
  for (const step of tried) {
    const copy = copyOf(root, folder, `killed-${step}`);
    const { isKilled } = await outcomeOf(start(RECORDER, copy, '0', 'kill', String(step)));
    assert.ok(isKilled, `not killed at step ${step}`);
    recordWork(memoryAt(copy));
    assert.deepEqual(derived(memoryAt(copy)), expected, `killed at step ${step}`);
    assert.equal(existsSync(join(memoryAt(copy).folder, 'unfinished.json')), false);
    rmSync(join(copy, '..'), { recursive: true });
  }
  return `${tried.length} kills`;
}

/** What a person saves at a step of recording stays, and so does ours (M3, M19). */
async function editing(folder: string): Promise<string> {
  const root = prepared(folder);
  const steps = Number((await outcomeOf(start(RECORDER, copyOf(root, folder, 'whole')))).printed);
  const tried = Array.from({ length: steps }, (_, n) => n).filter((n) => n % 8 === 3);
  const once = (text: string, words: string, step: number) =>
    assert.equal(text.split(words).length, 2, `saved at step ${step}: ${words}`);
  for (const step of tried) {
    const copy = copyOf(root, folder, `edited-${step}`);
    await outcomeOf(start(RECORDER, copy, '0', 'edit', String(step)));
    const memory = memoryAt(copy);
    recordWork(memory);
    rebuild(memory);
    const memoryMd = readFileSync(memoryMdPath(memory), 'utf8');
    for (const words of ['By hand.', 'By hand, meanwhile.', 'session s0', 'session s2'])
      once(memoryMd, words, step);
    const facts = readFileSync(factsPath(memory), 'utf8');
    for (const words of ['"Written by hand."', '"Written by hand meanwhile."'])
      once(facts, words, step);
    once(facts, '"content": "Team number 22', step);
    rmSync(join(copy, '..'), { recursive: true });
  }
  return `${tried.length} edits`;
}

/** Savers of several sessions that are killed at random lose nothing and double nothing (M21). */
async function savers(folder: string, random: Random): Promise<string> {
  const memory = memoryAt(join(folder, 'app'));
  mkdirSync(memory.root);
  const transcripts = Array.from({ length: 4 }, (_, n) => join(folder, `${n}.jsonl`));
  const said = transcripts.map((): string[] => []);
  for (let round = 0; round < 24; round++) {
    const n = round % transcripts.length;
    const [path = '', words = []] = [transcripts[n], said[n]];
    for (let more = 0; more < 40; more++) {
      words.push(`${n}: ${words.length + 1}`);
      appendFileSync(path, `${promptRow(words.at(-1) ?? '')}\n`);
    }
    const children = [1, 2].map(() => start(SAVER, memory.root, `s${n}`, path));
    const outcomes = children.map(outcomeOf);
    await sleep(50 + random() * 120);
    if (round % 3 !== 0) children[0]?.kill('SIGKILL');
    await Promise.all(outcomes);
  }
  for (const [n, transcript] of transcripts.entries()) {
    const saved = saveL1(memory, { sessionId: `s${n}`, transcript });
    const texts = readL1(saved?.file ?? '').map((entry) => ('text' in entry ? entry.text : ''));
    assert.deepEqual(texts, said[n]);
  }
  const files = readdirSync(memory.sessions).filter((name) => name.endsWith('.l1.jsonl'));
  assert.equal(files.length, 4);
  return '24 rounds';
}

/** All that is kept, without when it was taken in. */
function contents({ memory }: MadeMemory): Record<string, string> {
  const files = listMemoryFiles(memory).files.filter(
    ({ name }) => name !== 'memory/memory-index.json',
  );
  const text = (path: string) => readFileSync(path, 'latin1').replace(/"at": ?"[^"]*"/g, '');
  return Object.fromEntries(files.map(({ name, path }) => [name, text(path)]));
}

/** An import that is killed at a change of the disk leaves the old memory or the new one (M20). */
async function imports(folder: string): Promise<string> {
  const theirs = new MadeMemory({ day: '2026-11-10', root: join(folder, 'theirs') });
  theirs.decide('t1', 'The logo is blue.');
  const file = join(folder, 'memory.zip');
  await exportMemory(theirs.memory, file, () => undefined);
  const first = new MadeMemory({ root: join(folder, 'first') });
  first.decide('s1', 'Prices are kept in cents.');
  const again = (name: string) => {
    copyMadeProject(join(folder, 'first'), join(folder, name));
    return new MadeMemory({ root: join(folder, name) });
  };
  const run = ({ places, root }: MadeMemory, ...nth: string[]) =>
    outcomeOf(start(IMPORTER, places.claude, places.home, root, file, ...nth));
  const old = contents(again('old'));
  const whole = again('whole');
  const changes = Number((await run(whole)).printed);
  const done = contents(whole);
  const seen = { old: 0, new: 0 };
  // The last ones are those of the swap.
  const tried = Array.from({ length: changes }, (_, n) => n + 1).filter((n) =>
    n > changes - 40 ? n % 2 === 0 : n % 20 === 0,
  );
  for (const nth of tried) {
    const killed = again(`killed-${nth}`);
    assert.ok((await run(killed, String(nth))).isKilled, `not killed at change ${nth}`);
    finishImports(killed.places, killed.memory);
    const is = JSON.stringify(contents(killed)) === JSON.stringify(old) ? 'old' : 'new';
    if (is === 'new') assert.deepEqual(contents(killed), done, `killed at change ${nth}`);
    assert.deepEqual(verifyMemory(killed.memory).problems, []);
    killed.decide('s3', 'Work goes on.');
    assert.ok(killed.facts.decisions.some(({ content }) => content === 'Work goes on.'));
    seen[is]++;
    rmSync(join(folder, `killed-${nth}`), { recursive: true });
  }
  assert.ok(seen.old > 2 && seen.new > 2, JSON.stringify(seen));
  return `${tried.length} kills`;
}
