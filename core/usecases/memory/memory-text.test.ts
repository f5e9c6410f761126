import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AskedMemory } from '../../../tests/bed/asked-memory.ts';
import { rebuild } from '../../memory/state/derive.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import { hitTarget } from './hit-target.ts';
import { ProjectCache } from './project-cache.ts';

function summarised(made: AskedMemory, text: string, stamp: string): void {
  made.record({ type: 'delta', at: made.now, way: 'mod', text, ends: {}, upTo: made.now, stamp });
}

function lived(): AskedMemory {
  const made = new AskedMemory();
  made.say('s1', { user: 'Hello.' });
  summarised(made, 'The server was set up.', '2026-11-16_0900');
  return made;
}

const HOSTILE =
  '<script>alert(1)</script> [x](javascript:alert(1)) \u0007\u001b[31m \u202e ## not a heading {{$&}} $1 \\n';

describe('memory.md in the window', () => {
  it('M19 a saved text is in the file as it was typed, and survives a rebuild', () => {
    const made = lived();
    const { text, version } = made.ask('memory.text', {});
    const typed = text.replace(
      '## Core Decisions\n',
      () => `## Core Decisions\n\n- Tabs.\n\n\n- ${HOSTILE}\n`,
    );
    expect(made.ask('memory.saveText', { text: typed, base: version })).toMatchObject({
      saved: true,
    });
    expect(made.memoryMd).toBe(typed);
    rebuild(made.memory);
    expect(made.memoryMd.replace(/\s+/g, ' ')).toBe(typed.replace(/\s+/g, ' '));
    expect(made.memoryMd).toContain(HOSTILE.trim());
  });

  it('M19 a megabyte on one line is saved unchanged', () => {
    const made = lived();
    const { text, version } = made.ask('memory.text', {});
    const typed = `${text}\n## Mine\n\n${'한 '.repeat(500_000)}\n`;
    expect(made.ask('memory.saveText', { text: typed, base: version })).toMatchObject({
      saved: true,
    });
    expect(made.memoryMd).toBe(typed);
  });

  it('M19 M21 a hook that writes meanwhile is a conflict: nothing is overwritten, and both are merged', () => {
    const made = lived();
    const { text, version } = made.ask('memory.text', {});
    summarised(made, 'The port was changed.', '2026-11-16_1000');
    const typed = text.replace('## Core Decisions\n', '## Core Decisions\n\n- Tabs.\n');
    const answer = made.ask('memory.saveText', { text: typed, base: version });
    if (answer.saved) throw new Error('saved over what the hook wrote');
    expect(answer.theirs).toBe(made.memoryMd);
    expect(answer.theirs).not.toContain('Tabs');
    expect(answer.merged).toContain('- Tabs.');
    expect(answer.merged).toContain('The port was changed.');
    expect(
      made.ask('memory.saveText', { text: answer.merged ?? '', base: answer.version }),
    ).toMatchObject({ saved: true });
    for (const words of ['- Tabs.', 'The server was set up.', 'The port was changed.'])
      expect(made.memoryMd).toContain(words);
  });

  it('M19 where both changed the same place, nothing is merged', () => {
    const made = lived();
    const { text, version } = made.ask('memory.text', {});
    writeFileSync(memoryMdPath(made.memory), text.replace('- Status: ', '- Status: theirs'));
    const mine = text.replace('- Status: ', '- Status: mine');
    expect(made.ask('memory.saveText', { text: mine, base: version })).toMatchObject({
      saved: false,
      merged: null,
    });
    expect(made.memoryMd).toContain('Status: theirs');
  });

  it('M19 a base that is gone is a conflict without a merged text', () => {
    const made = lived();
    const { text } = made.ask('memory.text', {});
    expect(made.ask('memory.saveText', { text: `${text}x`, base: 'gone' })).toMatchObject({
      saved: false,
      theirs: text,
      merged: null,
    });
  });

  it('M19 a base that only the file’s history has is merged, too', () => {
    const made = lived();
    const { text, version } = made.ask('memory.text', {});
    const later = new AskedMemory({ root: join(made.root, '..') });
    summarised(later, 'The port was changed.', '2026-11-16_1000');
    const answer = later.ask('memory.saveText', {
      text: text.replace('# Project', '# Our Project'),
      base: version,
    });
    expect(answer).toMatchObject({
      saved: false,
      merged: expect.stringContaining('# Our Project'),
    });
  });

  it('M19 one save of several sections is one row of the history, and is undone and redone as one, to the letter', () => {
    const made = lived();
    const { text, version } = made.ask('memory.text', {});
    const typed = text
      .replace('## Core Decisions\n', '## Core Decisions\n\n- Tabs.\n')
      .replace('## Known Issues\n', '## Known Issues\n\n- Flaky.\n');
    const answer = made.ask('memory.saveText', { text: typed, base: version });
    const { edits } = made.ask('memory.history', {});
    expect(edits).toMatchObject([
      {
        document: 'memory',
        canUndo: true,
        isUndo: false,
        after: expect.stringContaining('- Flaky.'),
      },
    ]);
    expect(answer).toMatchObject({ edit: edits[0]?.edit });
    const undone = made.ask('memory.undo', { edit: edits[0]?.edit ?? 0 });
    expect(made.memoryMd).toBe(text);
    made.ask('memory.undo', { edit: undone.edit });
    expect(made.memoryMd).toBe(typed);
    rebuild(made.memory);
    expect(made.memoryMd).toBe(typed);
  });

  it('M19 a section that was removed comes back to its place', () => {
    const made = lived();
    const { text, version } = made.ask('memory.text', {});
    const typed = text.replace(/## Current State\n[\s\S]*?(?=## )/, '');
    made.ask('memory.saveText', { text: typed, base: version });
    made.ask('memory.undo', { edit: 0 });
    expect(made.memoryMd).toBe(text);
  });

  it('M19 a save can be undone after a hook has written, and what the hook wrote stays', () => {
    const made = lived();
    const { text, version } = made.ask('memory.text', {});
    made.ask('memory.saveText', {
      text: text.replace('## Core Decisions\n', '## Core Decisions\n\n- Tabs.\n'),
      base: version,
    });
    summarised(made, 'The port was changed.', '2026-11-16_1000');
    made.ask('memory.undo', { edit: 0 });
    expect(made.memoryMd).not.toContain('Tabs');
    expect(made.memoryMd).toContain('The port was changed.');
  });

  it('M19 undo of a save leaves what was changed in an editor in the very same millisecond', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const made = lived();
    const byVim = made.memoryMd.replace('## Core Decisions\n', '## Core Decisions\n\n- By vim.\n');
    writeFileSync(memoryMdPath(made.memory), byVim);
    const { text, version } = made.ask('memory.text', {});
    const typed = text.replace('## Known Issues\n', '## Known Issues\n\n- In the window.\n');
    const saved = made.ask('memory.saveText', { text: typed, base: version });
    if (!saved.saved) throw new Error('not saved');
    expect(made.ask('memory.history', { from: 0, count: 10 }).edits).toHaveLength(2);
    made.ask('memory.undo', { edit: saved.edit ?? -1 });
    expect(made.memoryMd).toContain('By vim.');
    expect(made.memoryMd).not.toContain('In the window.');
  });

  it('M19 remembers the newest of many texts and forgets the oldest', () => {
    const made = lived();
    const { texts } = new ProjectCache(made.memory);
    const versions = Array.from({ length: 12 }, (_, n) => texts.add(`text ${n}`));
    expect(versions.map((version) => texts.find(version))).toEqual([
      ...Array.from({ length: 4 }, () => undefined),
      ...Array.from({ length: 8 }, (_, n) => `text ${n + 4}`),
    ]);
  });

  it('M19 a save that was changed since is not undone, with a reason', () => {
    const made = lived();
    const first = made.ask('memory.text', {});
    made.ask('memory.saveText', {
      text: first.text.replace('- Status: ', '- Status: one'),
      base: first.version,
    });
    const second = made.ask('memory.text', {});
    made.ask('memory.saveText', {
      text: second.text.replace('Status: one', 'Status: two'),
      base: second.version,
    });
    expect(made.ask('memory.history', {}).edits.map(({ canUndo }) => canUndo)).toEqual([
      true,
      false,
    ]);
    expect(() => made.ask('memory.undo', { edit: 0 })).toThrow('edit.changedSince');
    expect(made.memoryMd).toContain('Status: two');
    made.ask('memory.undo', { edit: 1 });
    made.ask('memory.undo', { edit: 0 });
    expect(made.memoryMd).toBe(first.text);
  });

  it('M3 a project without one has an empty text, and the first save creates it', () => {
    const made = new AskedMemory();
    made.say('s1', { user: 'Hello.' });
    const { text, version } = made.ask('memory.text', {});
    expect(text).toBe('');
    expect(made.ask('memory.saveText', { text: '# Ours\n', base: version })).toMatchObject({
      saved: true,
    });
    expect(made.memoryMd).toBe('# Ours\n');
  });

  it('M19 a file that somebody removed is restored, not overwritten', () => {
    const made = lived();
    const before = made.memoryMd;
    rmSync(memoryMdPath(made.memory));
    const { version } = made.ask('memory.text', {});
    expect(made.ask('memory.saveText', { text: 'new', base: version })).toMatchObject({
      saved: false,
      theirs: before,
    });
    expect(readFileSync(memoryMdPath(made.memory), 'utf8')).toBe(before);
  });
});

describe('the page of a search hit', () => {
  it('M17 is the whole text of a summary; any other file is refused', () => {
    const made = new AskedMemory();
    made.say('s1', { user: 'Hello.' });
    const text = '# June\n\nThe ferry timetable was imported.\n';
    writeFileSync(join(made.memory.sessions, '2026-06.md'), text);
    const [hit] = made.ask('search.find', { words: 'ferry timetable', layers: ['summary'] });
    const target = hit && hitTarget(hit);
    expect(target).toMatchObject({ kind: 'page' });
    const path = target?.kind === 'page' ? target.path : '';
    expect(made.ask('memory.page', { path })).toEqual({ text });
    writeFileSync(join(made.root, 'secret.md'), 'not memory');
    for (const other of [
      join(made.root, 'secret.md'),
      join(made.memory.sessions, '../../../secret.md'),
      made.memory.index,
    ])
      expect(() => made.ask('memory.page', { path: other })).toThrow('memory.summaryGone');
  });
});
