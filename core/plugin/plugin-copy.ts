/**
 * The plugin that the application carries, and the copy of it that Claude Code loads. The copy lies
 * in our own folder under a path that never changes (B4): newer Claude Code reads it right there at
 * every start of a session, while the application may be moved, updated or mounted elsewhere.
 */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, win32 } from 'node:path';
import * as v from 'valibot';
import { ExpectedError, messageOf } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../platform/store/attempt.ts';
import { replaceFolder } from '../platform/store/file-changes.ts';
import type { Places } from '../platform/store/places.ts';
import { readSmallFile } from '../platform/store/read-file.ts';
import { windowsCallFiles } from './windows-calls-copy.ts';

const PLUGIN_NAME = 'memory-keeper';
/** Not `memory-keeper`: others who publish a plugin of that name call their marketplace so. */
export const MARKETPLACE_NAME = 'memory-keeper-app';
export const PLUGIN_ID = `${PLUGIN_NAME}@${MARKETPLACE_NAME}`;

const MANIFEST = join('.claude-plugin', 'plugin.json');
const Text = v.fallback(v.nullable(v.string()), null);
const Manifest = v.object({ name: Text, version: Text, description: Text });
const HOOKS = join('hooks', 'hooks.json');
const SERVERS = '.mcp.json';
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
      description: 'Saves Claude Code conversations and restores what matters after /clear.',
    },
  ],
};
const MARKETPLACE_TEXT = `${JSON.stringify(MARKETPLACE, null, 2)}\n`;

export const marketplaceFolder = (places: Places) => join(places.home, 'plugin-marketplace');
export const copyFolder = (places: Places) => join(marketplaceFolder(places), PLUGIN_NAME);
const marketplaceFile = (places: Places) =>
  join(marketplaceFolder(places), '.claude-plugin', 'marketplace.json');

/**
 * Looks beside the program's folder as the build leaves it, around it in the plugin's own copy of
 * the command line, below it in the sources, and among the resources of a packaged application.
 */
export function findBundledPlugin(programFolder: string, resources?: string): string | null {
  const around = ['../plugin', '..', '../dist/plugin', '../../dist/plugin'].map((path) =>
    join(programFolder, path),
  );
  const candidates = resources === undefined ? around : [join(resources, 'plugin'), ...around];
  return candidates.find((folder) => pluginVersion(folder) !== null) ?? null;
}

/** Null if the plugin is not there, or not one of ours. */
export function pluginVersion(folder: string): string | null {
  const manifest = readManifest(folder);
  return manifest?.name === PLUGIN_NAME ? manifest.version : null;
}

export function readManifest(folder: string): v.InferOutput<typeof Manifest> | undefined {
  const file = readSmallFile(join(folder, MANIFEST), MAX_MANIFEST_BYTES);
  const parsed = v.safeParse(Manifest, file.state === 'ok' ? parseJson(file.text) : undefined);
  return parsed.success ? parsed.output : undefined;
}

/** Typings for mods, which it writes into a plugin that it is started on; each version has its own. */
const WRITTEN_BY_CLAUDE_CODE = /^(?:\.claude-plugin[\\/]types[\\/].*|tsconfig\.json)$/;

/** Whether `folder` has each file of `wanted` as this system needs it; Claude Code adds others. */
export function holdsAllOf(folder: string, wanted: string, platform = process.platform): boolean {
  const entries = readdirSync(wanted, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(wanted, join(parentPath, name)))
    .filter((file) => !WRITTEN_BY_CLAUDE_CODE.test(file))
    .every((file) => {
      const other = join(folder, file);
      const isThere = statSync(other, { throwIfNoEntry: false })?.isFile() === true;
      return isThere && readFileSync(other).equals(contentFor(platform, wanted, file));
    });
}

function contentFor(platform: NodeJS.Platform, folder: string, file: string): Buffer {
  const content = readFileSync(join(folder, file));
  const forWindows = platform === 'win32' ? ON_WINDOWS.get(file) : undefined;
  return forWindows === undefined ? content : Buffer.from(forWindows(content.toString()));
}

