import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { estimateTokens } from '../../platform/text/estimate-tokens.ts';
import type { SettingKey, SettingValueType } from '../../settings/setting-definitions.ts';
import { changeSetting } from '../../settings/settings.ts';
import { readL1Range } from '../log/l1-store.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { pendingDelta } from '../model/delta.ts';
import { doAllJobsWithoutModel } from '../model/jobs.ts';
import { rebuild } from '../state/derive.ts';
import { compress, compressIfDue } from './compress.ts';

const fileOf = (made: MadeMemory, session: string) =>
  readMemoryIndex(made.memory).sessions[session]?.file ?? '';
const names = (made: MadeMemory) =>
  readdirSync(made.memory.sessions, { recursive: true })
    .map(String)
    .filter((name) => !name.startsWith('.gitignore'))
    .sort();
const text = (made: MadeMemory, name: string) =>
  readFileSync(join(made.memory.sessions, name), 'utf8');
const tidyUp = (made: MadeMemory, day: string) =>
  compress(made.memory, made.settings, new Date(`${day}T12:00:00Z`));
const set = (made: MadeMemory, key: SettingKey, value: SettingValueType) =>
  changeSetting({ places: made.places }, key, value);

/** A session of a day: asked, answered, ended. */
function day(made: MadeMemory, date: string, session = date): void {
  made.goTo(date);
  made.say(
    session,
    { user: `Work of ${date}. And more.` },
    { tool: 'src/a.ts', output: 'x', name: 'Edit' },
    { assistant: `Done with ${date}.` },
  );
  made.end(session);
}

