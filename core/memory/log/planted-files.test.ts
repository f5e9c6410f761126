/** What is appended to must be our own file, whatever an index or a link says. */
import { existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { appendToJournal, journalPath } from './journal.ts';
import { saveL1 } from './l1-store.ts';
import { readMemoryIndex } from './memory-index.ts';

it('M18 the journal is not written through a link, even to nothing', () => {
  const made = new MadeMemory();
  made.say('s1', { user: 'Hello.' });
  const outside = join(made.root, 'profile');
  symlinkSync(outside, journalPath(made.memory));
  expect(() => appendToJournal(made.memory, [{ type: 'compress', at: made.now }])).toThrow(
    'store.isLink',
  );
  expect(existsSync(outside)).toBe(false);
});

it('M18 what is said is not written through a link', () => {
  const made = new MadeMemory();
  made.say('s1', { user: 'Hello.' });
  const path = join(made.memory.sessions, readMemoryIndex(made.memory).sessions.s1?.file ?? '');
  const outside = join(made.root, 'outside');
  renameSync(path, outside);
  symlinkSync(outside, path);
  const before = readFileSync(outside, 'utf8');
  expect(() => made.say('s1', { user: 'A secret of mine.' })).toThrow('store.isLink');
  expect(readFileSync(outside, 'utf8')).toBe(before);
});

it('M2 an index that names a path gets nothing written there', () => {
  const made = new MadeMemory();
  made.say('s1', { user: 'Hello.' });
  const transcript = readMemoryIndex(made.memory).sessions.s1?.transcript ?? '';
  const index = readFileSync(made.memory.index, 'utf8');
  writeFileSync(
    made.memory.index,
    index.replace(/"file": "[^"]+"/, '"file": "../../stolen.jsonl"'),
  );
  saveL1(made.memory, { sessionId: 's1', transcript });
  made.say('s1', { user: 'More.' });
  expect(existsSync(join(made.memory.base, '..', 'stolen.jsonl'))).toBe(false);
});