/**
 * What hooks.json starts everywhere else: always the same text, whatever Claude Code makes of it.
 * Some ask first whether the mod has answered already, which it never does on Windows.
 */
const SHELL_HOOK =
  /^(?:\[ -n "\$\w+" \] && \[ "\$\w+" = "\$\w+" \] \|\| )?exec \/bin\/sh "\$CLAUDE_PLUGIN_ROOT"\/hooks\/run\.sh ([\w-]+)$/;

/**
 * Windows has no `/bin/sh`, so cmd and hooks/run.cmd start the hooks (G8); in the exec form, so that
 * neither Git Bash nor PowerShell is needed. A Claude Code that does not know `args` gives the bare
 * command to Git Bash (T7): a path with backslashes is no program there, while the word `cmd`
 * would run what stands in prompts. `call` comes first because cmd would take the quotes from a
 * path that it begins with, and a user's name may have blanks.
 */
function windowsHooks(text: string): string {
  const hooks: unknown = JSON.parse(text, (_, value) => {
    const [, task] = SHELL_HOOK.exec(value?.command) ?? [];
    return task === undefined ? value : { ...value, ...byCmd(task) };
  });
  return `${JSON.stringify(hooks, null, 2)}\n`;
}

/** The MCP server (K8), which Claude Code starts in the exec form everywhere. */
function windowsServers(text: string): string {
  const servers: unknown = JSON.parse(text, (_, value) =>
    value?.command === '/bin/sh' ? { ...value, ...byCmd(value.args.at(-1)) } : value,
  );
  return `${JSON.stringify(servers, null, 2)}\n`;
}

function byCmd(task: string): { command: string; args: string[] } {
  const command = win32.join(process.env.SystemRoot || 'C:\\Windows', 'System32', 'cmd.exe');
  const script = `\${CLAUDE_PLUGIN_ROOT}\\hooks\\run.cmd`;
  return { command, args: ['/d', '/c', 'call', script, task] };
}

/** The files that are others on Windows. */
const ON_WINDOWS = new Map([
  [HOOKS, windowsHooks],
  [SERVERS, windowsServers],
]);

export function isCopyWhole(places: Places): boolean {
  return (
    readSmallFile(marketplaceFile(places), MAX_MANIFEST_BYTES).state === 'ok' &&
    pluginVersion(copyFolder(places)) !== null
  );
}

/** To be called under the lock. Touches nothing that is current: a running session reads it. */
export function writeCopy(
  places: Places,
  bundledPlugin: string,
  platform = process.platform,
): void {
  const copy = copyFolder(places);
  const file = marketplaceFile(places);
  const copyFailed = (reason: Message) => message('plugin.copyFailed', { path: copy, reason });
  explainFailure(copyFailed, () => {
    const isCurrent =
      isSameFolder(bundledPlugin, copy) ||
      (existsSync(copy) && holdsAllOf(copy, bundledPlugin, platform));
    if (!isCurrent)
      replaceFolder(bundledPlugin, copy, (coming) => {
        if (platform === 'win32') makeForWindows(coming);
      });
    const current = readSmallFile(file, MAX_MANIFEST_BYTES);
    if (current.state !== 'ok' || current.text !== MARKETPLACE_TEXT)
      writeFileAtomic(file, MARKETPLACE_TEXT);
  });
}

function makeForWindows(folder: string): void {
  for (const file of ON_WINDOWS.keys())
    if (existsSync(join(folder, file)))
      writeFileAtomic(join(folder, file), contentFor('win32', folder, file));
  for (const [file, path] of windowsCallFiles())
    writeFileAtomic(join(folder, file), readFileSync(path));
}

/** The command line inside of the installed plugin carries that very plugin. */
function isSameFolder(a: string, b: string): boolean {
  const real = (path: string) => attempt(() => realpathSync.native(path), path);
  return real(a) === real(b);
}

/** Where the system refuses the action, says what was tried. */
export function explainFailure<T>(tried: (reason: Message) => Message, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new ExpectedError(tried(messageOf(error)));
  }
}
