import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { type Cursor, endOfLastLine, linesFromEnd, MAX_LINE_BYTES, readAppended } from './lines.ts';

const BEGINNING: Cursor = { offset: 0, inode: 0 };

function fileWith(content: string | Buffer): string {
  const path = join(tempFolder(), 'lines.jsonl');
  writeFileSync(path, content);
  return path;
}

function fromEnd(path: string, maxBytes = Number.MAX_SAFE_INTEGER): string[] {
  const file = openSync(path, 'r');
  try {
    const lines: string[] = [];
    for (const line of linesFromEnd(file, fstatSync(file).size, maxBytes))
      lines.push(line.toString());
    return lines;
  } finally {
    closeSync(file);
  }
}

const appended = (path: string, cursor: Cursor, maxBytes?: number) => {
  const result = readAppended(path, cursor, maxBytes);
  return { ...result, lines: result.lines.map(String) };
};

const allAppended = (path: string, from: Cursor): string[] => {
  const { lines, cursor, more } = appended(path, from);
  return more ? [...lines, ...allAppended(path, cursor)] : lines;
};

describe('linesFromEnd', () => {
  it('yields the newest line first', () => {
    expect(fromEnd(fileWith('a\nb\nc\n'))).toEqual(['c', 'b', 'a']);
  });

  it('yields a torn last line too, and no empty ones', () => {
    expect(fromEnd(fileWith('a\n\n\nb\ntorn'))).toEqual(['torn', 'b', 'a']);
    expect(fromEnd(fileWith(''))).toEqual([]);
    expect(fromEnd(fileWith('\n\n'))).toEqual([]);
  });

  it('understands CRLF', () => {
    expect(fromEnd(fileWith('a\r\nb\r\n'))).toEqual(['b', 'a']);
  });

  it('joins lines that span chunks, whatever their length', () => {
    const lengths = [1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 200_000, 3, 1_500_000, 2];
    const lines = lengths.map((length, index) => String(index).repeat(length).slice(0, length));
    expect(fromEnd(fileWith(`${lines.join('\n')}\n`))).toEqual(lines.reverse());
  });

  it('keeps characters whole across a chunk border', () => {
    const korean = '메모리 '.repeat(40_000);
    expect(fromEnd(fileWith(`${korean}\nend\n`))).toEqual(['end', korean]);
  });

  it('skips a line that is too long to hold, and goes on before it', () => {
    expect(fromEnd(fileWith(`before\n${'x'.repeat(MAX_LINE_BYTES + 5)}\nafter\n`))).toEqual([
      'after',
      'before',
    ]);
  });

  it('looks back no further than `maxBytes`', () => {
    const path = fileWith(`first\n${'x'.repeat(500_000)}\nlast\n`);
    expect(fromEnd(path, 100_000)).toEqual(['last']);
  });
});

