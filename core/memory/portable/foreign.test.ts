import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { readL1Range } from '../log/l1-store.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { searchMemory } from '../search/memory-search.ts';
import { rebuild } from '../state/derive.ts';
import { verifyMemory } from '../state/verify.ts';
import { importMemory, undoImport } from './import-memory.ts';

const importInto = ({ places, memory }: MadeMemory, source: string, isPreview = false) =>
  importMemory({
    places,
    memory,
    source,
    isPreview,
    isReplacing: false,
    onProgress: () => undefined,
  });

/**
 * `.claude/memory` as memory-keeper 13 and crabshell leave it, with what time does to such folders.
 */
function crabshell(): string {
  const folder = join(tempFolder(), '.claude', 'memory');
  const sessions = join(folder, 'sessions');
  mkdirSync(join(sessions, 'archive'), { recursive: true });
  const write = (name: string, content: string | object) =>
    writeFileSync(
      join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  write(
    'memory.md',
    '# Project Memory: shop\n\n## Core Decisions\n\n- 결제는 토스로 한다.\n\n## Current State\n\n- Version: 3\n\n## Recent Context\n\n### 2026-02-03_1015\n\nThe cart was mended.\n\n## Known Issues\n',
  );
  write('facts.json', {
    _meta: { counter: 4, version: '13.5.0' },
    decisions: [
      {
        id: 'd001',
        date: '2026-02-03',
        content: 'Carts are kept for a week.',
        reason: 'asked for',
        session: '2026-02-03_1015',
        weight: 7,
      },
      'Stock is counted at night.',
      { id: 'd003', nonsense: true },
    ],
    patterns: [{ id: 'p001', content: 'Tests stand beside the code.' }],
    issues: [
      { id: 'i001', content: 'The cart forgets coupons.', status: 'open', resolution: null },
    ],
    permanent: {
      rules: [{ id: 'r001', content: 'Never touch the ledger.' }],
      solutions: [],
      core_logic: 'none',
    },
    custom: { kept: true },
  });
  write('concepts.json', {
    concepts: [
      {
        id: 'c001',
        name: 'Cart',
        summary: 'the cart',
        files: ['cart.ts'],
        keywords: ['cart'],
        exchanges: [],
      },
      { id: 'c002' },
    ],
    nextId: 3,
  });
  write('memory-index.json', { version: 1, current: 'memory.md', stats: {} });
  write('config.json', { saveInterval: 25 });
  write('notes.bin', '\u0000\u0001');
  write(
    'sessions/2026-02-03_1015.l1.jsonl',
    [
      { ts: '2026-02-03T10:15:00Z', role: 'user', text: 'Why does the cart forget coupons?' },
      {
        ts: '2026-02-03T10:16:00Z',
        role: 'tool',
        name: 'Read',
        cmd: 'cart.ts',
        output: 'const cart',
      },
      {
        ts: '2026-02-03T10:17:00Z',
        role: 'assistant',
        text: 'Use the key sk-ant-api03-AAAAbbbbCCCCddddEEEEffffGGGGhhhhIIIIjjjjKKKKllll for now.',
      },
      'torn',
    ]
      .map((line) => (typeof line === 'string' ? '{"ts":"2026' : JSON.stringify(line)))
      .join('\n'),
  );
  write('sessions/2026-02-03_1015.md', '# Session\n\nThe cart.\n');
  write('sessions/2026-02-03_1015.l2.json', { facts: [] });
  write('sessions/archive/2026-01.md', '# 2026-01\n\nThe shop was begun.\n');
  return folder;
}

function everything(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.map(
    ({ parentPath, name }) => `${name}: ${readFileSync(join(parentPath, name), 'latin1')}`,
  );
}

describe('memory of memory-keeper 13+ and crabshell', () => {
  it('M20 is taken in: words, facts, concepts, pages; what is not understood is told and left', async () => {
    const folder = crabshell();
    const before = everything(folder);
    const made = new MadeMemory();
    const imported = await importInto(made, folder);
    expect(everything(folder)).toEqual(before);
    expect(imported).toMatchObject({
      way: 'placed',
      after: { sessions: 1, entries: 3, facts: 5, concepts: expect.any(Number) },
    });
    expect(imported.notes).toEqual([
      message('archive.skippedItems', { name: 'facts.json', items: ['decisions[2]'] }),
      message('archive.skippedItems', { name: 'concepts.json', items: ['concepts[1]'] }),
      message('archive.skippedLines', {
        name: 'sessions/2026-02-03_1015.l1.jsonl',
        count: 1,
        total: 4,
      }),
      message('archive.skipped', { name: 'notes.bin' }),
    ]);
    const { decisions, issues, permanent, custom } = made.facts as typeof made.facts & {
      custom: object;
    };
    expect(decisions[0]).toMatchObject({
      id: 'd001',
      content: 'Carts are kept for a week.',
      reason: 'asked for',
      weight: 7,
    });
    expect(decisions[1]).toMatchObject({ id: 'd002', content: 'Stock is counted at night.' });
    expect(issues[0]).toMatchObject({ id: 'i001', status: 'open' });
    expect(permanent.rules[0]).toMatchObject({ id: 'r001', content: 'Never touch the ledger.' });
    expect(custom).toEqual({ kept: true });
    expect(made.concepts.concepts[0]).toMatchObject({
      id: 'c001',
      name: 'Cart',
      files: ['cart.ts'],
    });
    expect(made.memoryMd).toContain('- 결제는 토스로 한다.');
    expect(made.memoryMd).toContain('### 2026-02-03_1015\n\nThe cart was mended.');
    const [session] = Object.values(readMemoryIndex(made.memory).sessions);
    const entries = readL1Range(made.memory, session?.file ?? '');
    expect(entries?.map(({ role }) => role)).toEqual(['user', 'tool', 'assistant']);
    expect(JSON.stringify(entries), 'M18').not.toContain('sk-ant-api03-AAAA');
    expect(searchMemory(made.places, made.memory, 'coupons').map(({ layer }) => layer)).toEqual(
      expect.arrayContaining(['l1', 'l2']),
    );
    expect(searchMemory(made.places, made.memory, 'begun').map(({ layer }) => layer)).toEqual([
      'summary',
    ]);
    expect(verifyMemory(made.memory).problems).toEqual([]);
    const files = made.files();
    rebuild(made.memory);
    expect(made.files()).toEqual(files);
  });

  it('M20 is joined with a memory that is there, once however often it is taken in, and can be taken back', async () => {
    const folder = crabshell();
    const made = new MadeMemory();
    made.decide('s1', 'Prices are kept in cents.', { keywords: ['prices'] });
    const before = made.files('s1');
    expect(await importInto(made, folder, true)).toMatchObject({
      way: 'joined',
      before: { facts: 1 },
      after: { facts: 6 },
    });
    expect(made.files('s1')).toEqual(before);
    expect(await importInto(made, folder)).toMatchObject({
      way: 'joined',
      before: { facts: 1 },
      after: { facts: 6 },
    });
    const contents = made.facts.decisions.map(({ content }) => content);
    expect(contents.sort()).toEqual([
      'Carts are kept for a week.',
      'Prices are kept in cents.',
      'Stock is counted at night.',
    ]);
    const ids = made.facts.decisions.map(({ id }) => id);
    expect(ids.every((id) => /^d\d{3}$/.test(id)) && new Set(ids).size === 3, ids.join()).toBe(
      true,
    );
    expect(made.memoryMd).toContain('The cart was mended.');
    const joined = made.files('s1');
    expect(await importInto(made, folder)).toMatchObject({
      before: { facts: 6 },
      after: { facts: 6 },
    });
    expect(made.facts.decisions).toHaveLength(3);
    expect(made.files('s1')['memory.md']).toBe(joined['memory.md']);
    const { places, memory } = made;
    await undoImport({ places, memory, isPreview: false, onProgress: () => undefined });
    expect(made.files('s1')).toEqual(joined);
  });

  it('M20 a folder without a memory, and the memory itself, are refused in words', async () => {
    const made = new MadeMemory();
    made.decide('s1', 'Prices are kept in cents.');
    await expect(importInto(made, tempFolder())).rejects.toThrow('archive.noMemory');
    await expect(importInto(made, made.memory.folder)).rejects.toThrow('archive.ownMemory');
    await expect(importInto(made, join(made.root, 'nothing.zip'))).rejects.toThrow(
      'archive.missing',
    );
  });

  it('M18 secrets are taken out of all that is said in facts and concepts: reasons, resolutions, quotes, names', async () => {
    const folder = join(tempFolder(), '.claude', 'memory');
    mkdirSync(folder, { recursive: true });
    const secret = 'sk-ant-api03-Zk3vQ9xT1bLw7RnY5cHs8dPfGj2mKa4uEo6iXt0zVqBrNyWc';
    const said = (words: string) => `${words} ${secret}`;
    const facts = {
      decisions: [
        {
          id: 'd001',
          content: said('The key is'),
          reason: said('because of'),
          evidence: [
            {
              session: 's',
              entry: 'e',
              quote: said('use'),
              role: 'user',
              at: '2026-02-03T10:15:00Z',
            },
          ],
        },
      ],
      issues: [
        { id: 'i001', content: 'It fails.', status: 'resolved', resolution: said('set it to') },
      ],
      custom: { note: said('mine') },
    };
    writeFileSync(join(folder, 'facts.json'), JSON.stringify(facts));
    const concept = {
      id: 'c001',
      name: 'Keys',
      summary: said('it is'),
      files: [],
      keywords: [secret],
      exchanges: [],
    };
    writeFileSync(join(folder, 'concepts.json'), JSON.stringify({ concepts: [concept] }));
    const made = new MadeMemory();
    await importInto(made, folder);
    const kept = ['facts.json', 'concepts.json', 'journal.jsonl', 'memory.md'].map((name) =>
      attempt(() => readFileSync(join(made.memory.folder, name), 'utf8'), ''),
    );
    expect(kept.join('')).toContain('because of');
    expect(kept.join('')).not.toContain(secret);
  });
});
