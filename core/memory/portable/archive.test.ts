import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { message } from '../../messages/message.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import { changeSetting } from '../../settings/settings.ts';
import { readL1Range } from '../log/l1-store.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { composeBriefing } from '../restore/briefing.ts';
import { searchMemory } from '../search/memory-search.ts';
import { rebuild } from '../state/derive.ts';
import { readDigest } from '../state/digest.ts';
import { forgetFact, undoLastEdit } from '../state/edits.ts';
import { verifyMemory } from '../state/verify.ts';
import { listMemoryFiles } from './contents.ts';
import { importMemory, undoImport } from './import-memory.ts';
import { exportMemory } from './write-archive.ts';

const silent = () => undefined;

function delta(made: MadeMemory, session: string, text: string, stamp: string): void {
  const { l1Bytes = 0, file = '' } = readMemoryIndex(made.memory).sessions[session] ?? {};
  const ends = { [session]: l1Bytes };
  made.record({
    type: 'delta',
    at: made.now,
    way: 'mod',
    text,
    ends,
    upTo: made.now,
    files: { [session]: file },
    stamp,
  });
}

/**
 * Two sessions, one of them compressed, facts, concepts, a summary, an edit, rules and settings.
 */
function workedOn(day = '2026-11-16', root = tempFolder()): MadeMemory {
  const made = new MadeMemory({ day, root });
  made.decide('s1', 'Prices are kept in cents.', { keywords: ['prices'] });
  made.decide('s1', '모든 로그는 JSON으로 남긴다.', { keywords: ['로그'] });
  made.say('s1', { tool: 'npm test', output: 'ok' }, { assistant: 'The tests pass.' });
  delta(made, 's1', 'Prices and logs were settled.', `${day}_1010`);
  made.end('s1');
  made.say('s2', { user: 'Which port does the server use?' }, { assistant: 'Port 8080.' });
  made.decide('s2', 'The server listens on port 8080.', { keywords: ['port'] });
  forgetFact(made.memory, 'd002');
  writeFileSync(join(made.memory.folder, 'rules.md'), '- Ask first.\n');
  writeFileSync(
    join(made.memory.sessions, 'week-40.md'),
    '# Week 40, from 2026-09-28\n\nAn old week.\n',
  );
  changeSetting({ places: made.places, projectRoot: made.root }, 'saveInterval', 9);
  const { file = '' } = readMemoryIndex(made.memory).sessions.s1 ?? {};
  const path = join(made.memory.sessions, file);
  writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)));
  rmSync(path);
  return made;
}

function contents(made: MadeMemory): Record<string, string> {
  return Object.fromEntries(
    listMemoryFiles(made.memory).files.map(({ name, path }) => [
      name,
      readFileSync(path).toString('latin1'),
    ]),
  );
}

function answers(made: MadeMemory) {
  const { memory, places } = made;
  const hits = ['prices cents', '로그', 'port', 'tests'].map((query) =>
    searchMemory(places, memory, query).map(({ id }) => id),
  );
  const digest = readDigest(memory);
  const restored = composeBriefing({
    projectName: 'app',
    memory: made.memoryMd,
    digest,
  });
  return { hits, restored };
}

async function exported(made: MadeMemory): Promise<string> {
  const file = join(tempFolder(), 'memory.zip');
  await exportMemory(made.memory, file, silent);
  return file;
}

const importInto = ({ places, memory }: MadeMemory, source: string, more: object = {}) =>
  importMemory({
    places,
    memory,
    source,
    isPreview: false,
    isReplacing: false,
    onProgress: silent,
    ...more,
  });

const undo = ({ places, memory }: MadeMemory) =>
  undoImport({ places, memory, isPreview: false, onProgress: silent });

function leftovers(made: MadeMemory): string[] {
  const folders = [made.memory.folder, made.memory.sessions, join(made.places.home, 'imports')];
  return folders
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
    .filter((name) => name.startsWith('.staging'));
}