describe('tiers', () => {
  it('M12 F5 a session that has ended gets a summary on one page', () => {
    const made = new MadeMemory();
    made.decide('s1', 'The dev server uses port 3000.');
    made.say('s1', { tool: 'src/a.ts', output: 'x', name: 'Edit' }, { assistant: 'Done. Really.' });
    made.say('s2', { user: 'still going on' });
    made.end('s1');
    expect(tidyUp(made, '2026-11-16').summaries).toEqual([
      fileOf(made, 's1').replace('.l1.jsonl', '.md'),
    ]);
    const summary = text(made, fileOf(made, 's1').replace('.l1.jsonl', '.md'));
    for (const words of [
      '# Session 2026-11-16_',
      '1 requests, 1 tool uses',
      '- The dev server uses port 3000.',
      'd001: The dev server',
      '- src/a.ts',
      '- Done.',
    ])
      expect(summary).toContain(words);
    expect(tidyUp(made, '2026-11-16').summaries).toEqual([]);
    made.say('s1', { user: 'One more thing.' });
    made.end('s1');
    expect(tidyUp(made, '2026-11-16').summaries).toHaveLength(1);
    expect(text(made, fileOf(made, 's1').replace('.l1.jsonl', '.md'))).toContain(
      '- One more thing.',
    );
  });

  it('F5 a long session’s summary stays within its length, and tells how much it leaves out', () => {
    const made = new MadeMemory();
    made.say(
      's1',
      ...Array.from({ length: 200 }, (_, n) => ({
        user: `Request number ${n}, please do this and that with it.`,
      })),
    );
    made.end('s1');
    tidyUp(made, '2026-11-16');
    const summary = text(made, fileOf(made, 's1').replace('.l1.jsonl', '.md'));
    expect(estimateTokens(summary)).toBeLessThan(560);
    expect(summary).toContain('Request number 199');
    expect(summary).toMatch(/… \(\d+ earlier ones\)/);
  });

  it('M12 seven days, then a week’s file, then a month’s; L1 compressed and readable all the time', () => {
    const made = new MadeMemory();
    day(made, '2026-11-02');
    day(made, '2026-11-04');
    day(made, '2026-11-10');
    const said = readL1Range(made.memory, fileOf(made, '2026-11-02'));
    tidyUp(made, '2026-11-09');
    expect(names(made).filter((name) => name.endsWith('.md'))).toHaveLength(3);
    tidyUp(made, '2026-11-13');
    expect(names(made).filter((name) => name.endsWith('.md'))).toEqual([
      expect.stringMatching(/^2026-11-10_\d{4}-[0-9a-f]{8}\.md$/),
      'week-45.md',
    ]);
    expect(text(made, 'week-45.md')).toMatch(
      /^# Week 45, from 2026-11-02\n\n## Session 2026-11-02_\d{4}-[0-9a-f]{8}\n[\s\S]*## Session 2026-11-04_/,
    );
    expect(existsSync(join(made.memory.sessions, fileOf(made, '2026-11-02')))).toBe(false);
    expect(readL1Range(made.memory, fileOf(made, '2026-11-02'))).toEqual(said);
    tidyUp(made, '2026-12-03');
    expect(names(made).filter((name) => name.endsWith('.md'))).toEqual([
      join('archive', '2026-11.md'),
      'week-46.md',
    ]);
    expect(text(made, join('archive', '2026-11.md'))).toContain('Work of 2026-11-04.');
    tidyUp(made, '2026-12-20');
    expect(text(made, join('archive', '2026-11.md'))).toMatch(
      /## Week 45, from 2026-11-02[\s\S]*## Week 46, from 2026-11-09/,
    );
    expect(readL1Range(made.memory, fileOf(made, '2026-11-02'))).toEqual(said);
  });

  it('L1d sessions of the same week of two years do not mix when they come in at once', () => {
    const made = new MadeMemory({ day: '2025-11-01' });
    day(made, '2025-11-05');
    day(made, '2026-11-04');
    tidyUp(made, '2026-11-13');
    const pages = names(made).filter((name) => name.endsWith('.md'));
    const pageOf = (session: string) =>
      pages.filter((name) => text(made, name).includes(`Work of ${session}.`));
    expect(pageOf('2025-11-05')).toHaveLength(1);
    expect(pageOf('2026-11-04')).toHaveLength(1);
    expect(pageOf('2025-11-05')).not.toEqual(pageOf('2026-11-04'));
    expect(text(made, pageOf('2025-11-05')[0] ?? '')).toContain('Week 45, from 2025-11-03');
  });

  it('M12 is right over the turn of the year, also when nobody looked for a year', () => {
    const made = new MadeMemory({ day: '2025-12-29' });
    day(made, '2025-12-30');
    day(made, '2026-01-02');
    tidyUp(made, '2026-01-12');
    expect(names(made).filter((name) => name.startsWith('week'))).toEqual(['week-01.md']);
    expect(text(made, 'week-01.md')).toContain('# Week 1, from 2025-12-29');
    day(made, '2027-01-01'); // in week 53 of 2026
    day(made, '2027-01-05'); // in week 1 of 2027
    tidyUp(made, '2027-01-14');
    expect(names(made).filter((name) => name.endsWith('.md'))).toEqual([
      join('archive', '2025-12.md'),
      'week-01.md',
      'week-53.md',
    ]);
    expect(text(made, 'week-01.md')).toMatch(/^# Week 1, from 2027-01-04/);
    expect(text(made, 'week-53.md')).toMatch(/^# Week 53, from 2026-12-28/);
    expect(text(made, join('archive', '2025-12.md'))).not.toContain('2027');
    tidyUp(made, '2027-03-01');
    expect(names(made).filter((name) => name.endsWith('.md'))).toEqual(
      ['2025-12', '2026-12', '2027-01'].map((month) => join('archive', `${month}.md`)),
    );
  });

  it('M12 can be repeated: nothing is added twice, after a kill neither', () => {
    const made = new MadeMemory();
    day(made, '2026-11-02');
    tidyUp(made, '2026-11-03');
    const md = fileOf(made, '2026-11-02').replace('.l1.jsonl', '.md');
    const [summary, l1] = [
      text(made, md),
      readFileSync(join(made.memory.sessions, fileOf(made, '2026-11-02'))),
    ];
    tidyUp(made, '2026-11-12');
    const week = text(made, 'week-45.md');
    // As if it had been killed before it could remove what it had moved.
    writeFileSync(join(made.memory.sessions, md), summary);
    writeFileSync(join(made.memory.sessions, fileOf(made, '2026-11-02')), l1);
    tidyUp(made, '2026-11-12');
    tidyUp(made, '2026-11-12');
    expect(text(made, 'week-45.md')).toBe(week);
    expect(
      gunzipSync(readFileSync(join(made.memory.sessions, `${fileOf(made, '2026-11-02')}.gz`))),
    ).toEqual(l1);
  });

  it('M12 never replaces compressed L1 by another of the same name', () => {
    const made = new MadeMemory();
    day(made, '2026-11-02');
    const path = join(made.memory.sessions, fileOf(made, '2026-11-02'));
    const other = JSON.stringify({
      id: 'other',
      ts: '2026-11-02T09:00:00Z',
      role: 'user',
      text: 'of another session',
    });
    writeFileSync(`${path}.gz`, gzipSync(`${other}\n`));
    const own = readL1Range(made.memory, fileOf(made, '2026-11-02')) ?? [];
    tidyUp(made, '2026-11-12');
    expect(readL1Range(made.memory, fileOf(made, '2026-11-02'))).toEqual([
      JSON.parse(other),
      ...own,
    ]);
  });

  it('M12 leaves L1 alone while a session goes on, however long ago it began; one that is long silent is told of', () => {
    const made = new MadeMemory();
    made.goTo('2026-11-02');
    made.say('s1', { user: 'A long piece of work.' }, { assistant: 'Begun.' });
    made.goTo('2026-11-20');
    made.say('s1', { user: 'Go on.' });
    tidyUp(made, '2026-11-21');
    expect(existsSync(join(made.memory.sessions, fileOf(made, 's1')))).toBe(true);
    expect(names(made).filter((name) => name.endsWith('.md'))).toEqual([]);
    tidyUp(made, '2026-11-29');
    expect(names(made).filter((name) => /week-|\.gz$/.test(name))).toHaveLength(2);
  });

  it('M12 M17 a session that is resumed after its L1 was compressed goes on in it, and nothing is lost or doubled', () => {
    const made = new MadeMemory();
    made.goTo('2026-11-02');
    made.decide('s1', 'The dev server uses port 3000.');
    made.end('s1');
    const first = fileOf(made, 's1');
    tidyUp(made, '2026-11-20');
    made.goTo('2026-11-21');
    made.say('s1', { user: 'Here I am again.' });
    expect(fileOf(made, 's1')).toBe(first);
    const texts = readL1Range(made.memory, first)?.map((entry) => 'text' in entry && entry.text);
    expect(texts).toEqual(['The dev server uses port 3000.', 'Here I am again.']);
    expect(readdirSync(made.memory.sessions).filter((name) => name.includes('.l1.'))).toEqual([
      first,
    ]);
    expect(readMemoryIndex(made.memory).sessions.s1).toMatchObject({ isOver: false });
    const before = made.facts;
    rebuild(made.memory);
    expect(made.facts).toEqual(before);
  });

  it.each([[7], [60]])('M12 what was said is kept as long as the setting says: %i days', (days) => {
    const made = new MadeMemory();
    set(made, 'retention.l1Days', days);
    set(made, 'retention.rawCopy', true);
    day(made, '2026-11-02');
    day(made, '2026-10-31', 'older');
    tidyUp(made, '2026-11-02');
    expect(names(made).filter((name) => name.startsWith('raw/'))).toHaveLength(2);
    const kept = (session: string) => readL1Range(made.memory, fileOf(made, session)) !== undefined;
    tidyUp(made, new Date(Date.parse('2026-11-01') + days * 86_400_000).toISOString().slice(0, 10));
    expect([kept('older'), kept('2026-11-02')]).toEqual([false, true]);
    expect(names(made).filter((name) => name.startsWith('raw/'))).toHaveLength(1);
    tidyUp(made, new Date(Date.parse('2026-11-04') + days * 86_400_000).toISOString().slice(0, 10));
    expect([kept('older'), kept('2026-11-02')]).toEqual([false, false]);
    expect(names(made).filter((name) => name.startsWith('raw/'))).toEqual([]);
  });

  it('M12 a session that is resumed after its L1 was deleted is summed up again from there', () => {
    const made = new MadeMemory();
    set(made, 'retention.l1Days', 7);
    day(made, '2026-11-02', 's1');
    doAllJobsWithoutModel({ places: made.places, memory: made.memory, settings: made.settings });
    tidyUp(made, '2026-11-20');
    made.goTo('2026-11-21');
    made.say('s1', { user: 'Here I am again.' }, { assistant: 'Welcome back.' });
    expect(pendingDelta(made.memory, readMemoryIndex(made.memory))?.text).toBe(
      '[User]: Here I am again.\n\n[Assistant]: Welcome back.',
    );
  });

  it('M12 by default nothing that was said is ever deleted, and no raw copy is made', () => {
    const made = new MadeMemory();
    day(made, '2026-11-02');
    tidyUp(made, '2036-11-02');
    expect(readL1Range(made.memory, fileOf(made, '2026-11-02'))).toHaveLength(3);
    expect(names(made).filter((name) => name.startsWith('raw'))).toEqual([]);
  });

  it('F8 is done once a day, and when a session has ended', () => {
    const made = new MadeMemory();
    compressIfDue(made.memory, made.settings);
    expect(readMemoryIndex(made.memory).compressedAt).toBeUndefined(); // nothing was ever said here
    made.say('s1', { user: 'Hello there.' });
    compressIfDue(made.memory, made.settings);
    const { compressedAt } = readMemoryIndex(made.memory);
    expect(compressedAt).toBeDefined();
    compressIfDue(made.memory, made.settings);
    expect(readMemoryIndex(made.memory).compressedAt).toBe(compressedAt);
    made.end('s1');
    compressIfDue(made.memory, made.settings);
    expect(names(made).some((name) => name.endsWith('.md') || name.startsWith('archive'))).toBe(
      true,
    );
  });

  it('leaves files alone that are none of ours', () => {
    const made = new MadeMemory();
    day(made, '2026-11-02');
    mkdirSync(join(made.memory.sessions, 'mine'), { recursive: true });
    for (const name of ['notes.md', '2026-11-02.md', 'week-99x.md', '2026-11-02_0900.txt'])
      writeFileSync(join(made.memory.sessions, name), name);
    writeFileSync(join(made.memory.sessions, 'week-12.md'), 'my own week');
    tidyUp(made, '2027-11-02');
    for (const name of [
      'notes.md',
      '2026-11-02.md',
      'week-99x.md',
      '2026-11-02_0900.txt',
      'week-12.md',
    ])
      expect(names(made)).toContain(name);
  });
});