describe('readAppended', () => {
  it('M4 returns each complete line once, and a torn one when it is whole', () => {
    const path = fileWith('a\nb\ntor');
    const first = appended(path, BEGINNING);
    expect(first.lines).toEqual(['a', 'b']);
    appendFileSync(path, 'n\nc\n');
    const second = appended(path, first.cursor);
    expect(second.lines).toEqual(['torn', 'c']);
    expect(appended(path, second.cursor).lines).toEqual([]);
  });

  it('M4 reads in portions and says when there is more', () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `line ${index} ${'x'.repeat(index)}`);
    const path = fileWith(`${lines.join('\n')}\n`);
    const seen: string[] = [];
    let cursor = BEGINNING;
    for (let more = true; more; ) {
      const part = appended(path, cursor, 4096);
      seen.push(...part.lines);
      ({ cursor, more } = part);
    }
    expect(seen).toEqual(lines);
    expect(cursor.offset).toBe(readFileSync(path).length);
  });

  it('reads a line that is longer than a portion', () => {
    const path = fileWith(`${'y'.repeat(100_000)}\nz\n`);
    const part = appended(path, BEGINNING, 1024);
    expect(part.lines[0]).toHaveLength(100_000);
  });

  it('starts again with a file that shrank', () => {
    const path = fileWith('a\nb\n');
    const { cursor } = appended(path, BEGINNING);
    truncateSync(path, 0);
    appendFileSync(path, 'c\n');
    expect(appended(path, cursor)).toMatchObject({ state: 'restarted', lines: ['c'] });
  });

  it('starts again with another file under the same name', () => {
    const path = fileWith('a\nb\n');
    const { cursor } = appended(path, BEGINNING);
    writeFileSync(`${path}.new`, 'longer than it was before\n');
    renameSync(`${path}.new`, path);
    expect(appended(path, cursor)).toMatchObject({
      state: 'restarted',
      lines: ['longer than it was before'],
    });
  });

  it('starts again with a rewritten file that got the same inode', () => {
    const path = fileWith('a\nb\n');
    const { cursor } = appended(path, BEGINNING);
    writeFileSync(path, 'another one\n');
    expect(appended(path, cursor)).toMatchObject({ state: 'restarted', lines: ['another one'] });
  });

  it('says that a file is gone, and keeps the place', () => {
    const path = fileWith('a\n');
    const { cursor } = appended(path, BEGINNING);
    rmSync(path);
    expect(appended(path, cursor)).toMatchObject({ state: 'gone', lines: [], cursor });
  });

  it('skips a line that is too long to hold', () => {
    const path = fileWith(`${'x y '.repeat(MAX_LINE_BYTES / 4 + 10)}\nafter\n`);
    expect(allAppended(path, BEGINNING)).toEqual(['after']);
  });

  it('L1a reads an overlong line without the images in it, wherever they are cut', () => {
    for (const shift of [0, 1, 4095, 4096, 500_000]) {
      const image = 'iVBORw0KGgo'.repeat(MAX_LINE_BYTES / 10);
      const line = (data: string) =>
        JSON.stringify({
          pad: ' '.repeat(shift),
          before: '이 그림',
          data,
          short: 'QUJD',
          after: 'see?',
        });
      const path = fileWith(`${line(image)}\n{"next":1}`);
      expect(allAppended(path, BEGINNING)).toEqual([line(''), '{"next":1}']);
      writeFileSync(path, line(image));
      expect(allAppended(path, BEGINNING)).toEqual([line('')]);
      expect(appended(path, BEGINNING).cursor.offset).toBe(Buffer.byteLength(line(image)));
    }
  });

  it('waits at an overlong line that is still being written', () => {
    const path = fileWith(`a\n${'x y '.repeat(MAX_LINE_BYTES / 4 + 10)}`);
    const { cursor } = appended(path, BEGINNING);
    expect(cursor.offset).toBe(2);
    appendFileSync(path, '\nafter\n');
    expect(allAppended(path, cursor)).toEqual(['after']);
  });

  it('L1a reads a last line without its newline once it is JSON, and never twice', () => {
    const path = fileWith('{"a":1}\n{"b":');
    const first = appended(path, BEGINNING);
    expect(first.lines).toEqual(['{"a":1}']);
    appendFileSync(path, '{}}');
    const second = appended(path, first.cursor);
    expect(second.lines).toEqual(['{"b":{}}']);
    expect(appended(path, second.cursor)).toMatchObject({ state: 'grown', lines: [] });
    // The session goes on, with or without the newline that was missing.
    for (const next of ['\n{"c":1}\n', '\r\n{"c":1}\n', '{"c":1}\n']) {
      const other = fileWith(`${readFileSync(path, 'utf8')}`);
      const { cursor } = appended(other, BEGINNING);
      appendFileSync(other, next);
      expect(appended(other, cursor)).toMatchObject({ state: 'grown', lines: ['{"c":1}'] });
    }
  });

  it('understands CRLF and skips empty lines', () => {
    expect(appended(fileWith('a\r\n\r\n\nb\r\n'), BEGINNING).lines).toEqual(['a', 'b']);
  });
});

describe('endOfLastLine', () => {
  it.each([
    ['a\nb\n', 4],
    ['a\nb', 2],
    ['no newline', 0],
    ['', 0],
    [`a\n${'x'.repeat(300_000)}`, 2],
  ])('%#', (content, offset) => {
    const file = openSync(fileWith(content), 'r');
    expect(endOfLastLine(file, content.length)).toBe(offset);
    closeSync(file);
  });
});
