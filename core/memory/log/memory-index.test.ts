import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { projectMemory } from '../../projects/project-memory.ts';
import {
  readMemoryIndex,
  readWorkMarks,
  savedProgress,
  updateMemoryIndex,
} from './memory-index.ts';

const PROGRESS = { file: 'a.l1.jsonl', offset: 7, inode: 3, l1Bytes: 5, pending: {} };

function memoryWith(index: string) {
  const home = tempFolder();
  const memory = projectMemory(
    { claude: join(home, '.claude'), home: join(home, 'ours') },
    join(home, 'project'),
  );
  mkdirSync(dirname(memory.index), { recursive: true });
  writeFileSync(memory.index, index);
  return memory;
}

describe('the saved progress of one session', () => {
  it('F2 is the same as in the whole index', () => {
    const memory = memoryWith(
      JSON.stringify({
        version: 1,
        sessions: { one: { ...PROGRESS, isOver: false }, two: { ...PROGRESS, isOver: true } },
      }),
    );
    for (const session of ['one', 'two'])
      expect(readMemoryIndex(memory).sessions[session]).toMatchObject(
        savedProgress(memory, session) ?? {},
      );
    expect(savedProgress(memory, 'two')).toEqual({
      file: 'a.l1.jsonl',
      offset: 7,
      inode: 3,
      l1Bytes: 5,
      isOver: true,
    });
    expect(savedProgress(memory, 'three')).toBeUndefined();
  });

  it.each([
    ['half a file', '{"version":1,"sessions":{"one":'],
    ['a list', '[]'],
    ['another version', JSON.stringify({ version: 2, sessions: { one: PROGRESS } })],
    [
      'a way out of the folder',
      JSON.stringify({ version: 1, sessions: { one: { ...PROGRESS, file: '../a' } } }),
    ],
    [
      'a number that is none',
      JSON.stringify({ version: 1, sessions: { one: { ...PROGRESS, offset: '7' } } }),
    ],
    ['no sessions', JSON.stringify({ version: 1, sessions: [] })],
  ])('F2 is not known from %s', (_, index) => {
    expect(savedProgress(memoryWith(index), 'one')).toBeUndefined();
  });
});

describe('the index as a whole', () => {
  it('M2 an invalid session does not cost the others', () => {
    const memory = memoryWith(
      JSON.stringify({
        version: 1,
        sessions: { one: PROGRESS, two: { ...PROGRESS, l1Bytes: null }, three: 3 },
      }),
    );
    updateMemoryIndex(memory, (index) => ({ ...index, toolCount: 1 }));
    expect(Object.keys(readMemoryIndex(memory).sessions)).toEqual(['one']);
  });
});

describe('the marks of work that is due', () => {
  it('F8 is the same as in the whole index', () => {
    const progress = {
      ...PROGRESS,
      isOver: true,
      summarisedBytes: 4,
      factsBytes: 3,
      coveredBytes: 2,
      toolsSinceFacts: 1,
    };
    const attempts = {
      delta: { tries: 1, subject: {}, busyUntil: 12, claudePid: 7 },
      'facts one': { tries: 2, subject: {} },
    };
    const sessions = { one: progress, two: { ...PROGRESS, isOver: false } };
    const memory = memoryWith(JSON.stringify({ version: 1, toolCount: 9, sessions, attempts }));
    const marks = readWorkMarks(memory);
    expect(readMemoryIndex(memory)).toMatchObject(JSON.parse(JSON.stringify(marks)));
    expect(marks.sessions.one).toEqual(without(progress, 'offset', 'inode', 'pending'));
    expect(marks).toMatchObject({
      toolCount: 9,
      attempts: { delta: { busyUntil: 12, claudePid: 7 } },
    });
  });

  it.each([
    ['half a file', '{"version":1,"toolCount":9,"sessions":{"one":'],
    ['another version', JSON.stringify({ version: 2, toolCount: 9, sessions: { one: PROGRESS } })],
    [
      'what is of another kind',
      JSON.stringify({
        version: 1,
        toolCount: '9',
        sessions: { one: null, two: 'x' },
        attempts: [3],
      }),
    ],
  ])('F8 is that there is none in %s', (_, index) => {
    expect(readWorkMarks(memoryWith(index))).toEqual({ sessions: {}, attempts: {} });
  });
});

function without(record: object, ...fields: string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field)));
}
