/**
 * The plugin that the application carries, and the copy of it that Claude Code is told of. The copy
 * lies in our own folder under a path that never changes (B4): newer Claude Code reads the plugin
 * right there, at every start of a session, and the application itself may be moved, updated or
 * mounted somewhere else each time.
 */
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ExpectedError, messageOf } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../platform/store/attempt.ts';
import type { Places } from '../platform/store/places.ts';
import { removeFolder, replaceFolder } from '../platform/store/prune.ts';
import { readSmallFile } from '../platform/store/read-file.ts';
import { windowsHooks } from './windows-plugin.ts';

const PLUGIN_NAME = 'memory-keeper';
/** Not `memory-keeper`: others who publish a plugin of that name call their marketplace so. */
export const MARKETPLACE_NAME = 'memory-keeper-app';
export const PLUGIN_ID = `${PLUGIN_NAME}@${MARKETPLACE_NAME}`;

const MANIFEST = join('.claude-plugin', 'plugin.json');
const HOOKS = join('hooks', 'hooks.json');
const MAX_MANIFEST_BYTES = 64 * 1024;
const MARKETPLACE = {
  name: MARKETPLACE_NAME,
  owner: { name: 'The Memory Keeper authors' },
  metadata: {
    description: 'The plugin that the Memory Keeper application on this computer carries.',
  },
  plugins: [
    {
      name: PLUGIN_NAME,
      source: `./${PLUGIN_NAME}`,
      description: 'Keeps what is said in Claude Code sessions and gives it back after /clear.',
    },
  ],
};

export const marketplaceFolder = (places: Places) => join(places.home, 'plugin-marketplace');
export const copyFolder = (places: Places) => join(marketplaceFolder(places), PLUGIN_NAME);
const marketplaceFile = (places: Places) =>
  join(marketplaceFolder(places), '.claude-plugin', 'marketplace.json');
const marketplaceText = () => `${JSON.stringify(MARKETPLACE, null, 2)}\n`;

/**
 * The plugin that comes along with a program: beside its folder as the build leaves it, around it
 * in the plugin's own copy of the command line, below it in the sources, or among the resources of
 * a packaged application. Null if there is none.
 */
export function carriedPlugin(programFolder: string, resources?: string): string | null {
  const around = ['../plugin', '..', '../dist/plugin', '../../dist/plugin'].map((way) =>
    join(programFolder, way),
  );
  const candidates = resources === undefined ? around : [join(resources, 'plugin'), ...around];
  return candidates.find((folder) => pluginVersion(folder) !== null) ?? null;
}

/** Null if the plugin is not there, or not one of ours. */
export function pluginVersion(folder: string): string | null {
  const file = readSmallFile(join(folder, MANIFEST), MAX_MANIFEST_BYTES);
  const manifest =
    file.state === 'ok'
      ? (parseJson(file.text) as { name?: unknown; version?: unknown } | null | undefined)
      : undefined;
  return manifest?.name === PLUGIN_NAME && typeof manifest.version === 'string'
    ? manifest.version
    : null;
}

/**
 * Every file of the one stands in the other as this system needs it. What Claude Code adds to a
 * plugin's folder does not count.
 */
export function holdsAllOf(folder: string, wanted: string, platform = process.platform): boolean {
  const files = readdirSync(wanted, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.every(({ parentPath, name }) => {
    const file = relative(wanted, join(parentPath, name));
    const other = join(folder, file);
    const isThere = statSync(other, { throwIfNoEntry: false })?.isFile() === true;
    return isThere && readFileSync(other).equals(contentFor(platform, wanted, file));
  });
}

function contentFor(platform: NodeJS.Platform, folder: string, file: string): Buffer {
  const content = readFileSync(join(folder, file));
  return platform === 'win32' && file === HOOKS
    ? Buffer.from(windowsHooks(content.toString()))
    : content;
}

export function isCopyWhole(places: Places): boolean {
  return (
    readSmallFile(marketplaceFile(places), MAX_MANIFEST_BYTES).state === 'ok' &&
    pluginVersion(copyFolder(places)) !== null
  );
}

/**
 * Under the lock. What is there already as it should be is not touched: a running session reads it.
 */
export function writeCopy(places: Places, carried: string, platform = process.platform): void {
  const copy = copyFolder(places);
  const file = marketplaceFile(places);
  const copyFailed = (reason: Message | string) =>
    message('plugin.copyFailed', { path: copy, reason });
  explained(copyFailed, () => {
    const isCurrent =
      isSameFolder(carried, copy) || (existsSync(copy) && holdsAllOf(copy, carried, platform));
    if (!isCurrent) replaceFolder(carried, copy, (coming) => adapt(coming, platform));
    const current = readSmallFile(file, MAX_MANIFEST_BYTES);
    if (current.state !== 'ok' || current.text !== marketplaceText())
      writeFileAtomic(file, marketplaceText());
  });
}

function adapt(folder: string, platform: NodeJS.Platform): void {
  if (platform === 'win32')
    writeFileAtomic(join(folder, HOOKS), contentFor(platform, folder, HOOKS));
}

export function removeCopy(places: Places): void {
  removeFolder(marketplaceFolder(places));
}

/** Asked first, because node says of a new folder on a read-only disk that it does not exist. */
export function assertWritable(folder: string): void {
  const nearest = existsSync(folder) || dirname(folder) === folder ? folder : undefined;
  if (nearest === undefined) assertWritable(dirname(folder));
  else accessSync(nearest, constants.W_OK);
}

/** Where the system refuses it, says what was tried. */
export function explained<T>(tried: (reason: Message | string) => Message, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new ExpectedError(tried(messageOf(error)));
  }
}

/** The command line inside of the installed plugin carries no other one than itself. */
function isSameFolder(a: string, b: string): boolean {
  const real = (path: string) => attempt(() => realpathSync.native(path), path);
  return real(a) === real(b);
}
