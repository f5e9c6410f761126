import { expect, it } from 'vitest';
import { renderMessage } from '../../messages/all-messages.ts';
import { editLabel } from './edit-log.ts';

it.each([
  ['facts', 'issues', 'i004', 'Issue i004', '문제 i004'],
  ['facts', 'permanent.core_logic', 'l001', 'Core logic l001', '핵심 로직 l001'],
  ['concepts', 'concepts', 'c002', 'Concept c002', '개념 c002'],
  ['memory', '*', '', 'memory.md', 'memory.md'],
  [
    'memory',
    'Recent Context',
    '2026-01-02_1403',
    'memory.md, Recent Context, 2026-01-02_1403',
    'memory.md, Recent Context, 2026-01-02_1403',
  ],
  ['facts', 'mine', '', 'facts.json, mine', 'facts.json, mine'],
  ['facts', 'toString', 'x1', 'facts.json, toString, x1', 'facts.json, toString, x1'],
] as const)('M19 an edit of %s %s %s is named as people name it', (document, part, id, en, ko) => {
  const what = editLabel({ document, part, id });
  expect(renderMessage('en', what)).toBe(en);
  expect(renderMessage('ko', what)).toBe(ko);
});