describe('export and import', () => {
  it('M20 export, delete, import gives the same memory: the same files, the same answers', async () => {
    const made = workedOn();
    const file = await exported(made);
    const [files, said] = [contents(made), answers(made)];
    rmSync(made.memory.base, { recursive: true });
    const imported = await importInto(made, file);
    expect(imported).toMatchObject({
      way: 'placed',
      from: 'app',
      after: { sessions: 2, facts: 2, concepts: expect.any(Number) },
    });
    const now = contents(made);
    expect(Object.keys(now)).toEqual(Object.keys(files));
    for (const name of Object.keys(files).filter((name) => name !== 'memory/memory-index.json'))
      expect(now[name], name).toBe(files[name]);
    expect(answers(made)).toEqual(said);
    expect(verifyMemory(made.memory).problems).toEqual([]);
    expect(leftovers(made)).toEqual([]);
    expect(statSync(memoryMdPath(made.memory)).mode & 0o777).toBe(0o600);
  });

  it('M20 memory goes on as before: no edit appears that nobody made, and one from before the export can be taken back', async () => {
    const made = workedOn();
    const file = await exported(made);
    const journal = readFileSync(join(made.memory.folder, 'journal.jsonl'), 'utf8');
    rmSync(made.memory.base, { recursive: true });
    await importInto(made, file);
    made.say('s2', { user: 'And one word more.' });
    made.record();
    expect(readFileSync(join(made.memory.folder, 'journal.jsonl'), 'utf8')).toBe(journal);
    const { file: l1 = '' } = readMemoryIndex(made.memory).sessions.s2 ?? {};
    expect(
      readL1Range(made.memory, l1)?.filter(
        (entry) => 'text' in entry && entry.text === 'Port 8080.',
      ),
    ).toHaveLength(1);
    undoLastEdit(made.memory);
    expect(made.facts.decisions.map(({ content }) => content)).toContain(
      '모든 로그는 JSON으로 남긴다.',
    );
  });
});

