import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { linkOffers, linkPlace, refuseLink } from './link-place.ts';
import {
  allProjectPlaces,
  findProjectPlace,
  projectPlace,
  projectRoot,
  rememberCheckout,
} from './project-place.ts';

function home() {
  const root = tempFolder();
  const places = { claude: join(root, '.claude'), home: join(root, '.claude', 'memory-keeper') };
  const env = { HOME: join(root, 'nowhere') };
  return {
    root,
    places,
    place: (folder: string) => projectPlace(places, folder, env),
    find: (folder: string) => findProjectPlace(places, folder, env),
    folder: (...parts: string[]) => {
      const path = join(root, ...parts);
      mkdirSync(path, { recursive: true });
      return path;
    },
  };
}

/** As `git init` leaves it, as far as we look. */
function repository(root: string): string {
  for (const name of ['objects', 'refs']) mkdirSync(join(root, '.git', name), { recursive: true });
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(root, '.git', 'config'), '[core]\n\tbare = false\n');
  return root;
}

/** As `git worktree add` leaves it. */
function worktree(gitFolder: string, root: string, name = basename(root)): string {
  const own = join(gitFolder, 'worktrees', name);
  mkdirSync(own, { recursive: true });
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, '.git'), `gitdir: ${own}\n`);
  writeFileSync(join(own, 'gitdir'), `${join(root, '.git')}\n`);
  writeFileSync(join(own, 'commondir'), '../..\n');
  return root;
}

/** As `git submodule add` leaves it. */
function submodule(of: string, name: string): string {
  const [root, own] = [join(of, name), join(of, '.git', 'modules', name)];
  for (const name of ['objects', 'refs', 'HEAD']) mkdirSync(join(own, name), { recursive: true });
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, '.git'), `gitdir: ${relative(root, own)}\n`);
  writeFileSync(join(own, 'config'), `[core]\n\tworktree = ${relative(own, root)}\n`);
  return root;
}

describe('a project', () => {
  it('M1 has its place in the home, the same from each of its folders and in each process', () => {
    const { place, folder, places, root } = home();
    const app = repository(folder('app'));
    const { base, id } = place(app);
    expect(dirname(base)).toBe(join(places.home, 'projects'));
    expect(basename(base)).toMatch(/^app-[0-9a-f]{12}$/);
    expect(place(folder('app', 'src', 'deep'))).toMatchObject({ base, id, root: app });
    expect(readdirSync(app)).toEqual(['.git', 'src']);
    expect(readdirSync(root).sort()).toEqual(['.claude', 'app']);
  });

  it('M1 is shared by all worktrees, of a bare repository too', () => {
    const { place, folder } = home();
    const app = repository(folder('app'));
    const feature = worktree(join(app, '.git'), join(folder('trees'), 'feature'));
    expect(place(feature)).toEqual(place(app));
    const bare = folder('lib.git');
    for (const name of ['objects', 'refs', 'HEAD']) mkdirSync(join(bare, name));
    const lib = worktree(bare, join(folder('trees'), 'lib'));
    expect(place(lib)).toEqual(place(bare));
    expect(place(lib)).toMatchObject({ root: bare, name: 'lib.git' });
  });

  it('M1 is one of its own in a submodule, which is a repository', () => {
    const { place, folder } = home();
    const app = repository(folder('app'));
    const library = submodule(app, 'library');
    expect(place(library)).toMatchObject({ root: library });
    expect(place(library).base).not.toBe(place(app).base);
    expect(place(join(app, '.git', 'modules', 'library')).root).toBe(library);
  });

  it('M1 is found from inside its git folder', () => {
    const { place, folder } = home();
    const app = repository(folder('app'));
    expect(place(join(app, '.git')).base).toBe(place(app).base);
  });

  it('M1 stays the same when a folder becomes a repository, and when it is none any more', () => {
    const { place, folder } = home();
    const notes = folder('notes');
    const { base } = place(notes);
    repository(notes);
    expect(place(notes).base).toBe(base);
    rmSync(join(notes, '.git'), { recursive: true });
    expect(place(notes).base).toBe(base);
  });

  it('M1 is the folder itself without version control, and never the home folder', () => {
    const { places, folder } = home();
    const user = repository(folder('kim'));
    const notes = folder('kim', 'notes');
    const env = { HOME: user };
    expect(projectRoot(places, notes, env)).toBe(notes);
    expect(projectRoot(places, user, env)).toBe(user);
  });

  it('M1 a link to a project leads to the project', () => {
    const { place, folder, root } = home();
    const app = repository(folder('app'));
    symlinkSync(app, join(root, 'shortcut'));
    expect(place(join(root, 'shortcut'))).toEqual(place(app));
  });

  it('M1 two of one name are two', () => {
    const { place, folder } = home();
    const [one, other] = [repository(folder('a', 'app')), repository(folder('b', 'app'))];
    expect(place(one).base).not.toBe(place(other).base);
  });

  it('M1 asking creates nothing', () => {
    const { find, folder, places } = home();
    expect(find(repository(folder('app')))).toBeUndefined();
    expect(existsSync(places.home)).toBe(false);
  });
});

