/** `memory-keeper memory export` and `import` as a person or a script meets them (M20). */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderMessage } from '../../core/messages/all-messages.ts';
import { message } from '../../core/messages/message.ts';
import { MadeMemory } from '../bed/made-memory.ts';
import { madeArchive, textEntry } from '../bed/made-zip.ts';
import { CLI } from '../bed/memory-keeper.ts';
import { tempFolder } from '../bed/temp-folder.ts';

function memory(
  made: MadeMemory,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env.PATH,
    CLAUDE_CONFIG_DIR: made.places.claude,
    MEMORY_KEEPER_HOME: made.places.home,
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [CLI, 'memory', ...args],
      { cwd: made.root, env },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });
}

function workedOn(): MadeMemory {
  const made = new MadeMemory();
  made.decide('s1', 'Prices are kept in cents.', { keywords: ['prices'] });
  made.decide('s1', '모든 로그는 JSON으로 남긴다.', { keywords: ['로그'] });
  made.say('s1', { tool: 'npm test', output: 'ok' }, { assistant: 'The tests pass.' });
  return made;
}

async function answers(made: MadeMemory) {
  const texts = [];
  for (const question of [
    ['restore'],
    ['search', '로그'],
    ['search', 'prices', '--json'],
    ['facts'],
    ['show'],
    ['verify'],
  ])
    texts.push((await memory(made, ...question)).stdout);
  return texts;
}

describe('memory export and import', () => {
  it('M20 export, delete, import: restore, search, facts, show and verify answer as before', async () => {
    const made = workedOn();
    const before = await answers(made);
    expect((await memory(made, 'export', 'kept.zip')).stdout).toMatch(
      /^Exported \d+ files to .*kept\.zip\.\nIt contains your conversations/,
    );
    rmSync(made.places.home, { recursive: true, force: true });
    expect((await memory(made, 'show')).stdout).toContain('No memory has been saved');
    const preview = await memory(made, 'import', 'kept.zip', '--preview');
    expect(preview.stdout).toMatch(
      /^The memory of app would become the memory of this project.*Nothing was changed\.\n {2}1 session \(before: 0\)\n/,
    );
    expect(existsSync(made.memory.folder)).toBe(false);
    const { stdout } = await memory(made, 'import', 'kept.zip');
    expect(stdout).toMatch(
      /^The memory of app is now the memory of this project\.\n[\s\S]*To undo: memory-keeper memory import --undo\n$/,
    );
    expect(await answers(made)).toEqual(before);
  });

  it('M20 without a name the archive is named after the project and the time', async () => {
    const made = workedOn();
    const { file } = JSON.parse((await memory(made, 'export', '--json')).stdout);
    expect(readdirSync(made.root)).toContain(file.slice(made.root.length + 1));
    expect(file).toMatch(/app-memory-\d{4}-\d{2}-\d{2}_\d{4}\.zip$/);
  });

  it('M20 joins, and undo brings back what was there', async () => {
    const made = workedOn();
    const other = new MadeMemory({ day: '2026-11-10' });
    other.decide('t1', 'The logo is blue.');
    const file = join(tempFolder(), 'other.zip');
    await memory(other, 'export', file);
    const before = (await memory(made, 'facts')).stdout;
    const joined = await memory(made, 'import', file, '--json');
    expect(JSON.parse(joined.stdout)).toMatchObject({
      way: 'joined',
      before: { facts: 2 },
      after: { facts: 3 },
    });
    expect((await memory(made, 'facts')).stdout).toContain('The logo is blue.');
    expect((await memory(made, 'import', '--undo', '--preview')).stdout).toMatch(
      /^The memory from before the last import would be back\. Nothing was changed\.\n/,
    );
    const { stdout } = await memory(made, 'import', '--undo');
    expect(stdout).toMatch(/^The memory from before the last import is back\.\n[\s\S]*before: 3/);
    expect((await memory(made, 'facts')).stdout).toBe(before);
  });

  it.each([
    [['import'], 2, 'Name the file or folder'],
    [['import', 'a', 'b'], 2, 'Too many arguments'],
    [['export', 'a', 'b'], 2, 'Too many arguments'],
    [['export', 'nowhere/x.zip'], 1, 'No such folder: '],
    [['import', 'a.zip', '--undo'], 2, '--undo takes no file'],
    [['import', '--undo'], 1, renderMessage('en', message('archive.noUndo'))],
    [['import', 'missing.zip'], 1, 'No such file: '],
    [['import', 'evil.zip'], 1, 'Cannot import evil.zip: '],
  ])('%j: told in words', async (args, code, words) => {
    const made = workedOn();
    writeFileSync(join(made.root, 'evil.zip'), madeArchive([textEntry('memory/../../../evil.md')]));
    const facts = readFileSync(join(made.memory.folder, 'facts.json'), 'utf8');
    const outcome = await memory(made, ...args);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(words);
    expect(outcome.stderr).not.toMatch(/^\s+at /m);
    expect(readdirSync(made.root)).not.toContain('nowhere');
    expect(readFileSync(join(made.memory.folder, 'facts.json'), 'utf8')).toBe(facts);
  });
});