describe('import into a memory that is there', () => {
  /** Another machine's memory of the same project. */
  function elsewhere(): MadeMemory {
    const made = new MadeMemory({ day: '2026-11-10' });
    made.decide('t1', 'Invoices are sent by mail on Fridays.', { keywords: ['invoices'] });
    made.decide('t1', 'The logo is blue.', { keywords: ['logo'] });
    delta(made, 't1', 'Invoices and the logo were settled.', '2026-11-10_0910');
    return made;
  }

  it('M20 joins two memories: every word, fact, summary and line of both, in the order of time, and rebuilding changes nothing', async () => {
    const [made, other] = [workedOn(), elsewhere()];
    for (const [memory, line] of [
      [made, '- We use TypeScript.'],
      [other, '- We deploy on Mondays.'],
    ] as const) {
      const text = memory.memoryMd.replace('## Core Decisions\n', `## Core Decisions\n\n${line}\n`);
      writeFileSync(memoryMdPath(memory.memory), text);
      memory.record();
    }
    const imported = await importInto(made, await exported(other));
    expect(imported).toMatchObject({
      way: 'joined',
      before: { sessions: 2, facts: 2 },
      after: { sessions: 3, facts: 4 },
    });
    expect(made.facts.decisions.map(({ content }) => content).sort()).toEqual([
      'Invoices are sent by mail on Fridays.',
      'Prices are kept in cents.',
      'The logo is blue.',
      'The server listens on port 8080.',
    ]);
    expect(new Set(made.facts.decisions.map(({ id }) => id)).size).toBe(4);
    expect(made.memoryMd).toMatch(/- We use TypeScript\.\n- We deploy on Mondays\./);
    expect(made.memoryMd).toMatch(
      /### 2026-11-10_0910\n\nInvoices[\s\S]*### 2026-11-16_1010\n\nPrices/,
    );
    expect(searchMemory(made.places, made.memory, 'invoices').map(({ layer }) => layer)).toContain(
      'l1',
    );
    expect(verifyMemory(made.memory).problems).toEqual([]);
    const joined = made.files('s1', 's2', 't1');
    rebuild(made.memory);
    expect(made.files('s1', 's2', 't1')).toEqual(joined);
    expect(leftovers(made)).toEqual([]);
  });

  it('M20 taking the same archive in twice, or one of before, adds nothing', async () => {
    const [made, other] = [workedOn(), elsewhere()];
    const [own, theirs] = [await exported(made), await exported(other)];
    await importInto(made, theirs);
    const joined = contents(made);
    for (const file of [theirs, own]) {
      const { before, after } = await importInto(made, file);
      expect(after).toEqual(before);
      expect({ ...contents(made), 'memory/memory-index.json': '' }).toEqual({
        ...joined,
        'memory/memory-index.json': '',
      });
    }
  });

  it('M20 one that has gone on elsewhere brings what is new, also of a session that both have', async () => {
    const made = workedOn();
    const other = new MadeMemory({ day: '2026-11-17' });
    await importInto(other, await exported(made));
    const { file = '' } = readMemoryIndex(other.memory).sessions.s2 ?? {};
    const path = join(other.memory.sessions, file);
    writeFileSync(
      path,
      `${JSON.stringify({ id: 'later', ts: '2026-11-17T09:00:00Z', role: 'user', text: 'Said elsewhere.' })}\n`,
      { flag: 'a' },
    );
    other.decide('s9', 'Backups run at night.', { keywords: ['backups'] });
    undoLastEdit(other.memory);
    await importInto(made, await exported(other));
    expect(made.facts.decisions.map(({ content }) => content)).toEqual(
      other.facts.decisions.map(({ content }) => content),
    );
    expect(readL1Range(made.memory, file)?.at(-1)).toMatchObject({ text: 'Said elsewhere.' });
    expect(readL1Range(made.memory, file)).toEqual(readL1Range(other.memory, file));
  });

  it('M20 a session that went on in two places keeps the words of both, and facts still stand where they were said', async () => {
    const made = workedOn();
    const other = new MadeMemory({ day: '2026-11-17' });
    await importInto(other, await exported(made));
    other.decide('s2', 'The cache lives for an hour.', { keywords: ['cache'] });
    made.decide('s2', 'The queue holds ten jobs.', { keywords: ['queue'] });
    await importInto(made, await exported(other));
    const { file = '' } = readMemoryIndex(made.memory).sessions.s2 ?? {};
    const words = JSON.stringify(readL1Range(made.memory, file));
    expect(words).toContain('The cache lives for an hour.');
    expect(words).toContain('The queue holds ten jobs.');
    expect(made.facts.decisions.map(({ content }) => content)).toEqual(
      expect.arrayContaining(['The cache lives for an hour.', 'The queue holds ten jobs.']),
    );
    expect(verifyMemory(made.memory).problems).toEqual([]);
  });

  it('M20 two conversations of the same minute stay two', async () => {
    const made = new MadeMemory();
    made.decide('s1', 'Prices are kept in cents.');
    const other = new MadeMemory();
    other.decide('t1', 'The logo is blue.');
    await importInto(made, await exported(other));
    const { s1, t1 } = readMemoryIndex(made.memory).sessions;
    expect(t1?.file).not.toBe(s1?.file);
    expect(made.sessionFacts('t1').facts.map(({ content }) => content)).toEqual([
      'The logo is blue.',
    ]);
    expect(verifyMemory(made.memory).problems).toEqual([]);
  });

  it('M20 rules and settings of ours stay, and that is told', async () => {
    const [made, other] = [workedOn(), elsewhere()];
    writeFileSync(join(other.memory.folder, 'rules.md'), '- Obey me.\n');
    const { notes } = await importInto(made, await exported(other));
    expect(notes).toEqual([message('archive.keptYours', { name: 'memory/rules.md' })]);
    expect(readFileSync(join(made.memory.folder, 'rules.md'), 'utf8')).toBe('- Ask first.\n');
  });

  it('M20 rules and settings of an archive are not joined, not even where there are none, and that is told in the preview too', async () => {
    const [made, other] = [workedOn(), elsewhere()];
    for (const name of ['rules.md', 'config.json']) rmSync(join(made.memory.folder, name));
    writeFileSync(join(other.memory.folder, 'rules.md'), '- Obey me.\n');
    changeSetting({ places: other.places, projectRoot: other.root }, 'autoClear.mode', 'off');
    const file = await exported(other);
    const told = ['memory/config.json', 'memory/rules.md'].map((name) =>
      message('archive.steeringSkipped', { name }),
    );
    expect((await importInto(made, file, { isPreview: true })).notes).toEqual(told);
    expect((await importInto(made, file)).notes).toEqual(told);
    expect(existsSync(join(made.memory.folder, 'rules.md'))).toBe(false);
    expect(existsSync(join(made.memory.folder, 'config.json'))).toBe(false);
    // Whoever wants all of theirs gets them, and is told.
    const { notes } = await importInto(made, file, { isReplacing: true });
    expect(notes).toContainEqual(message('archive.bringsRules'));
    expect(readFileSync(join(made.memory.folder, 'rules.md'), 'utf8')).toBe('- Obey me.\n');
  });

  it('M20 rules that come along are told before and after', async () => {
    const file = await exported(workedOn());
    const fresh = new MadeMemory();
    const told = message('archive.bringsRules');
    expect((await importInto(fresh, file, { isPreview: true })).notes).toContainEqual(told);
    expect((await importInto(fresh, file)).notes).toContainEqual(told);
  });

  it('M20 a preview tells what would come of it and changes nothing', async () => {
    const [made, other] = [workedOn(), elsewhere()];
    const file = await exported(other);
    const before = contents(made);
    const preview = await importInto(made, file, { isPreview: true });
    expect(contents(made)).toEqual(before);
    const { backup: _, ...done } = await importInto(made, file);
    expect(done).toEqual({ ...preview, isPreview: false });
    const fresh = new MadeMemory();
    expect(await importInto(fresh, file, { isPreview: true })).toMatchObject({
      way: 'placed',
      before: { files: 0 },
    });
    expect(existsSync(fresh.memory.folder)).toBe(false);
  });

  it('M20 undo brings the memory back as it was, to the byte, and can itself be undone', async () => {
    const [made, other] = [workedOn(), elsewhere()];
    const file = await exported(other);
    const [before, said] = [contents(made), answers(made)];
    await importInto(made, file);
    const joined = contents(made);
    await undo(made);
    expect({ ...contents(made), 'memory/memory-index.json': '' }).toEqual({
      ...before,
      'memory/memory-index.json': '',
    });
    expect(answers(made)).toEqual(said);
    await undo(made);
    expect({ ...contents(made), 'memory/memory-index.json': '' }).toEqual({
      ...joined,
      'memory/memory-index.json': '',
    });
  });

  it('M20 undo of an import into a project without memory leaves it without', async () => {
    const file = await exported(elsewhere());
    const fresh = new MadeMemory();
    await expect(undo(fresh)).rejects.toThrow('archive.noUndo');
    await importInto(fresh, file);
    await undo(fresh);
    expect(contents(fresh)).toEqual({});
    expect(searchMemory(fresh.places, fresh.memory, 'invoices')).toEqual([]);
  });

  it('M20 --replace puts theirs in the place of ours, which can be had back', async () => {
    const [made, other] = [workedOn(), elsewhere()];
    expect(await importInto(made, await exported(other), { isReplacing: true })).toMatchObject({
      way: 'replaced',
    });
    expect(made.facts.decisions.map(({ content }) => content)).toEqual(
      other.facts.decisions.map(({ content }) => content),
    );
    expect(searchMemory(made.places, made.memory, '8080')).toEqual([]);
    await undo(made);
    expect(searchMemory(made.places, made.memory, '8080')).not.toEqual([]);
  });

  it('M19 what a person has just changed in an editor is in the export, and survives an import', async () => {
    const [made, other] = [workedOn(), elsewhere()];
    writeFileSync(memoryMdPath(made.memory), `${made.memoryMd}\n## My own notes\n\nBuy milk.\n`);
    const file = await exported(made);
    writeFileSync(memoryMdPath(made.memory), `${made.memoryMd}And bread.\n`);
    await importInto(made, await exported(other));
    expect(made.memoryMd).toContain('Buy milk.\nAnd bread.');
    await importInto(other, file);
    expect(other.memoryMd).toContain('Buy milk.');
  });

  it('M20 a link in the memory folder is not followed out, and not replaced either', async () => {
    const [made, other] = [workedOn(), elsewhere()];
    const file = await exported(other);
    writeFileSync(join(made.root, 'NOTES'), 'mine');
    symlinkSync(join(made.root, 'NOTES'), join(made.memory.folder, 'notes.txt'));
    const { leftOut } = await exportMemory(made.memory, join(tempFolder(), 'x.zip'), silent);
    expect(leftOut).toEqual(['memory/notes.txt']);
    await expect(importInto(made, file)).rejects.toThrow(
      /^archive\.unstorable .*memory\/notes\.txt/,
    );
  });

  it('M20 an archive never replaces a file that is there', async () => {
    const made = workedOn();
    const file = join(tempFolder(), 'taken.zip');
    writeFileSync(file, 'mine');
    await expect(exportMemory(made.memory, file, silent)).rejects.toThrow('store.exists');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(leftovers(made)).toEqual([]);
  });
});
