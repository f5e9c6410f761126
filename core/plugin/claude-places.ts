/**
 * Where the `claude` program may be, in search order: the folders of PATH, then where its
 * installers put it on each system (G4). An application that is started from a dock or a menu has a
 * short PATH and needs the second part. Reads nothing but the folders of version managers.
 */
import { readdirSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { attempt } from '../platform/store/attempt.ts';

/**
 * The npm package has the program itself here; what npm puts beside it for Windows is a script for
 * a shell.
 */
const IN_NPM_PACKAGE = ['node_modules', '@anthropic-ai', 'claude-code', 'bin', 'claude.exe'];

export function claudePlaces(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] {
  const known =
    platform === 'win32' ? onWindows(env) : platform === 'darwin' ? onMac(env) : onLinux(env);
  return [...new Set([...onPath(platform, env), ...known])];
}

function onPath(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] {
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? ''; // `Path` on Windows
  if (platform === 'win32')
    return path
      .split(';')
      .flatMap((folder) => (win32.isAbsolute(folder) ? windowsPrograms(folder) : []));
  return path
    .split(':')
    .flatMap((folder) => (posix.isAbsolute(folder) ? [posix.join(folder, 'claude')] : []));
}

const windowsPrograms = (folder: string) => [
  win32.join(folder, 'claude.exe'),
  win32.join(folder, ...IN_NPM_PACKAGE),
];

function onWindows(env: NodeJS.ProcessEnv): string[] {
  const user = env.USERPROFILE ?? '';
  const local = env.LOCALAPPDATA || win32.join(user, 'AppData', 'Local');
  const roaming = env.APPDATA || win32.join(user, 'AppData', 'Roaming');
  return [
    win32.join(user, '.local', 'bin'),
    win32.join(env.CLAUDE_CONFIG_DIR || win32.join(user, '.claude'), 'local'),
    win32.join(local, 'Microsoft', 'WinGet', 'Links'),
    win32.join(user, 'scoop', 'shims'),
    win32.join(roaming, 'npm'),
    win32.join(local, 'pnpm'),
    win32.join(local, 'Volta', 'bin'),
    win32.join(user, '.bun', 'bin'),
    ...(env.NPM_CONFIG_PREFIX ? [env.NPM_CONFIG_PREFIX] : []),
    win32.join(env.ProgramFiles || 'C:\\Program Files', 'nodejs'),
  ].flatMap(windowsPrograms);
}

function onMac(env: NodeJS.ProcessEnv): string[] {
  const home = env.HOME ?? '';
  return inFolders([
    ...ofUser(env),
    posix.join(home, 'Library/pnpm'),
    '/opt/homebrew/bin',
    '/usr/local/bin',
    '/opt/local/bin',
  ]);
}

function onLinux(env: NodeJS.ProcessEnv): string[] {
  const home = env.HOME ?? '';
  const brew = ['/home/linuxbrew/.linuxbrew/bin', posix.join(home, '.linuxbrew/bin')];
  return inFolders([
    ...ofUser(env),
    posix.join(home, '.local/share/pnpm'),
    '/usr/local/bin',
    '/usr/bin',
    ...brew,
    '/snap/bin',
  ]);
}

const inFolders = (folders: string[]) => folders.map((folder) => posix.join(folder, 'claude'));

/** What macOS and Linux have in common. */
function ofUser(env: NodeJS.ProcessEnv): string[] {
  const home = env.HOME ?? '';
  const local = posix.join(env.CLAUDE_CONFIG_DIR || posix.join(home, '.claude'), 'local');
  const prefix = env.npm_config_prefix ?? env.NPM_CONFIG_PREFIX;
  return [
    posix.join(home, '.local/bin'),
    local,
    posix.join(local, 'node_modules/.bin'),
    ...(prefix ? [posix.join(prefix, 'bin')] : []),
    ...[
      '.npm-global/bin',
      '.npm/bin',
      '.volta/bin',
      '.bun/bin',
      '.asdf/shims',
      '.local/share/mise/shims',
      'n/bin',
    ].map((folder) => posix.join(home, folder)),
    ...ofVersions(posix.join(home, '.nvm/versions/node'), 'bin'),
    ...ofVersions(posix.join(home, '.local/share/fnm/node-versions'), 'installation/bin'),
    ...ofVersions(
      posix.join(home, 'Library/Application Support/fnm/node-versions'),
      'installation/bin',
    ),
  ];
}

/** npm's global programs lie with the version of Node.js that installed them; the newest first. */
function ofVersions(folder: string, below: string): string[] {
  const versions = attempt(() => readdirSync(folder), []).sort((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  );
  return versions.map((version) => posix.join(folder, version, below));
}
