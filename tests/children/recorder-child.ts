/**
 * Records work in a memory, and at the given step, one of the moments before each call that changes
 * a file, kills itself or saves memory.md and facts.json as a person would. Run by journal.test.ts.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const [, , root = '', turn = '0', what = '', at = '-1'] = process.argv;
let step = 0;
const { writeSync, readFileSync, writeFileSync } = fs;

function moment(isOfEdited = false): void {
  if (step++ !== Number(at)) return;
  if (what === 'kill') process.kill(process.pid, 'SIGKILL');
  // Between the last look and the rename nobody can be noticed; a person would have to hit a few
  // microseconds.
  else if (isOfEdited) step--;
  else saveAsAPerson();
}

function saveAsAPerson(): void {
  const { folder } = memoryAt(root);
  const memoryMd = join(folder, 'memory.md');
  const facts = join(folder, 'facts.json');
  writeFileSync(
    memoryMd,
    readFileSync(memoryMd, 'utf8').replace(
      '## Current State',
      '- By hand, meanwhile.\n\n## Current State',
    ),
  );
  const file = JSON.parse(readFileSync(facts, 'utf8'));
  file.notes.push({ content: 'Written by hand meanwhile.' });
  writeFileSync(facts, JSON.stringify(file));
}

function mined<A extends unknown[], R>(call: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    moment(/(?:memory\.md|facts\.json)$/.test(String(args[1] ?? '')));
    return call(...args);
  };
}

fs.renameSync = mined(fs.renameSync);
fs.linkSync = mined(fs.linkSync);
fs.unlinkSync = mined(fs.unlinkSync);
fs.rmSync = mined(fs.rmSync);
fs.fsyncSync = mined(fs.fsyncSync);
fs.writeSync = ((
  file: number,
  data: Buffer,
  from: number = 0,
  length: number = data.length - from,
) => {
  moment();
  return writeSync(file, data, from, Math.ceil(length / 2));
}) as typeof fs.writeSync;
syncBuiltinESMExports();

const { memoryAt, recordWork } = await import('../bed/recorded-work.ts');
recordWork(memoryAt(root), Number(turn));
process.stdout.write(String(step));
