/**
 * Counts up in a JSON file, in one of three ways, once it is told to begin. Run in several
 * processes at once by store.ts.
 */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { type DocumentKind, updateDocument } from '../core/platform/store/document.ts';

interface Counter {
  count: number;
}

const counterFile: DocumentKind<Counter> = {
  version: 1,
  schema: v.looseObject({ count: v.number() }),
  empty: () => ({ count: 0 }),
};

/** The ways to write the next count. */
const ways: Record<string, (path: string, turn: number) => unknown> = {
  document: (path) => updateDocument(path, counterFile, ({ count }) => ({ count: count + 1 })),
  plain: async (path) => writeFile(path, JSON.stringify({ count: (await plainCount(path)) + 1 })),
  bare: (path, turn) => writeDurably(path, JSON.stringify({ count: turn + 1 })),
};

/** Nothing protects the reader: the file may just have been emptied by another writer. */
async function plainCount(path: string): Promise<number> {
  try {
    return (JSON.parse(await readFile(path, 'utf8')) as Counter).count;
  } catch {
    return 0; // as a program does that takes a broken file for a new one
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(`${path}.new`, 'w');
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

const [, , way = '', path = '', times] = process.argv;
process.once('message', async () => {
  for (let turn = 0; turn < Number(times); turn++) await ways[way]?.(path, turn);
  process.disconnect();
});
process.send?.('ready');
