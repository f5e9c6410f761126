/**
 * Where things are: Claude Code's own folder and ours beside it, which variables can move; the
 * projects; and the memory of each.
 */
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { attempt } from './attempt.ts';
import { shortHash } from './owner.ts';

export interface Places {
  /** Claude Code's folder, `~/.claude` unless CLAUDE_CONFIG_DIR says otherwise. */
  claude: string;
  /** Our own state, `<claude>/memory-keeper` unless MEMORY_KEEPER_HOME says otherwise. */
  home: string;
}

export function placesFrom(env: NodeJS.ProcessEnv = process.env): Places {
  const user = userFolder(env);
  // A quoted ~ reaches us as it is.
  const absolute = (path: string) =>
    resolve(path.startsWith('~') ? path.replace(/^~(?=$|[/\\])/, user) : path);
  const claude = absolute(env.CLAUDE_CONFIG_DIR || join(user, '.claude'));
  return { claude, home: absolute(env.MEMORY_KEEPER_HOME || join(claude, 'memory-keeper')) };
}

/** Loads `node:os` only without HOME: it costs a hook a hundredth of its time. */
function userFolder(env: NodeJS.ProcessEnv): string {
  return env.HOME || env.USERPROFILE || process.getBuiltinModule?.('node:os').homedir() || '';
}

export interface ProjectFolders {
  memory: string;
  sessions: string;
  /** Both must lie within this folder once all links are followed. */
  within: string;
}

export type Storage = 'project' | 'home';

/**
 * Where a project's memory lives (M1): where the user wants it, unless it is in the other place
 * already; it is never moved silently. In the home folder `.claude` is Claude Code's own, so its
 * memory always lives in our folder.
 */
export function projectFolders(places: Places, root: string): ProjectFolders {
  const wanted = wantedStorage(places);
  const here = foldersIn(places, root, wanted);
  if (isUsed(here)) return here;
  const there = foldersIn(places, root, wanted === 'home' ? 'project' : 'home');
  return isUsed(there) ? there : here;
}

export function foldersIn(places: Places, root: string, storage: Storage): ProjectFolders {
  const isClaudes = join(root, '.claude') === places.claude;
  if (storage === 'project' && !isClaudes) return folders(join(root, '.claude'), root);
  return folders(join(places.home, 'projects', isClaudes ? 'home' : projectId(root)), places.home);
}

function folders(base: string, within: string): ProjectFolders {
  return { memory: join(base, 'memory'), sessions: join(base, 'sessions'), within };
}

function isUsed({ memory }: ProjectFolders): boolean {
  return existsSync(join(memory, 'memory-index.json'));
}

/** A recognisable, unique name. (`\p{L}` would take a hook two milliseconds to compile.) */
function projectId(root: string): string {
  return `${basename(root).replace(/[^a-zA-Z0-9.\u0080-\uffff-]/g, '-')}-${shortHash(root)}`;
}

/** Read before all other settings, because it says where the project's own settings are. */
export function wantedStorage(places: Places): Storage {
  const path = join(places.home, 'config.json');
  if (!existsSync(path)) return 'project';
  // readSettings reports a broken file
  const settings = attempt(() => JSON.parse(readFileSync(path, 'utf8')), undefined);
  return settings?.storage === 'home' ? 'home' : 'project';
}

/**
 * The project a directory belongs to (M1): the nearest folder above it under version control, else
 * the directory itself. The home folder never counts: people keep their dotfiles in git.
 */
export function projectRoot(cwd: string, env: NodeJS.ProcessEnv = process.env): string {
  const home = attempt(() => realpathSync.native(userFolder(env)), '');
  for (let folder = resolve(cwd); folder !== home; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) break;
  }
  return resolve(cwd);
}

/** All links followed: a cloned repository can bring links that lead anywhere. */
export function isWithin(path: string, folder: string): boolean {
  const [from, to] = [folder, path].map((end) => realpathSync.native(nearestFolder(end)));
  const between = relative(from ?? '', to ?? '');
  return !between.startsWith('..') && !isAbsolute(between);
}

/** The path itself if it exists, else the folder above it that does (G8). */
export function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

const OWNER_RIGHTS = 0o700;
const ALL_RIGHTS = constants.R_OK | constants.W_OK | constants.X_OK;

/**
 * Whether a folder keeps us out. Checks its mode too, because an administrator can write
 * everywhere, and the hooks of a session perhaps cannot.
 */
export function isInaccessible(folder: string): boolean {
  const { mode, uid } = statSync(folder);
  if (uid === process.geteuid?.() && (mode & OWNER_RIGHTS) !== OWNER_RIGHTS) return true;
  return attempt(() => accessSync(folder, ALL_RIGHTS), false) === false;
}
