import { describe, expect, it } from 'vitest';
import { lineOfPart } from './line-of-part.ts';
import { placeOf, previewBlocks } from './preview-blocks.ts';

describe('memory.md in blocks', () => {
  it('G2 is cut at headings, each block with its line', () => {
    expect(
      previewBlocks('# A\ntext\n\n## B\r\nmore').map(({ text, line }) => [line, text]),
    ).toEqual([
      [1, '# A\ntext\n'],
      [4, '## B\nmore'],
    ]);
  });

  it('G2 a line of the source is found in its block, with how far down', () => {
    const blocks = previewBlocks('# A\ntext\n\n## B\nmore');
    expect(placeOf(blocks, 1)).toEqual({ index: 0, share: 0 });
    expect(placeOf(blocks, 2.5)).toEqual({ index: 0, share: 0.5 });
    expect(placeOf(blocks, 4)).toEqual({ index: 1, share: 0 });
    expect(placeOf(blocks, 5)).toEqual({ index: 1, share: 0.5 });
    expect(placeOf(blocks, 99)).toEqual({ index: 1, share: 1 });
    expect(placeOf([], 3)).toEqual({ index: 0, share: 1 });
  });

  it('G2 a heading inside fenced code is no heading', () => {
    expect(previewBlocks('```\n# no\n```\n# yes')).toHaveLength(2);
    expect(previewBlocks('````\n```\n# no\n````\n# yes')).toHaveLength(2);
  });

  it('G2 a long section is cut at blank lines, so that it is drawn piece by piece', () => {
    const blocks = previewBlocks(`${'one sentence of it. '.repeat(20)}\n\n`.repeat(100));
    expect(blocks.length).toBeGreaterThan(5);
    expect(Math.max(...blocks.map(({ text }) => text.length))).toBeLessThan(6000);
  });

  it('G2 a huge line is shown as it is instead of being parsed', () => {
    const blocks = previewBlocks(`# A\n${'['.repeat(300_000)}\n**bold**`);
    expect(blocks.map(({ isPlain, line }) => [line, isPlain])).toEqual([
      [1, false],
      [2, true],
      [3, false],
    ]);
  });
});

describe('the line of a part', () => {
  const text =
    '# P\n\n## Core Decisions\n\n- a\n\n## Recent Context\n\n### 2026-11-15_0900\n\nx\n\n### 2026-11-15_0900\n\ny\n\n## I/O\n';

  it('M17 a section, an entry of it, and the second of one minute are found', () => {
    expect(lineOfPart(text, 'Core Decisions/')).toBe(3);
    expect(lineOfPart(text, 'Recent Context/2026-11-15_0900')).toBe(9);
    expect(lineOfPart(text, 'Recent Context/2026-11-15_0900#2')).toBe(13);
    expect(lineOfPart(text, 'I/O/')).toBe(17);
  });

  it('M17 what is gone leads nowhere', () => {
    expect(lineOfPart(text, 'Gone/')).toBeUndefined();
  });
});
