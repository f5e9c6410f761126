/**
 * One memory for all worktrees of a repository (M1), with real git and the real CLI: what is said in
 * one is found from the others, and removing checkouts loses nothing.
 */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ClaudeBed } from '../bed/claude.ts';
import { CLI } from '../bed/memory-keeper.ts';
import { MockApi } from '../bed/mock-api.ts';
import { PLUGIN } from '../bed/plugin-bed.ts';
import { run } from '../bed/run.ts';
import { describeWith } from '../bed/with-pieces.ts';

const MODEL = 'claude-sonnet-4-5';
/** In each checkout something else is said. */
const SAID = {
  main: 'The walrus guards the main gate.',
  'tree-a': 'The pelican guards the harbour.',
  'tree-b': 'The badger guards the cellar.',
};
const ANIMALS = ['walrus', 'pelican', 'badger'];

describeWith('worktrees', ['claude', 'git'], ({ claude }) => {
  let bed: ClaudeBed;
  let api: MockApi;
  const at = (name: string) => join(bed.root, name);
  const git = (folder: string, ...args: string[]) =>
    run('git', ['-C', folder, '-c', 'user.name=Kim', '-c', 'user.email=kim@example.com', ...args], {
      env: { ...bed.environment(api), GIT_CONFIG_NOSYSTEM: '1' },
    });
  const say = (folder: string, words: string) =>
    run(claude, ['-p', words, '--plugin-dir', PLUGIN, '--model', MODEL], {
      cwd: folder,
      env: bed.environment(api),
    });
  const memoryKeeper = (folder: string, ...args: string[]) =>
    run(process.execPath, [CLI, ...args], { cwd: folder, env: bed.environment(api) });
  /** Which of the animals a search in this folder finds. */
  async function found(folder: string, ...options: string[]): Promise<string[]> {
    const hits = await Promise.all(
      ANIMALS.map((animal) => memoryKeeper(folder, 'memory', 'search', animal, ...options)),
    );
    return ANIMALS.filter((animal, index) => hits[index]?.includes(`The ${animal} guards`));
  }

  beforeAll(async () => {
    bed = new ClaudeBed(claude);
    api = await MockApi.start();
    api.script(() => ({ text: 'Noted, and kept in mind for the rest of the work.' }));
    bed.addProject('main');
    writeFileSync(join(at('main'), 'README'), 'hello\n');
    await git(at('main'), 'init', '-q');
    await git(at('main'), 'add', '.');
    await git(at('main'), 'commit', '-qm', 'first');
    for (const tree of ['tree-a', 'tree-b'])
      await git(at('main'), 'worktree', 'add', '-q', at(tree));
    for (const [name, words] of Object.entries(SAID)) await say(at(name), words);
  });

  afterAll(async () => {
    await api?.stop();
    await bed?.remove();
  });

  it('M1 what is said in each is found from all, and nothing lies in the checkouts', async () => {
    for (const name of Object.keys(SAID)) {
      expect(await found(at(name)), name).toEqual(ANIMALS);
      expect(existsSync(join(at(name), '.claude')), name).toBe(false);
      expect(await git(at(name), 'status', '--short'), name).toBe('');
    }
    expect(readdirSync(join(bed.places.home, 'projects'))).toHaveLength(1);
  });

  it('M1 everything is still found after git worktree remove and git clean -fdx', async () => {
    await git(at('main'), 'worktree', 'remove', '--force', at('tree-a'));
    await git(at('main'), 'clean', '-fdxq');
    for (const name of ['main', 'tree-b']) expect(await found(at(name)), name).toEqual(ANIMALS);
  });

  it('M1 a clone that is deleted loses no word, and a repository at its path gets none', async () => {
    for (const name of ['tree-b', 'main']) rmSync(at(name), { recursive: true });
    expect(await found(bed.root, '--all-projects')).toEqual(ANIMALS);
    await run('git', ['init', '-q', at('main')]);
    expect(await found(at('main'))).toEqual([]);
    const { offers } = JSON.parse(await memoryKeeper(at('main'), 'memory', 'where', '--json'));
    expect(offers).toMatchObject([{ why: 'replaced', formerRoot: at('main'), sessions: 3 }]);
    await memoryKeeper(at('main'), 'memory', 'link', offers[0].id);
    expect(await found(at('main'))).toEqual(ANIMALS);
  });
});
