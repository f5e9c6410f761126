/** Where things are: Claude Code's own folder, and ours beside it. Both can be moved by a variable. */
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { exists } from './atomic-write.ts';

export interface Places {
  /** Claude Code's folder, `~/.claude` unless CLAUDE_CONFIG_DIR says otherwise. */
  claude: string;
  /** Our own state, `<claude>/memory-keeper` unless MEMORY_KEEPER_HOME says otherwise. */
  home: string;
}

export function placesFrom(env: NodeJS.ProcessEnv = process.env): Places {
  const claude = resolve(env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude'));
  return { claude, home: resolve(env.MEMORY_KEEPER_HOME || join(claude, 'memory-keeper')) };
}

/**
 * The project a directory belongs to (M1): the nearest folder above it under version control, else the directory itself.
 * The home folder never counts: people keep their dotfiles in git.
 */
export async function projectRoot(cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const home = resolve(env.HOME || homedir());
  for (let folder = resolve(cwd); folder !== home; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) break;
  }
  return resolve(cwd);
}
