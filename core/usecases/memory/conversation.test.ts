import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { AskedMemory } from '../../../tests/bed/asked-memory.ts';
import { readMemoryIndex, updateMemoryIndex } from '../../memory/log/memory-index.ts';
import { hitTarget } from './hit-target.ts';

function talked(): AskedMemory {
  const made = new AskedMemory();
  made.say(
    's1',
    { user: 'Set up the server. And be quick.' },
    { tool: 'npm run dev', output: 'listening' },
    { assistant: 'The server listens on port 3000.' },
    { user: 'Good.' },
  );
  return made;
}

const fileOf = (made: AskedMemory, session: string) =>
  readMemoryIndex(made.memory).sessions[session]?.file ?? '';

function compressed(made: AskedMemory, session: string): void {
  const path = join(made.memory.sessions, fileOf(made, session));
  writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)));
  rmSync(path);
}

const said = (entry: object | undefined) =>
  entry !== undefined && 'text' in entry ? entry.text : undefined;

describe('from a fact to the words that it came from', () => {
  it.each([
    ['as it is', () => undefined],
    ['compressed', (made: AskedMemory) => compressed(made, 's1')],
  ])('M9 M12 shows them among what was said around them, from L1 %s', (_, change) => {
    const made = talked();
    made.decide('s1', 'Backups are encrypted.');
    change(made);
    const { fact } = made.ask('memory.fact', { id: 'd001' });
    const [{ session = '', entry = '', quote = '' } = {}] = fact.evidence;
    const { entries, index } = made.ask('memory.around', { session, entry, count: 2 });
    expect(said(entries[index])).toContain(quote);
    expect(entries.map(({ role }) => role)).toEqual(['assistant', 'user', 'user']);
    expect(index).toBe(2);
  });

  it('M12 finds the words of a session that has continued in another file', () => {
    const made = talked();
    made.decide('s1', 'Backups are encrypted.');
    compressed(made, 's1');
    updateMemoryIndex(made.memory, (now) => ({
      ...now,
      sessions: {
        s1: { ...now.sessions.s1, file: '', offset: 0, inode: 0, l1Bytes: 0, pending: {} },
      },
    }));
    const [{ session = '', entry = '' } = {}] = made.ask('memory.fact', { id: 'd001' }).fact
      .evidence;
    expect(made.ask('memory.around', { session, entry }).index).toBe(4);
  });

  it('reports that they are gone, and reads nothing outside of the sessions', () => {
    const made = talked();
    expect(made.ask('memory.around', { session: 's1', entry: 'gone' })).toEqual({
      session: 's1',
      entries: [],
      index: -1,
    });
    for (const session of ['../memory/facts.json', '/etc/passwd', '__proto__', 'toString'])
      expect(made.ask('memory.around', { session, entry: 'x' }).index).toBe(-1);
    expect(() => made.ask('memory.entries', { session: '../memory/facts.json' })).toThrow(
      'memory.conversationGone',
    );
  });

  it('cuts long entries, the wanted one least, and never through a character', () => {
    const made = new AskedMemory();
    const long = '😀'.repeat(300_000);
    const [, asked] = made.say('s1', { user: long }, { assistant: `x${long}` }, { user: long });
    const { entries, index } = made.ask('memory.around', { session: 's1', entry: asked?.id ?? '' });
    const lengths = entries.map((entry) => String(said(entry)).length);
    expect(index).toBe(1);
    expect(lengths[1]).toBeGreaterThan(190_000);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(200_002);
    expect(lengths[0]).toBeLessThanOrEqual(20_002);
    for (const entry of entries) expect(String(said(entry)).isWellFormed()).toBe(true);
  });
});

describe('conversations', () => {
  it('M4 are listed with their first words, and read page by page', () => {
    const made = talked();
    made.say('s2', { user: 'Another day.' });
    compressed(made, 's1');
    const sessions = made.ask('memory.sessions', {});
    expect(sessions).toMatchObject([
      { session: 's2', entries: 1, title: 'Another day.' },
      { session: 's1', entries: 4, title: 'Set up the server.', file: fileOf(made, 's1') },
    ]);
    expect(String(sessions[1]?.firstAt) < String(sessions[1]?.lastAt)).toBe(true);
    const page = made.ask('memory.entries', { session: 's1', from: 2, count: 1 });
    expect(page).toMatchObject({ total: 4, entries: [{ role: 'assistant' }] });
    made.say('s2', { user: 'And more.' });
    expect(made.ask('memory.sessions', {})[0]).toMatchObject({ session: 's2', entries: 2 });
  });
});

describe('search', () => {
  it('M17 every hit leads to where it can be seen', () => {
    const made = talked();
    made.decide('s1', 'Zebra crossings are painted yearly.', { conceptName: 'Zebra' });
    const { text, version } = made.ask('memory.text', {});
    made.ask('memory.saveText', { text: `${text}\n## Zebra / stripes\n\nzebra\n`, base: version });
    const hits = made.ask('search.find', { words: 'zebra' });
    const targets = hits.map(hitTarget);
    expect(new Set(targets.map(({ kind }) => kind))).toEqual(
      new Set(['entry', 'fact', 'concept', 'memory']),
    );
    for (const target of targets) {
      if (target.kind === 'entry')
        expect(
          made.ask('memory.around', { session: target.session, entry: target.entry }).index,
        ).toBeGreaterThanOrEqual(0);
      if (target.kind === 'fact')
        expect(made.ask('memory.fact', { id: target.id }).fact.content).toContain('Zebra');
      if (target.kind === 'concept')
        expect(made.ask('memory.concept', { id: target.id }).concept.name).toContain('Zebra');
      if (target.kind === 'memory')
        expect(target).toEqual({ kind: 'memory', section: 'Zebra / stripes', entry: '' });
    }
  });

  it('M17 without the id of its session an entry is found by its file', () => {
    const made = talked();
    const file = fileOf(made, 's1');
    const [entry] = made.ask('memory.entries', { session: 's1' }).entries;
    const target = hitTarget({ id: `l1/${file}/${entry?.id}` });
    expect(target).toMatchObject({ kind: 'entry', session: file });
    expect(made.ask('memory.around', { session: file, entry: entry?.id ?? '' }).index).toBe(0);
    expect(hitTarget({ id: 'summary//a/b.md' })).toEqual({ kind: 'page', path: '/a/b.md' });
  });
});
