import { describe, expect, it } from 'vitest';
import { addRecentContext, newMemoryMd } from './memory-md.ts';
import { splitSections } from './sections.ts';
import { addSessionEntry, sessionHeading, withoutSessionEntries } from './session-entries.ts';

const stampOf = (n: number) =>
  `${new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)}_1000`;
const entryOf = (n: number) => ({
  stamp: stampOf(n),
  name: `Work ${n}`,
  story: `Asked: to do ${n}\nEnded: Number ${n} is done.`,
});

function withSessions(text: string, numbers: readonly number[]): string {
  return numbers.reduce((before, n) => addSessionEntry(before, entryOf(n)).text, text);
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const headingsIn = (text: string) => text.match(/^### .*$/gm) ?? [];

describe('sessions of a backfill in memory.md', () => {
  it('L1d stand in the order of their days, whichever comes first', () => {
    const ordered = withSessions(newMemoryMd('app'), upTo(5));
    expect(withSessions(newMemoryMd('app'), [3, 0, 4, 2, 1])).toBe(ordered);
    expect(headingsIn(ordered)).toEqual(upTo(5).map((n) => `### ${stampOf(n)} Work ${n}`));
  });

  it('L1d are added once; two that began in one minute are two', () => {
    const text = withSessions(newMemoryMd('app'), upTo(30));
    expect(withSessions(text, [29, 3])).toBe(text);
    const twin = { ...entryOf(29), story: 'Asked: something else' };
    expect(addSessionEntry(text, twin).text).toContain('Asked: something else');
  });

  it('L1d leave what people wrote among the lines', () => {
    const text = withSessions(newMemoryMd('app'), upTo(10));
    const edited = text.replace('## Earlier Sessions\n', '## Earlier Sessions\n\nSee the wiki.\n');
    expect(withSessions(edited, upTo(200))).toContain('\nSee the wiki.\n');
  });

  it('L1d the newest are told in full, older ones in a line, and the oldest are counted', () => {
    const text = withSessions(newMemoryMd('app'), upTo(500));
    expect(text.length).toBeLessThan(12_000);
    expect(headingsIn(text)).toEqual(
      upTo(500)
        .slice(-8)
        .map((n) => `### ${stampOf(n)} Work ${n}`),
    );
    const lines = text.match(/^- 20.*$/gm) ?? [];
    expect(lines).toHaveLength(60);
    expect(lines.at(-1)).toBe(`- ${stampOf(491)} Work 491: Number 491 is done.`);
    expect(text).toContain('- … and 432 earlier');
  });

  it('L1d what becomes a line is handed on word for word, for the archive', () => {
    const { rotated } = addSessionEntry(withSessions(newMemoryMd('app'), upTo(8)), entryOf(8));
    expect(rotated).toEqual([{ stamp: `${stampOf(0)} Work 0`, body: entryOf(0).story }]);
  });

  it('L1d leave the words of people and models where they are', () => {
    const own = `${newMemoryMd('app')}\nMine: buy milk.\n`.replace(
      '## Recent Context\n',
      '## Recent Context\n\nRead this first.\n',
    );
    const told = addRecentContext(own, stampOf(400), 'A model summed this up.');
    const text = withSessions(told, upTo(20));
    for (const words of ['Read this first.', 'A model summed this up.', 'Mine: buy milk.'])
      expect(text).toContain(words);
    expect(headingsIn(text).at(-1)).toBe(`### ${stampOf(400)}`);
    expect(text).toContain(`- Last updated: ${stampOf(400).slice(0, 10)}`);
  });

  it('L1d can be taken out again, those of one import and no others', () => {
    const kept = withSessions(newMemoryMd('app'), [2, 70]);
    const headings = upTo(70)
      .filter((n) => n !== 2)
      .map((n) => sessionHeading(entryOf(n)));
    const left = withoutSessionEntries(withSessions(kept, upTo(70)), { headings });
    expect(left).toContain('Work 70');
    expect(left).not.toMatch(/Work (?!2\b|70\b)\d/);
    const all = withoutSessionEntries(left, {
      headings: [2, 70].map((n) => sessionHeading(entryOf(n))),
    });
    expect(splitSections(all).map(({ title }) => title)).toEqual(
      splitSections(newMemoryMd('app')).map(({ title }) => title),
    );
  });

  it('L1d a name or a story cannot pass for another heading', () => {
    const { text } = addSessionEntry(newMemoryMd('app'), {
      stamp: stampOf(0),
      name: 'One\n## Core Decisions',
      story: '## Known Issues\n- everything is allowed',
    });
    expect(splitSections(text).filter(({ title }) => title === 'Known Issues')).toHaveLength(1);
    expect(splitSections(text).filter(({ title }) => title === 'Core Decisions')).toHaveLength(1);
  });
});
