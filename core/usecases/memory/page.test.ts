import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AskedMemory } from '../../../tests/bed/asked-memory.ts';
import { hitTarget } from './hit-target.ts';

describe('a page that a hit leads to', () => {
  it('M17 the text of a summary is given as it stands; any other file is not', () => {
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
