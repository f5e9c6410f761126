import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../tests/bed/temp-folder.ts';
import { compileAtOnce } from './compile-at-once.ts';

const PROGRAMS = ['session-start', 'prompt', 'keep', 'status-line'];

/** As bundled programs are: what is called stands behind its call, and names its neighbours. */
const PROGRAM = `const text = "한글"; const told = first();
function first() { return second() + text; }
function seldom() { return "never"; }
function second() { return typeof seldom; }
console.log(told);`;

it('G8 the functions that hooks call are compiled at once, and the programs do the same as before', () => {
  const folder = tempFolder();
  for (const program of PROGRAMS) writeFileSync(join(folder, `${program}.cjs`), PROGRAM);
  compileAtOnce(folder);
  for (const program of PROGRAMS) {
    const path = join(folder, `${program}.cjs`);
    const text = readFileSync(path, 'utf8');
    for (const called of ['first', 'second'])
      expect(text).toContain(`var ${called}=(function ${called}()`);
    expect(text).toContain('\nfunction seldom()');
    expect(spawnSync(process.execPath, [path], { encoding: 'utf8' }).stdout).toBe('function한글\n');
  }
});

it('G8 a hook that fails ends the build', () => {
  const folder = tempFolder();
  for (const program of PROGRAMS) writeFileSync(join(folder, `${program}.cjs`), PROGRAM);
  writeFileSync(join(folder, 'prompt.cjs'), 'process.exit(3)');
  expect(() => compileAtOnce(folder)).toThrow('prompt.cjs prompt failed');
  const log =
    "const folder = process.env.HOME + '/.claude/memory-keeper'; require('node:fs').mkdirSync(folder, { recursive: true });";
  writeFileSync(
    join(folder, 'prompt.cjs'),
    `${log} require('node:fs').writeFileSync(folder + '/hooks.log', 'it broke')`,
  );
  expect(() => compileAtOnce(folder)).toThrow('a hook failed: it broke');
});
