/**
 * Finds the `claude` program and its version (G4): on PATH, then where its installers put it on each
 * system, because an application that is started from a dock or a menu has a short PATH. A program
 * that does not run is reported: "not installed" would mislead the user.
 */
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { ExpectedError } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import type { RunProgram } from '../platform/process/run-program.ts';
import { attempt } from '../platform/store/attempt.ts';
import { compareVersions } from '../platform/text/versions.ts';

/** On a machine that is busy with much else it takes long; "not installed" would be wrong then. */
const VERSION_TIMEOUT_MS = 45_000;
/** Plugins may bring code that runs inside from this version on. */
const FIRST_WITH_MODS = '2.1.287';

/** `~` is the home folder, `*` each version of Node.js, the newest first. */
const MAC_AND_LINUX = [
  '~/.npm-global/bin',
  '~/.npm/bin',
  '~/.volta/bin',
  '~/.bun/bin',
  '~/.asdf/shims',
  '~/.local/share/mise/shims',
  '~/n/bin',
  '~/.nvm/versions/node/*/bin',
  '~/.local/share/fnm/node-versions/*/installation/bin',
  '~/Library/Application Support/fnm/node-versions/*/installation/bin',
];
const MAC = ['~/Library/pnpm', '/opt/homebrew/bin', '/usr/local/bin', '/opt/local/bin'];
const LINUX = [
  '~/.local/share/pnpm',
  '/usr/local/bin',
  '/usr/bin',
  '/home/linuxbrew/.linuxbrew/bin',
  '~/.linuxbrew/bin',
  '/snap/bin',
];
/** The program itself; what npm puts beside it for Windows is a script for a shell. */
const IN_NPM_PACKAGE = 'node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe';

export interface ClaudeProgram {
  path: string;
  version: string;
}

export interface FindOptions {
  env: NodeJS.ProcessEnv;
  run: RunProgram;
  platform?: NodeJS.Platform;
  /** Instead of all places of this system. */
  candidates?: readonly string[];
}

export type ClaudeSearch = { ok: true; claude: ClaudeProgram } | { ok: false; problem: Message };

export async function findClaude(options: FindOptions): Promise<ClaudeSearch> {
  const { env, run, platform = process.platform } = options;
  const failures: Message[] = [];
  const candidates = options.candidates ?? claudePlaces(platform, env);
  for (const path of candidates.filter(isProgram)) {
    const answer = await run(path, ['--version'], {
      timeoutMs: VERSION_TIMEOUT_MS,
      env: claudeEnvironment(path, env, platform),
    });
    const version = /\d+\.\d+\.\d+/.exec(answer.stdout)?.[0];
    if (answer.ok && version !== undefined) return { ok: true, claude: { path, version } };
    failures.push(
      answer.ok
        ? message('plugin.claudeNoVersion', { path })
        : message('plugin.claudeFails', { path, reason: firstLine(answer.reason) }),
    );
  }
  return { ok: false, problem: failures[0] ?? message('plugin.claudeNotFound') };
}

/** The first program of that name, without running it; refuses if there is none. */
export function claudeOnDisk(env: NodeJS.ProcessEnv, platform = process.platform): string {
  const path = claudePlaces(platform, env).find(isProgram);
  if (path === undefined) throw new ExpectedError(message('plugin.claudeNotFound'));
  return path;
}

const firstLine = (reason: Message | string) =>
  typeof reason === 'string' ? (reason.split('\n')[0] ?? '') : reason;

function isProgram(path: string): boolean {
  const isExecutableFile = () => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  };
  return attempt(isExecutableFile, false); // most places have none
}

/** In search order. */
export function claudePlaces(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] {
  const isWindows = platform === 'win32';
  const { isAbsolute } = isWindows ? win32 : posix;
  const [, path] = pathVariable(env);
  const onPath = path.split(isWindows ? ';' : ':').filter((folder) => isAbsolute(folder));
  const programs = isWindows
    ? [...onPath, ...windowsFolders(env)].flatMap((folder) => [
        win32.join(folder, 'claude.exe'),
        win32.join(folder, IN_NPM_PACKAGE),
      ])
    : [...onPath, ...posixFolders(env, platform === 'darwin' ? MAC : LINUX)].map((folder) =>
        posix.join(folder, 'claude'),
      );
  return [...new Set(programs)];
}

/** Its name and value; Windows calls it `Path`. */
function pathVariable(env: NodeJS.ProcessEnv): [string, string] {
  const [name = 'PATH', value = ''] =
    Object.entries(env).find(([key]) => key.toUpperCase() === 'PATH') ?? [];
  return [name, value];
}

function windowsFolders(env: NodeJS.ProcessEnv): string[] {
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
  ];
}

function posixFolders(env: NodeJS.ProcessEnv, ofSystem: readonly string[]): string[] {
  const home = env.HOME ?? '';
  const local = posix.join(env.CLAUDE_CONFIG_DIR || posix.join(home, '.claude'), 'local');
  const prefix = env.npm_config_prefix ?? env.NPM_CONFIG_PREFIX;
  return [
    posix.join(home, '.local/bin'),
    local,
    posix.join(local, 'node_modules/.bin'),
    ...(prefix ? [posix.join(prefix, 'bin')] : []),
    ...[...MAC_AND_LINUX, ...ofSystem].flatMap((pattern) => expanded(pattern, home)),
  ];
}

function expanded(pattern: string, home: string): string[] {
  const [above = '', below] = pattern.split('/*/');
  const folder = above.startsWith('~') ? posix.join(home, above.slice(1)) : above;
  if (below === undefined) return [folder];
  return attempt(() => readdirSync(folder), [])
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((version) => posix.join(folder, version, below));
}

/**
 * No update of itself, nothing sent home, and no part of a session that we may be running in. Where
 * `claude` is a script of npm, its Node.js lies beside it.
 */
export function claudeEnvironment(
  path: string,
  env: NodeJS.ProcessEnv,
  platform = process.platform,
): NodeJS.ProcessEnv {
  const { CLAUDECODE: _, CLAUDE_CODE_ENTRYPOINT: __, ...rest } = env;
  const [name, folders] = pathVariable(env);
  const beside =
    platform === 'win32'
      ? `${folders};${win32.dirname(path)}`
      : `${folders}:${posix.dirname(path)}`;
  return {
    ...rest,
    [name]: beside.replace(/^[:;]/, ''),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
}

export function hasMods({ version }: ClaudeProgram): boolean {
  return compareVersions(version, FIRST_WITH_MODS) >= 0;
}