describe('what a repository brings', () => {
  it('T1 a .git file that points to another repository gets nothing of it', () => {
    const { place, folder } = home();
    const app = repository(folder('app'));
    const feature = worktree(join(app, '.git'), join(folder('trees'), 'feature'));
    const mine = place(app).base;
    const evil = folder('evil');
    for (const target of [join(app, '.git'), join(app, '.git', 'worktrees', 'feature')]) {
      writeFileSync(join(evil, '.git'), `gitdir: ${target}\n`);
      expect(place(evil)).toMatchObject({ root: evil });
      expect(place(evil).base).not.toBe(mine);
    }
    expect(place(feature).base).toBe(mine);
  });

  it('T1 a forged worktree that points back but is not listed by the repository gets nothing', () => {
    const { place, folder } = home();
    const app = repository(folder('app'));
    const evil = worktree(folder('evil', 'fake'), join(folder('evil'), 'tree'));
    writeFileSync(join(evil, '../fake/worktrees/tree/commondir'), `${join(app, '.git')}\n`);
    expect(place(evil).base).not.toBe(place(app).base);
  });

  it('T1 a folder that looks like a bare repository and names another checkout gets nothing', () => {
    const { place, folder } = home();
    const app = repository(folder('app'));
    const mine = place(app).base;
    const evil = folder('evil');
    for (const name of ['HEAD', 'objects', 'refs']) mkdirSync(join(evil, name));
    writeFileSync(join(evil, 'config'), `[core]\n\tworktree = ${app}\n`);
    expect(place(evil)).toMatchObject({ root: evil });
    expect(place(evil).base).not.toBe(mine);
    const tree = worktree(evil, join(folder('evil'), 'tree'));
    expect(place(tree)).toEqual(place(evil));
  });

  it('T1 a .git that is a link to another repository gets nothing', () => {
    const { place, folder } = home();
    const app = repository(folder('app'));
    const evil = folder('evil');
    symlinkSync(join(app, '.git'), join(evil, '.git'));
    expect(place(evil).base).not.toBe(place(app).base);
  });

  it("T1 a submodule's git folder that names another checkout gets nothing", () => {
    const { place, folder } = home();
    const app = repository(folder('app'));
    const library = submodule(app, 'library');
    const evil = folder('evil');
    writeFileSync(join(evil, '.git'), `gitdir: ${join(app, '.git/modules/library')}\n`);
    expect(place(evil).base).not.toBe(place(library).base);
  });

  it.each([
    ['a huge file', (git: string) => writeFileSync(git, `gitdir: ${'x'.repeat(100_000)}`)],
    ['garbage', (git: string) => writeFileSync(git, '\0\xff gitdir')],
    ['a link to a device', (git: string) => symlinkSync('/dev/zero', git)],
    ['a link to itself', (git: string) => symlinkSync('.git', git)],
  ])('T4 %s as .git makes the folder stand for itself', (_, make) => {
    const { place, folder } = home();
    const evil = folder('evil');
    make(join(evil, '.git'));
    expect(place(evil)).toMatchObject({ root: evil });
  });

  it('T1 a repository that lies where a known one was is another project', () => {
    const { place, find, folder, places } = home();
    const app = repository(folder('app'));
    const mine = place(app);
    rmSync(app, { recursive: true });
    const other = place(repository(folder('app')));
    expect(other.base).not.toBe(mine.base);
    // Its own memory is not lost: it goes by the name of its place.
    expect(find(mine.base)).toMatchObject({ base: mine.base, root: mine.base, name: 'app' });
    expect(allProjectPlaces(places)).toHaveLength(2);
  });
});

