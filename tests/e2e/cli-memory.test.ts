/** `memory-keeper memory …` as a person or a script meets it, over a project with a memory. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MadeMemory } from '../bed/made-memory.ts';
import { CLI } from '../bed/memory-keeper.ts';
import { PastHome } from '../bed/past-home.ts';

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

function memory(made: MadeMemory, ...args: string[]): Promise<Outcome> {
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

const json = async (made: MadeMemory, ...args: string[]) =>
  JSON.parse((await memory(made, ...args, '--json')).stdout);

function workedOn(): MadeMemory {
  const made = new MadeMemory();
  made.decide('s1', 'Prices are kept in cents.', { keywords: ['prices'] });
  made.decide('s1', '모든 로그는 JSON으로 남긴다.', { keywords: ['로그'] });
  made.say('s1', { tool: 'npm test', output: 'ok' }, { assistant: 'The tests pass.' });
  return made;
}

describe('memory facts, concepts, forget, undo', () => {
  it('M9 shows what is known, with --json each fact with its words', async () => {
    const made = workedOn();
    const { stdout } = await memory(made, 'facts');
    expect(stdout).toMatch(
      /^decisions:\n {2}d001 {2}Prices are kept in cents\. \(\d{4}-\d{2}-\d{2}, 1 session\)\n/,
    );
    const facts = await json(made, 'facts', '--kind', 'decisions');
    expect(facts.decisions[1].evidence[0].quote).toBe('모든 로그는 JSON으로 남긴다.');
    expect((await memory(made, 'concepts')).stdout).toContain('c001');
  });

  it('M19 a fact can be forgotten and brought back, with its evidence, and rebuilding changes neither', async () => {
    const made = workedOn();
    const before = made.facts.decisions;
    expect((await memory(made, 'forget', 'd001')).stdout).toContain(
      'Removed: Prices are kept in cents.',
    );
    await memory(made, 'rebuild');
    expect(made.facts.decisions.map(({ id }) => id)).toEqual(['d002']);
    expect((await memory(made, 'undo')).stdout).toBe('Undone: Decision d001\n');
    await memory(made, 'rebuild');
    expect(made.facts.decisions).toEqual(
      expect.arrayContaining(
        before.map((fact) => expect.objectContaining({ id: fact.id, evidence: fact.evidence })),
      ),
    );
    expect((await memory(made, 'undo')).stderr).toBe('memory-keeper: There is no change to undo\n');
  });

  it.each([
    [['forget'], 2, 'Name one fact by its id'],
    [['forget', 'd999'], 1, 'There is no fact d999'],
    [['facts', '--kind', 'rumours'], 2, 'Unknown kind "rumours"'],
    [['search'], 2, 'Name the words to search for'],
    [
      ['search', 'x', '--limit', 'many'],
      2,
      '--limit must be a whole number of 1 or more, not "many"',
    ],
    [['search', 'x', '--since', 'soon'], 2, '"soon" is not a date'],
    [['search', 'x', '--layer', 'l9'], 2, 'Unknown layer "l9"'],
    [['delta', 'frob'], 2, 'Unknown action "delta frob"'],
    [['rebuild', 'now'], 2, 'Too many arguments after "rebuild"'],
    [['show', '--replace'], 2, '"memory show" has no option --replace'],
    [['search', 'x', '--undo'], 2, '"memory search" has no option --undo'],
  ])('%j is answered in words', async (args, code, words) => {
    const outcome = await memory(workedOn(), ...args);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(words);
    expect(outcome.stdout).toBe('');
  });
});

describe('memory search', () => {
  it('M17 finds in all layers, in Korean and English, and can be narrowed down', async () => {
    const made = workedOn();
    expect((await memory(made, 'search', '로그')).stdout).toContain('JSON으로 남긴다');
    const { hits } = await json(made, 'search', 'prices cents');
    expect(new Set(hits.map((hit: { layer: string }) => hit.layer))).toEqual(
      new Set(['l1', 'l2', 'l3']),
    );
    expect((await json(made, 'search', 'prices', '--layer', 'l2')).hits).toHaveLength(1);
    expect((await json(made, 'search', 'prices', '--until', '2020-01-01')).hits).toEqual([]);
    expect((await memory(made, 'search', 'xylophone')).stdout).toBe(
      'No results for "xylophone".\n',
    );
  });
});

describe('memory delta', () => {
  it('F2 prints what scripts rely on', async () => {
    const made = workedOn();
    const extracted = await json(made, 'delta', 'extract');
    expect(extracted).toEqual({
      success: true,
      deltaFile: join(made.memory.folder, 'delta_temp.txt'),
      entryCount: 4,
      tokens: expect.any(Number),
    });
    expect(readFileSync(extracted.deltaFile, 'utf8')).toMatch(
      /^\[User\]: Prices[\s\S]*\[Tool: Bash\] npm test\nOutput: ok\n\n\[Assistant\]: The tests pass\.\n$/,
    );
    expect(await json(made, 'delta', 'mark-updated')).toEqual({ success: true });
    expect(await json(made, 'delta', 'cleanup')).toEqual({ success: true });
    expect(existsSync(extracted.deltaFile)).toBe(false);
    expect(await json(made, 'delta', 'extract')).toEqual({
      success: false,
      reason: 'There is nothing new to summarize',
      code: 'memory.nothingNew',
    });
  });

  it('M16 sums up what is due without a model', async () => {
    const made = workedOn();
    made.end('s1');
    await memory(made, 'delta', 'summarise');
    expect(made.memoryMd).toContain('The tests pass.');
  });
});

describe('memory verify and compress', () => {
  it('M2 says that all is well, or what is not, and fails then', async () => {
    const made = workedOn();
    expect(await memory(made, 'verify')).toMatchObject({
      code: 0,
      stdout: 'Checked 4 entries of 1 session and 2 facts: no problems.\n',
    });
    writeFileSync(join(made.memory.folder, 'concepts.json'), '{ broken');
    const outcome = await memory(made, 'verify');
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toContain('concepts.json is not valid JSON');
  });

  it('M12 writes the summary of a session that has ended', async () => {
    const made = workedOn();
    made.end('s1');
    const { summaries } = await json(made, 'compress');
    expect(readFileSync(join(made.memory.sessions, summaries[0]), 'utf8')).toContain(
      'd001: Prices are kept in cents.',
    );
  });
});

describe('memory import-history', () => {
  function past(home: PastHome, ...args: string[]): Promise<Outcome> {
    const env = { PATH: process.env.PATH, HOME: home.folder };
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [CLI, 'memory', 'import-history', ...args],
        { cwd: home.folder, env },
        (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
        },
      );
    });
  }

  it('L1d says what there is, imports it, and takes it back', async () => {
    const home = new PastHome();
    home.talk('one', { day: '2026-09-01' });
    home.talk('two', { day: '2026-09-02', cwd: join(home.folder, 'gone') });
    const told = await past(home, '--dry-run');
    expect(told.stdout).toContain('2 conversations in 2 projects, from 2026-09-01 to 2026-09-02');
    expect(told.stdout).toContain('gone (folder no longer exists): 1 conversation');
    expect(told.stdout).toContain('Claude Code deletes transcripts after 30 days');
    const some = JSON.parse((await past(home, '--except', 'gone', '--json')).stdout);
    expect(some).toMatchObject({ state: 'done', sessions: 1, problems: [] });
    expect((await past(home)).stdout).toMatch(/^Imported 1 conversation in 1 project/);
    const undone = await past(home, '--undo');
    expect(undone).toMatchObject({ code: 0, stdout: expect.stringContaining('Took back 1 ') });
    expect(await past(home, '--since', 'soon')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"soon" is not a date'),
    });
    expect(await past(home, '--undo', '--dry-run')).toMatchObject({ code: 2 });
  });
});
