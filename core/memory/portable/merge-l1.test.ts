import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { memoryAt } from '../../../tests/bed/recorded-work.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { entryLine, headerLine } from '../log/l1-line.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { readL1Range } from '../log/l1-store.ts';
import { mergeL1 } from './merge-l1.ts';

const FILE = '2026-11-16_0900-1a2b3c4d.l1.jsonl';
const SESSION = '6f8f4a3e-0000-4000-8000-000000000001';
const said = (id: string): L1Entry => ({
  ...{ id, ts: '2026-11-16T09:00:00.000Z', role: 'user', text: `words ${id}` },
});
const changed: L1Entry = {
  ...{ id: 'x', ts: '', role: 'tool', name: 'Edit', cmd: 'a.ts', change: '-a\n+b', output: '' },
};

function memoryWith(format: number, entries: readonly L1Entry[]): ProjectMemory {
  const memory = memoryAt(tempFolder());
  mkdirSync(memory.sessions, { recursive: true });
  const lines = [headerLine(SESSION, format), ...entries.map((entry) => entryLine(entry, format))];
  writeFileSync(join(memory.sessions, FILE), lines.map((line) => `${line}\n`).join(''));
  return memory;
}

it.each([
  [1, 2],
  [2, 1],
  [2, 2],
])(
  'L1b M20 a session of format %i gets what only a copy of format %i has, in its own format',
  (own, other) => {
    const ours = memoryWith(own, [said('a'), said('b')]);
    mergeL1(ours, memoryWith(other, [said('a'), said('c'), changed]));
    expect(readL1Range(ours, FILE)).toEqual([said('a'), said('b'), said('c'), changed]);
    const lines = readFileSync(join(ours.sessions, FILE), 'utf8').trim().split('\n').slice(1);
    expect(new Set(lines.map((line) => line[0]))).toEqual(new Set([own === 1 ? '{' : '[']));
  },
);
