import { expect, it } from 'vitest';
import { editedThing } from './edit-words.ts';

it.each([
  ['facts', 'issues', 'i004', 'issue i004'],
  ['facts', 'permanent.core_logic', 'l001', 'core logic l001'],
  ['concepts', 'concepts', 'c002', 'concept c002'],
  ['memory', '*', '', 'memory.md'],
  ['memory', 'Recent Context', '2026-01-02_1403', 'memory.md, Recent Context, 2026-01-02_1403'],
  ['facts', 'mine', '', 'facts.json, mine'],
] as const)('M19 an edit of %s %s %s is told as people name it', (document, part, id, words) => {
  expect(editedThing({ document, part, id })).toBe(words);
});
