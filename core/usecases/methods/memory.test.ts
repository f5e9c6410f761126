import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AskedMemory } from '../../../tests/bed/asked-memory.ts';
import { readRules } from '../../memory/restore/rules.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { METHODS } from './all-methods.ts';

describe('which projects are answered for', () => {
  it('those with a memory and those of live sessions; any other path is refused', () => {
    const made = new AskedMemory();
    expect(() => made.ask('memory.overview', {})).toThrow(
      new ExpectedError(message('memory.unknownProject', { path: made.root })),
    );
    made.known.add(made.root);
    expect(made.ask('memory.overview', {})).toMatchObject({ facts: 0, sessions: 0, problems: [] });
    made.known.clear();
    made.say('s1', { user: 'Hello.' });
    expect(made.ask('memory.overview', {})).toMatchObject({ sessions: 1 });
    for (const project of [
      join(made.root, '..'),
      `${made.root}/../app`,
      'app',
      '/',
      `${made.root}\0`,
    ])
      expect(() => made.askAny('memory.overview', { project })).toThrow('memory.unknownProject');
  });

  it('no method of them all answers for a project that is not known', () => {
    const made = new AskedMemory();
    const args = {
      id: 'x',
      base: '',
      text: '',
      change: {},
      part: 'notes',
      session: 's',
      entry: 'e',
      path: 'p',
      edit: 0,
      words: 'x',
      what: 'rebuild',
      name: 'x',
      ids: ['0a'],
      parts: ['rules'],
    };
    const asked = Object.entries(METHODS).filter(
      ([name, { runs }]) =>
        runs === 'thread' && !/^(?:activity|backfill|doctor|archive|resume)\./.test(name),
    );
    expect(asked.length).toBeGreaterThan(20);
    for (const [
      method,
      {
        arguments: { entries },
      },
    ] of asked) {
      const own = Object.fromEntries(Object.entries(args).filter(([name]) => name in entries));
      expect(() => made.ask(method as 'memory.text', own), method).toThrow('memory.unknownProject');
    }
    expect(() => made.ask('resume.list', { project: made.root })).toThrow('memory.unknownProject');
    expect(existsSync(made.memory.folder)).toBe(false);
  });

  it('T1 a memory that a repository brings is not the project’s', () => {
    const made = new AskedMemory();
    const brought = join(made.root, '.claude', 'memory');
    mkdirSync(brought, { recursive: true });
    writeFileSync(join(brought, 'memory-index.json'), '{"sessions":{}}');
    expect(() => made.ask('memory.text', {})).toThrow('memory.unknownProject');
  });
});