describe('a checkout that is gone', () => {
  it('M1 leads to its memory by its path', () => {
    const { place, find, folder, places } = home();
    const app = repository(folder('app'));
    const { base } = place(app);
    const feature = worktree(join(app, '.git'), join(folder('trees'), 'feature'));
    rememberCheckout(places, feature);
    rmSync(feature, { recursive: true });
    expect(find(feature)).toMatchObject({ base, root: app });
    rmSync(app, { recursive: true });
    expect(find(app)).toMatchObject({ base, root: app });
    expect(find(feature)).toMatchObject({ base });
  });

  it('M1 that was moved is linked by the user', () => {
    const { place, find, folder, places, root } = home();
    const app = repository(folder('app'));
    const mine = place(app);
    const moved = join(root, 'moved');
    renameSync(app, moved);
    expect(find(moved)).toBeUndefined();
    expect(linkOffers(places, moved)).toMatchObject([{ formerRoot: app, why: 'moved' }]);
    expect(linkPlace(places, moved, mine)).toMatchObject({ base: mine.base, root: moved });
    expect(place(moved)).toEqual({ ...mine, root: moved, name: 'moved' });
    expect(allProjectPlaces(places)).toEqual([place(moved)]);
  });
});

describe('memories that may belong to a folder', () => {
  it('M1 are those whose own checkout is gone: at this path, or of this name', () => {
    const { place, folder, places, root } = home();
    const gone = repository(folder('old', 'app'));
    const replaced = repository(folder('new', 'app'));
    const [first, second] = [place(gone), place(replaced)];
    place(repository(folder('elsewhere', 'app'))); // lives on
    rmSync(join(root, 'old'), { recursive: true });
    rmSync(replaced, { recursive: true });
    const app = repository(folder('new', 'app'));
    const offered = () => linkOffers(places, app).map(({ place: { id }, why }) => [id, why]);
    expect(offered().sort()).toEqual(
      [
        [first.id, 'name'],
        [second.id, 'replaced'],
      ].sort(),
    );
    refuseLink(places, app, first);
    expect(offered()).toEqual([[second.id, 'replaced']]);
    expect(place(app).id).not.toBe(second.id);
    linkPlace(places, app, second);
    expect([place(app).id, offered()]).toEqual([second.id, []]);
  });
});

describe('scopes', () => {
  it('M1 give packages of a monorepo a memory of their own, the same in all worktrees', () => {
    const { place, folder } = home();
    const mono = repository(folder('mono'));
    const { base } = place(mono);
    mkdirSync(join(base, 'memory'));
    const scopes = 'packages/*,apps/web';
    writeFileSync(join(base, 'memory', 'config.json'), JSON.stringify({ scopes }));
    const web = place(folder('mono', 'apps', 'web', 'src'));
    expect(web).toMatchObject({ root: join(mono, 'apps', 'web'), name: 'web' });
    const [a, b] = ['a', 'b'].map((name) => place(folder('mono', 'packages', name)));
    expect(new Set([base, web.base, a?.base, b?.base]).size).toBe(4);
    expect(place(folder('mono', 'apps', 'shop')).base).toBe(base);
    expect(place(folder('mono', 'packages')).base).toBe(base);
    worktree(join(mono, '.git'), folder('tree'), 'tree');
    expect(place(folder('tree', 'packages', 'a'))).toEqual(a);
  });

  it('T2 are not taken from the repository', () => {
    const { place, folder } = home();
    const mono = repository(folder('mono'));
    writeFileSync(
      join(folder('mono', '.claude', 'memory'), 'config.json'),
      JSON.stringify({ scopes: '*' }),
    );
    expect(place(folder('mono', 'packages')).base).toBe(place(mono).base);
  });
});

it('M1 what 0.1.0 kept in the home stays where it is', () => {
  const { place, folder, places } = home();
  const app = repository(folder('my app'));
  // The name that 0.1.0 gave: the folder's and a hash of the path.
  const [, earlier = ''] = /(.*)-[0-9a-f]{8}$/.exec(earlierName(app)) ?? [];
  expect(earlier).toBe('my-app');
  mkdirSync(join(places.home, 'projects', earlierName(app), 'memory'), { recursive: true });
  expect(place(app).base).toBe(join(places.home, 'projects', earlierName(app)));
});

function earlierName(root: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(root)) hash = Math.imul(hash ^ byte, 0x01000193);
  return `my-app-${(hash >>> 0).toString(16).padStart(8, '0')}`;
}

it('T6 a home that cannot be written gives the reason', () => {
  const { folder, root } = home();
  const app = repository(folder('app'));
  writeFileSync(join(root, 'file'), '');
  const places = { claude: root, home: join(root, 'file', 'memory-keeper') };
  expect(projectPlace(places, app)).toMatchObject({ id: '', problem: { code: 'store.noPlace' } });
});
