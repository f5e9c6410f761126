/** Where things are: Claude Code's own folder and ours beside it, which variables can move. */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { attempt } from './attempt.ts';

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
export function userFolder(env: NodeJS.ProcessEnv): string {
  return env.HOME || env.USERPROFILE || process.getBuiltinModule?.('node:os').homedir() || '';
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
