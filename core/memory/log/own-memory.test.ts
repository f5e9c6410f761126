import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AskedMemory } from '../../../tests/bed/asked-memory.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import { isOwnMemory } from '../../projects/project-memory.ts';
import { changeSetting, readSettings, undoSettingChange } from '../../settings/settings.ts';
import { rulesInForce } from '../restore/rules.ts';
import { searchMemory } from '../search/memory-search.ts';
import { appendToJournal, journalPath } from './journal.ts';
import { saveL1 } from './l1-store.ts';
import { readMemoryIndex } from './memory-index.ts';

const SECRET = 'the wombat guards the treasure';

/** A memory in use, in which one path has been made a link by somebody else. */
class Linked extends AskedMemory {
  readonly outside = join(this.root, '..', 'private', 'secret');

  constructor(path: (made: Linked) => string, content?: string) {
    super();
    this.decide('s1', 'Tokens live for an hour.');
    this.say('s1', { user: 'Nothing else.' });
    const link = path(this);
    mkdirSync(dirname(this.outside), { recursive: true });
    mkdirSync(dirname(link), { recursive: true });
    if (existsSync(link) && content === undefined) renameSync(link, this.outside);
    else writeFileSync(this.outside, content ?? SECRET);
    symlinkSync(this.outside, link);
    this.before = readFileSync(this.outside, 'utf8');
    this.link = link;
  }

  readonly before: string;
  readonly link: string;

  get isUntouched(): boolean {
    return (
      readFileSync(this.outside, 'utf8') === this.before && lstatSync(this.link).isSymbolicLink()
    );
  }
}

const inMemory =
  (...names: string[]) =>
  ({ memory }: Linked) =>
    join(memory.folder, ...names);
const inSessions =
  (...names: string[]) =>
  ({ memory }: Linked) =>
    join(memory.sessions, ...names);
const l1File = ({ memory }: Linked) =>
  join(memory.sessions, readMemoryIndex(memory).sessions.s1?.file ?? '');

describe('M1 a link of a cloned repository that leads out of the project', () => {
  it.each([
    ['memory.md', inMemory('memory.md')],
    ['facts.json', inMemory('facts.json')],
    ['concepts.json', inMemory('concepts.json')],
    ['journal.jsonl', inMemory('journal.jsonl')],
    ['memory-index.json', inMemory('memory-index.json')],
    ['rules.md', inMemory('rules.md')],
    ['config.json', inMemory('config.json')],
    ['a month of memory.md', inMemory('archive', '2026-01.md')],
    ['an earlier version', inMemory('.history', 'memory.md', '2026-01-01T00-00-00-000Z-000')],
    ['a session’s summary', inSessions('2026-01-01_0900.md')],
    ['a session’s words', l1File],
    ['old words of a session', inSessions('2026-01-01_0900.l1.jsonl.gz')],
  ])('is neither shown nor written through: %s', (_, path) => {
    const made = new Linked(path);
    const text = () => made.ask('memory.text', {});
    expect(text).toThrow('store.leadsOut');
    expect(() => made.ask('memory.saveText', { text: 'mine', base: '' })).toThrow('store.leadsOut');
    expect(() => made.ask('memory.page', { path: made.link })).toThrow('store.leadsOut');
    expect(() => made.ask('memory.addFact', { part: 'notes', change: { content: 'x' } })).toThrow(
      'store.leadsOut',
    );
    expect(() => made.ask('rules.save', { text: '- x', base: '' })).toThrow('store.leadsOut');
    expect(() => made.record({ type: 'compress', at: made.now })).toThrow('store.leadsOut');
    expect(isOwnMemory(made.memory)).toBe(false);
    expect(made.isUntouched).toBe(true);
  });

  it('is not appended to, even if its target does not exist yet', () => {
    const made = new AskedMemory();
    const outside = join(made.root, '..', 'profile');
    made.say('s1', { user: 'Hello.' });
    symlinkSync(outside, journalPath(made.memory));
    expect(() => appendToJournal(made.memory, [{ type: 'compress', at: made.now }])).toThrow(
      'store.isLink',
    );
    expect(() => made.decide('s1', 'Tokens live for an hour.')).toThrow('store.leadsOut');
    expect(existsSync(outside)).toBe(false);
  });

  it('receives nothing that a session says', () => {
    const made = new Linked(l1File);
    expect(() => made.say('s1', { user: 'A secret of mine.' })).toThrow('store.isLink');
    expect(made.isUntouched).toBe(true);
    // Nor is what an index says that somebody else wrote.
    const other = new AskedMemory();
    other.say('s1', { user: 'Hello.' });
    const index = readFileSync(other.memory.index, 'utf8');
    writeFileSync(
      other.memory.index,
      index.replace(/"file": "[^"]+"/, '"file": "../../../stolen.jsonl"'),
    );
    const transcript = readMemoryIndex(other.memory).sessions.s1?.transcript ?? '';
    saveL1(other.memory, { sessionId: 's1', transcript });
    other.say('s1', { user: 'More.' });
    expect(existsSync(join(other.root, '..', 'stolen.jsonl'))).toBe(false);
  });

  it('gives neither rules nor settings, and takes none', () => {
    const rules = new Linked(inMemory('rules.md'));
    expect(rulesInForce(rules.places, rules.root, 'en').text).not.toContain('wombat');
    const config = new Linked(inMemory('config.json'), '{"saveInterval":99}');
    const scope = { places: config.places, projectRoot: config.root };
    expect(readSettings(config.places, config.root).settings.saveInterval).toBe(5);
    expect(() => changeSetting(scope, 'saveInterval', 7)).toThrow('store.leadsOut');
    expect(config.isUntouched).toBe(true);
    const kept = new Linked(inMemory('.history', 'config.json', '2026-01-01T00-00-00-000Z-000'));
    const ofKept = { places: kept.places, projectRoot: kept.root };
    expect(() => undoSettingChange(ofKept)).toThrow('store.leadsOut');
  });

  it('is not found by a search over all projects', () => {
    const made = new Linked(inSessions('2026-01-01_0900.md'));
    expect(searchMemory(made.places, made.memory, 'wombat')).toHaveLength(1); // what there would be to find
    expect(made.askAny('search.find', { words: 'wombat', count: 5 })).toEqual([]);
  });

  it('does not keep a user from linking a file to one of the same project', () => {
    const made = new AskedMemory();
    made.decide('s1', 'Tokens live for an hour.');
    const notes = join(made.root, 'MEMORY.md');
    renameSync(memoryMdPath(made.memory), notes);
    symlinkSync(notes, memoryMdPath(made.memory));
    const { text, version } = made.ask('memory.text', {});
    expect(made.ask('memory.saveText', { text: `${text}\nMine.\n`, base: version })).toMatchObject({
      saved: true,
    });
    expect(readFileSync(notes, 'utf8')).toContain('Mine.');
  });

  it('is found even if it appeared after the first check', () => {
    const made = new AskedMemory();
    made.decide('s1', 'Tokens live for an hour.');
    expect(isOwnMemory(made.memory)).toBe(true);
    symlinkSync('/etc/hostname', join(made.memory.sessions, '2026-01-01_0900.md'));
    expect(isOwnMemory(made.memory)).toBe(false);
  });
});
