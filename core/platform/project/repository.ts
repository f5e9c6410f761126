/**
 * Finds the git repository that a folder belongs to, without running git. What lies in the folder
 * is not believed (T1): a `.git` file that points to another repository counts only if that
 * repository points back, as it does to its worktrees and submodules. So a copied or forged `.git`
 * file never stands for somebody else's repository.
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { attempt } from '../store/attempt.ts';
import { readInProject } from './read-in-project.ts';

export interface Repository {
  /** Its own `.git` folder, or the bare repository; all worktrees share it. Links are followed. */
  gitFolder: string;
  /** The main checkout, or the bare repository. */
  root: string;
}

export interface Checkout {
  /** The folder with the `.git`: of a worktree its own, not the main one. */
  root: string;
  /** Undefined where the `.git` proves nothing: then the folder stands for itself alone. */
  repository?: Repository | undefined;
}

/** `gitdir: <path>`, a path and a line break; longer ones are no such files. */
const MAX_LINK_BYTES = 8 * 1024;
const MAX_CONFIG_BYTES = 1024 * 1024;

/** The checkout that stands in this very folder. */
export function checkoutAt(root: string): Checkout | undefined {
  const git = join(root, '.git');
  const info = attempt(() => lstatSync(git), undefined); // a name may be too long to be one
  if (info === undefined) {
    const gitFolder = isBare(root) ? realPath(root) : undefined;
    return gitFolder === undefined ? undefined : { root, repository: repositoryOf(gitFolder) };
  }
  if (info.isDirectory()) return { root, repository: repositoryOf(realPath(git)) };
  if (info.isFile()) return { root, repository: linkedRepository(root) };
  return { root }; // a link can lead to any repository
}

function isBare(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));
}

/** The repository that a `.git` file points to, if that points back. */
function linkedRepository(root: string): Repository | undefined {
  const gitFolder = linkedFolder(root);
  if (gitFolder === undefined) return undefined;
  return worktreeOf(root, gitFolder) ?? submoduleAt(root, gitFolder);
}

/** Where a `.git` file points to. */
function linkedFolder(root: string): string | undefined {
  const target = lineIn(root, '.git')?.match(/^gitdir: (.+)$/)?.[1];
  return target === undefined ? undefined : realPath(resolve(root, target));
}

/** Git keeps of each worktree `<repository>/worktrees/<name>`, with the path of its `.git` file. */
function worktreeOf(root: string, gitFolder: string): Repository | undefined {
  const back = lineIn(gitFolder, 'gitdir');
  const common = lineIn(gitFolder, 'commondir');
  if (back === undefined || common === undefined) return undefined;
  const repository = realPath(resolve(gitFolder, common));
  const isListedThere = repository === dirname(dirname(gitFolder));
  const isThisOne = realPath(resolve(gitFolder, back)) === realPath(join(root, '.git'));
  return isListedThere && isThisOne ? repositoryOf(repository) : undefined;
}

/** A submodule's git folder names its checkout in its own configuration. */
function submoduleAt(root: string, gitFolder: string): Repository | undefined {
  const checkout = configuredCheckout(gitFolder);
  return checkout !== undefined && checkout === realPath(root)
    ? { gitFolder, root: checkout }
    : undefined;
}

function repositoryOf(gitFolder: string | undefined): Repository | undefined {
  if (gitFolder === undefined) return undefined;
  if (basename(gitFolder) === '.git') return { gitFolder, root: dirname(gitFolder) };
  // Any folder can be made to look like a bare repository and name any checkout as its own.
  const checkout = configuredCheckout(gitFolder);
  const isItsOwn = checkout !== undefined && linkedFolder(checkout) === gitFolder;
  return { gitFolder, root: isItsOwn ? checkout : gitFolder };
}

function configuredCheckout(gitFolder: string): string | undefined {
  const config = readInProject(gitFolder, 'config', MAX_CONFIG_BYTES);
  if (config.state !== 'ok') return undefined;
  let section = '';
  for (const line of config.text.split('\n').map((one) => one.trim())) {
    if (line.startsWith('[')) section = line;
    const [name = '', ...value] = line.split('=');
    if (section !== '[core]' || name.trim() !== 'worktree') continue;
    return realPath(
      resolve(
        gitFolder,
        value
          .join('=')
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      ),
    );
  }
  return undefined;
}

function lineIn(folder: string, name: string): string | undefined {
  const file = readInProject(folder, name, MAX_LINK_BYTES);
  return file.state === 'ok' ? file.text.trimEnd() : undefined;
}

function realPath(path: string): string | undefined {
  return attempt(() => realpathSync.native(path), undefined); // not there, or not for us
}
