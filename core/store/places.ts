/** Where things are: Claude Code's own folder, and ours beside it. Both can be moved by a variable. */
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { exists } from './atomic-write.ts';

export interface Places {
  /** Claude Code's folder, `~/.claude` unless CLAUDE_CONFIG_DIR says otherwise. */
  claude: string;
  /** Our own state, `<claude>/memory-keeper` unless MEMORY_KEEPER_HOME says otherwise. */
  home: string;
}

export function placesFrom(env: NodeJS.ProcessEnv = process.env): Places {
  const user = env.HOME || homedir();
  const absolute = (path: string) => resolve(path.replace(/^~(?=$|[/\\])/, user)); // a quoted ~ reaches us as it is
  const claude = absolute(env.CLAUDE_CONFIG_DIR || join(user, '.claude'));
  return { claude, home: absolute(env.MEMORY_KEEPER_HOME || join(claude, 'memory-keeper')) };
}

export interface ProjectFolders {
  memory: string;
  sessions: string;
  /** What both must lie within, all links followed. */
  within: string;
}

/** Where a project's memory lives (M1). In the home folder `.claude` is Claude Code's own, so its memory lives in our folder instead. */
export function projectFolders(places: Places, root: string): ProjectFolders {
  const isClaudes = join(root, '.claude') === places.claude;
  const base = isClaudes ? join(places.home, 'projects', 'home') : join(root, '.claude');
  return { memory: join(base, 'memory'), sessions: join(base, 'sessions'), within: isClaudes ? places.home : root };
}

/**
 * The project a directory belongs to (M1): the nearest folder above it under version control, else the directory itself.
 * The home folder never counts: people keep their dotfiles in git.
 */
export async function projectRoot(cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const home = await realpath(env.HOME || homedir()).catch(() => '');
  for (let folder = resolve(cwd); folder !== home; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) break;
  }
  return resolve(cwd);
}

/** Whether a path lies within a folder once all links are followed: a cloned repository can bring links that lead anywhere. */
export async function isWithin(path: string, folder: string): Promise<boolean> {
  const way = relative(await realpathOfExistingPart(folder), await realpathOfExistingPart(path));
  return !way.startsWith('..') && !isAbsolute(way);
}

async function realpathOfExistingPart(path: string): Promise<string> {
  return realpath(path).catch(async () => (dirname(path) === path ? path : realpathOfExistingPart(dirname(path))));
}
