import { describe, expect, it } from 'vitest';
import { AnyText } from '../../../tests/bed/any-text.ts';
import { seeds } from '../../../tests/bed/seeds.ts';
import { applyMemoryEdit, memoryEdits } from '../edits/document-edits.ts';
import {
  addMissingEntries,
  addRecentContext,
  entryIds,
  memoryParts,
  setMemoryPart,
} from './memory-md.ts';

const SEEDS = seeds(300);

/**
 * Where nothing was taken away, what is equal at the start and at the end is all that there was.
 */
function isInsertion(before: string, after: string): boolean {
  let [start, end] = [0, 0];
  while (start < before.length && before[start] === after[start]) start++;
  while (end < before.length && before.at(-1 - end) === after.at(-1 - end)) end++;
  return after.length >= before.length && start + end >= before.length;
}

describe('any text as memory.md', () => {
  it('M3 split and joined again, it is the same to the byte', () => {
    for (const seed of SEEDS) {
      const text = new AnyText(seed).text();
      const parts = new Map(
        memoryParts(text)
          .map((part) => [`${part.part}\n${part.id}`, part])
          .reverse() as [],
      );
      for (const part of parts.values() as Iterable<{ part: string; id: string; text: string }>)
        expect(setMemoryPart(text, part, part.text), `seed ${seed}, ${part.part}/${part.id}`).toBe(
          text,
        );
      expect(addMissingEntries(text, text, new Set()), `seed ${seed}`).toBe(text);
    }
  });

  it('M3 M7 adding a summary changes no byte of the rest', () => {
    for (const seed of SEEDS) {
      const text = new AnyText(seed).text();
      const after = addRecentContext(text, '2026-11-16_0900', 'What was said.');
      expect(isInsertion(text, after), `seed ${seed}: ${JSON.stringify([text, after])}`).toBe(true);
      expect(entryIds(after), `seed ${seed}`).toContain('2026-11-16_0900');
      expect(addRecentContext(after, '2026-11-16_0900', 'What was said.'), `seed ${seed}`).toBe(
        after,
      );
      const again = addRecentContext(after, '2026-11-16_1000', 'What was said then.');
      expect(isInsertion(after, again), `seed ${seed}`).toBe(true);
      expect([...entryIds(again)].filter((id) => !entryIds(text).has(id))).toEqual([
        '2026-11-16_0900',
        '2026-11-16_1000',
      ]);
    }
  });

  it('M19 the edits between two texts turn one into the other, to the byte', () => {
    let pieces = 0;
    for (const seed of SEEDS) {
      const any = new AnyText(seed);
      const before = any.text();
      for (const after of [any.changed(before), any.text()]) {
        const edits = memoryEdits(before, after);
        expect(edits.reduce(applyMemoryEdit, before), `seed ${seed}`).toBe(after);
        pieces += Number(edits.some(({ part }) => part !== '*'));
      }
    }
    expect(pieces).toBeGreaterThan(SEEDS.length / 10);
  });

  it('M3 handles thousands of sections in time', () => {
    const sections = (mark: string) =>
      Array.from({ length: 5000 }, (_, n) => `## ${n}\n\n- ${mark} of ${n}\n`).join('\n');
    const edits = memoryEdits(sections('this'), sections('that'));
    expect(edits).toMatchObject([{ part: '*', value: sections('that') }]);
  });
});