describe('rules in the window', () => {
  const known = () => {
    const made = new AskedMemory();
    made.known.add(made.root);
    return made;
  };

  it('F10 T3 the default ones are replaced by the user’s, those for a project stand beside them, and each can be had back', () => {
    const made = known();
    const first = made.askAny('rules.read', {});
    expect(first).toMatchObject({ from: 'default', canUndo: false, problems: [] });
    expect(first.text).toContain('Do not assume');
    made.askAny('rules.save', { text: '- Mine.\n', base: first.version });
    expect(made.ask('rules.read', {})).toMatchObject({ from: 'user', text: '', canUndo: false });
    made.ask('rules.save', {
      text: '- The project’s.\n',
      base: made.ask('rules.read', {}).version,
    });
    expect(made.ask('rules.read', {})).toMatchObject({
      from: 'project',
      text: '- The project’s.\n',
      canUndo: true,
    });
    expect(readRules(made.places, made.memory.folder, 'en').text).toBe(
      '<rules source="the user, by Memory Keeper">\n- Mine.\n\nIn this project:\n- The project’s.\n</rules>',
    );
    made.ask('rules.reset', {});
    expect(made.ask('rules.read', {})).toMatchObject({ from: 'user', canUndo: true });
    made.ask('rules.undo', {});
    expect(made.ask('rules.read', {})).toMatchObject({ from: 'project' });
    made.ask('rules.undo', {});
    expect(made.ask('rules.read', {})).toMatchObject({ from: 'user' });
    made.askAny('rules.undo', {});
    expect(made.askAny('rules.read', {})).toMatchObject({ from: 'default', text: first.text });
    expect(() => made.askAny('rules.undo', {})).toThrow('edit.noRulesUndo');
  });

  it('M14 rules that were emptied stay empty: the default ones do not come back, and Undo brings back what stood there', () => {
    const made = known();
    const first = made.askAny('rules.read', {});
    const saved = made.askAny('rules.save', { text: '', base: first.version });
    expect(made.askAny('rules.read', {})).toMatchObject({
      from: 'user',
      text: '',
      version: saved.version,
      canUndo: true,
    });
    expect(made.ask('rules.read', {})).toMatchObject({ from: 'user', text: '' });
    expect(readRules(made.places, made.memory.folder, 'en')).toEqual({ text: '', problems: [] });
    made.askAny('rules.save', { text: '- Mine.\n', base: saved.version });
    made.ask('rules.save', { text: ' \n', base: made.ask('rules.read', {}).version });
    expect(made.ask('rules.read', {})).toMatchObject({ from: 'project', text: ' \n' });
    expect(readRules(made.places, made.memory.folder, 'en').text).toContain('\n- Mine.\n</rules>');
    made.ask('rules.undo', {});
    expect(made.ask('rules.read', {})).toMatchObject({ from: 'user', text: '' });
  });

  it('M14 rules that cannot be read are told, and the default ones go along', () => {
    const made = known();
    mkdirSync(join(made.places.home, 'rules.md'), { recursive: true });
    const { text, problems } = readRules(made.places, made.memory.folder, 'en');
    expect(text).toContain('Do not assume');
    expect(problems).toMatchObject([{ code: 'store.notFile' }]);
  });

  it('M19 rules that were changed meanwhile are not overwritten, and joined where that can be done', () => {
    const made = known();
    const { version, text } = made.askAny('rules.read', {});
    const path = join(made.places.home, 'rules.md');
    mkdirSync(made.places.home, { recursive: true });
    writeFileSync(path, `${text}\n- Theirs.\n`);
    const answer = made.askAny('rules.save', { text: `- Mine.\n${text}`, base: version });
    expect(answer).toMatchObject({
      saved: false,
      theirs: `${text}\n- Theirs.\n`,
      merged: `- Mine.\n${text}\n- Theirs.\n`,
    });
    expect(readFileSync(path, 'utf8')).toBe(`${text}\n- Theirs.\n`);
    made.askAny('rules.save', { text: '- Both.', base: answer.version });
    writeFileSync(path, '- By hand since.');
    expect(made.askAny('rules.read', {})).toMatchObject({ canUndo: false });
    expect(() => made.askAny('rules.undo', {})).toThrow('store.changedOutside');
    expect(readFileSync(path, 'utf8')).toBe('- By hand since.');
  });

  it('F10 says when not all of them go along, and when a file cannot be read', () => {
    const made = known();
    made.askAny('rules.save', {
      text: `- ${'x'.repeat(7000)}`,
      base: made.askAny('rules.read', {}).version,
    });
    expect(made.askAny('rules.read', {}).problems).toContainEqual(
      message('memory.rulesCut', { count: 6000 }),
    );
    mkdirSync(join(made.memory.folder, 'rules.md'), { recursive: true });
    expect(made.ask('rules.read', {}).problems).toMatchObject([{ code: 'store.notFile' }]);
    expect(() =>
      made.ask('rules.save', { text: 'x', base: made.ask('rules.read', {}).version }),
    ).toThrow('edit.notSaved');
  });
});

describe('long work', () => {
  it('M4 F8 does what the command line does, and tells how far it is', async () => {
    const made = new AskedMemory();
    made.decide('s1', 'The dev server uses port 3000.');
    const transcripts = join(
      made.places.claude,
      'projects',
      made.root.replace(/[^a-zA-Z0-9]/g, '-'),
    );
    mkdirSync(transcripts, { recursive: true });
    const row = {
      type: 'user',
      uuid: 'u1',
      timestamp: made.now,
      isSidechain: false,
      cwd: made.root,
      message: { role: 'user', content: 'Hi.' },
    };
    writeFileSync(join(transcripts, 's7.jsonl'), `${JSON.stringify(row)}\n`);
    expect(await made.ask('work.run', { what: 'save' })).toEqual({
      what: 'save',
      figures: { transcripts: 1, sessions: 1, entries: 1 },
      problems: [],
      saved: [expect.objectContaining({ sessionId: 's7', added: 1 })],
      summaries: [],
    });
    const about = { project: made.root, what: 'save' };
    expect(made.told).toEqual([
      { ...about, done: 0, total: 0, isOver: false },
      { ...about, done: 1, total: 1, isOver: false },
      { ...about, done: 1, total: 1, isOver: true },
    ]);
    expect(await made.ask('work.run', { what: 'rebuild' })).toMatchObject({
      figures: { facts: 1 },
    });
    expect(await made.ask('work.run', { what: 'compress' })).toMatchObject({
      what: 'compress',
      problems: [],
    });
    expect(await made.ask('work.run', { what: 'verify' })).toMatchObject({
      figures: { facts: 1, sessions: 2 },
      problems: [],
    });
    expect(made.told.filter(({ isOver }) => isOver)).toHaveLength(4);
  });
});
