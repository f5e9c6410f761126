/**
 * Gets everything that the tests need and a fresh machine does not have: programs of the system (by
 * apt, as root on Debian or Ubuntu) and the real Claude Code CLI, in a cache outside the
 * repository. What cannot be had is told with its reason.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OLDEST_CLAUDE_CODE } from '../../core/claude/sessions/claude-version.ts';
import { resolveElectron } from '../../scripts/electron-runtime.ts';
import { findOnPath, installPackages } from './apt.ts';
import { run } from './run.ts';
import { textsOf } from './test-texts.ts';
import { prepareWindows } from './windows/prepare-windows.ts';
import { testCache } from './windows/windows-places.ts';

const CLAUDE_CODE_VERSION = process.env.CLAUDE_CODE_VERSION || '2.1.325';
/** One that ignores a plugin's modules and runs only its command hooks. */
const VERSION_WITHOUT_MODS = '2.1.240';
/** Those of `npm run test:versions`: supported ones, and two that are too old. */
const VERSIONS = [
  '2.1.326',
  '2.1.325',
  '2.1.300',
  '2.1.287',
  '2.1.240',
  '2.1.213',
  '2.1.138',
  '2.1.110',
] as const;

/** Program → Debian package. */
const PROGRAMS = {
  tmux: 'tmux',
  Xvfb: 'xvfb',
  xterm: 'xterm',
  xdotool: 'xdotool',
  openbox: 'openbox',
  xclip: 'xclip',
  setxkbmap: 'x11-xkb-utils',
  xprop: 'x11-utils',
  screen: 'screen',
  kitty: 'kitty',
  chromium: 'chromium',
  'dbus-daemon': 'dbus',
  git: 'git',
};

/** What Electron loads → Debian package. */
const LIBRARIES = {
  'libgtk-3.so.0': 'libgtk-3-0',
  'libnss3.so': 'libnss3',
  'libasound.so.2': 'libasound2',
  'libgbm.so.1': 'libgbm1',
  'libXtst.so.6': 'libxtst6',
  'libXss.so.1': 'libxss1',
  'libnotify.so.4': 'libnotify4',
  'libsecret-1.so.0': 'libsecret-1-0',
};

export type Piece = { path: string } | { missing: string };

interface Way {
  tell: (message: string) => void;
  /** Why apt could not install what is missing; empty if it could. */
  aptFailure: string;
}

const OTHERS = {
  claude: ({ tell }: Way) => claudeCode(CLAUDE_CODE_VERSION, tell),
  claudeWithoutMods: ({ tell }: Way) => claudeCode(VERSION_WITHOUT_MODS, tell),
  claudeOldest: ({ tell }: Way) => claudeCode(OLDEST_CLAUDE_CODE, tell),
  electron,
  /** Wine, node.exe and claude.exe (tests/bed/windows). */
  windows: ({ tell }: Way) => prepareWindows(tell),
  /** A file system of 64 KB can be mounted. */
  smallDisk,
  /** The next pid can be chosen. */
  pidChoice,
};

type VersionPiece = `claude ${(typeof VERSIONS)[number]}`;
export type PieceName = keyof typeof PROGRAMS | keyof typeof OTHERS | VersionPiece;
export type Bed = Record<PieceName, Piece>;
/** A version of Claude Code. */
export type CliPiece = Extract<PieceName, `claude${string}`>;

/** The names that stand in quotes in these files of tests, and in the cases that they import. */
export function piecesNamedIn(files: readonly string[]): PieceName[] {
  const texts = files.flatMap(textsOf);
  const versions = VERSIONS.map((version) => `claude ${version}`);
  const names = [...Object.keys(PROGRAMS), ...Object.keys(OTHERS), ...versions] as PieceName[];
  return names.filter((name) => texts.some((text) => text.includes(`'${name}'`)));
}

/** Gets these pieces and no others. */
export async function prepareBed<P extends PieceName>(
  pieces: readonly P[],
  tell: (message: string) => void,
): Promise<Pick<Bed, P>> {
  const way = { tell, aptFailure: await installMissing(pieces, tell) };
  const found = pieces.map(async (piece) => [piece, await getPiece(piece, way)]);
  return Object.fromEntries(await Promise.all(found));
}

function getPiece(piece: PieceName, way: Way): Piece | Promise<Piece> {
  const version = VERSIONS.find((one) => piece === `claude ${one}`);
  if (version !== undefined) return claudeCode(version, way.tell);
  return piece in OTHERS
    ? OTHERS[piece as keyof typeof OTHERS](way)
    : programOnPath(piece, way.aptFailure);
}

function programOnPath(program: string, aptFailure: string): Piece {
  const path = findOnPath(program);
  return path === undefined ? { missing: `${program} is not installed${aptFailure}` } : { path };
}

async function smallDisk(): Promise<Piece> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-keeper-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
    await run('umount', [folder]);
    return { path: 'mount' };
  } catch {
    return { missing: 'no permission to mount a small disk' };
  } finally {
    rmdirSync(folder);
  }
}

async function pidChoice(): Promise<Piece> {
  const path = '/proc/sys/kernel/ns_last_pid';
  try {
    writeFileSync(path, readFileSync(path));
    return { path };
  } catch {
    return { missing: 'no permission to choose the next pid' };
  }
}

/** Empty, or why what is missing could not be installed. */
async function installMissing(
  pieces: readonly PieceName[],
  tell: (message: string) => void,
): Promise<string> {
  const programs = Object.entries(PROGRAMS).filter(
    ([program]) => pieces.includes(program as PieceName) && findOnPath(program) === undefined,
  );
  const libraries = pieces.includes('electron') ? await missingLibraries() : [];
  const packages = [...programs, ...libraries].map(([, name]) => name);
  return installPackages(packages, tell);
}

async function missingLibraries(): Promise<[string, string][]> {
  if (process.platform !== 'linux') return [];
  const known = await run('/sbin/ldconfig', ['-p']).catch(() => '');
  return Object.entries(LIBRARIES).filter(([library]) => !known.includes(`\t${library} `));
}

async function electron(): Promise<Piece> {
  const runtime = await resolveElectron();
  const missing = (await missingLibraries()).map(([library]) => library);
  if ('reason' in runtime) return { missing: runtime.reason };
  return missing.length > 0
    ? { missing: `Electron needs ${missing.join(', ')}` }
    : { path: runtime.path };
}

async function claudeCode(version: string, tell: (message: string) => void): Promise<Piece> {
  const cache = testCache();
  const folder = join(cache, `claude-code-${version}`);
  if (!existsSync(folder)) {
    tell(`fetching Claude Code ${version} into ${cache}`);
    const unfinished = `${folder}.${process.pid}`;
    try {
      mkdirSync(unfinished, { recursive: true });
      const wanted = `@anthropic-ai/claude-code@${version}`;
      await run('npm', [
        'install',
        '--prefix',
        unfinished,
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        wanted,
      ]);
      renameSync(unfinished, folder);
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      return {
        missing: `Claude Code ${version} cannot be fetched: ${(error as Error).message.split('\n').at(-2)}`,
      };
    }
  }
  const scope = join(folder, 'node_modules', '@anthropic-ai');
  const platform = `claude-code-${process.platform}-${process.arch}`;
  const binaries = readdirSync(scope)
    .filter((name) => name.startsWith(platform))
    .map((name) => join(scope, name, 'claude'));
  // Older versions are a script for Node.js.
  const binary = [...binaries, join(scope, 'claude-code', 'cli.js')].find(existsSync);
  return binary === undefined
    ? { missing: `Claude Code ${version} has no binary for ${platform}` }
    : { path: binary };
}
