/**
 * Installs, updates, repairs and removes the plugin in one click (G4), by Claude Code's own command
 * line. That alone changes Claude Code's settings, save that a connected status line and what was set
 * for long turns go with the plugin; memories stay. Whatever is in the way is an ExpectedError.
 */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { SessionFinder } from '../claude/sessions/live-sessions.ts';
import { earlierBackups } from '../memory/portable/earlier-moves.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { systemProcessTable } from '../platform/process/process-table.ts';
import { attempt } from '../platform/store/attempt.ts';
import { removeFolder } from '../platform/store/file-changes.ts';
import { holdLock } from '../platform/store/lock.ts';
import { nearestFolder, type Places } from '../platform/store/places.ts';
import { compareVersions } from '../platform/text/versions.ts';
import { ClaudeCommands } from './claude-commands.ts';
import { type ClaudeProgram, findClaude } from './find-claude.ts';
import { removeRuntime, writeRuntime } from './hook-runtime.ts';
import { takeBackLongTurns } from './long-turns.ts';
import {
  copyFolder,
  explainFailure,
  holdsAllOf,
  isCopyWhole,
  marketplaceFolder,
  pluginVersion,
  writeCopy,
} from './plugin-copy.ts';
import {
  manualSteps,
  type PluginOptions,
  type PluginStatus,
  statusWith,
  tooOldProblem,
} from './plugin-status.ts';
import { disconnectStatusLine } from './status-line-bridge.ts';
import { guardSettings } from './user-settings.ts';

/** The CLI's own calls take a minute each at the very most. */
const LOCK = { expiryMs: 10 * 60_000, timeoutMs: 300 };

/** Also repairs: afterwards the plugin is there, whole and switched on, whatever was missing. */
export function installPlugin(options: PluginOptions): Promise<PluginStatus> {
  return change(options, async (commands, bundledPlugin) => {
    refuseTooOld(commands.claude);
    await commands.addMarketplace();
    await commands.change('install');
    await bringUpToDate(commands, bundledPlugin, options.platform);
  });
}

/**
 * A plugin that the user has switched off stays off. On a Claude Code that is too old it is brought
 * up to date all the same: hooks of 0.1.0 are dangerous there (T7).
 */
export function updatePlugin(options: PluginOptions): Promise<PluginStatus> {
  return change(options, async (commands, bundledPlugin) => {
    const listed = await commands.plugin();
    if (listed === undefined) throw new ExpectedError(message('plugin.nothingToUpdate'));
    await commands.addMarketplace();
    await bringUpToDate(commands, bundledPlugin, options.platform);
    if (listed.enabled === false && (await commands.plugin())?.enabled === true)
      await commands.change('disable');
  });
}

/** Memories and our own settings stay; the status says where they are. */
export function uninstallPlugin(options: PluginOptions): Promise<PluginStatus> {
  const { places } = options;
  return locked(places, async () => {
    const claude = await requireClaude(options);
    const commands = new ClaudeCommands(claude, options);
    if ((await commands.plugin()) !== undefined) await commands.change('uninstall');
    if (await commands.hasMarketplace()) await commands.removeMarketplace();
    disconnectStatusLine(options);
    const notes = takeBackLongTurns(options);
    // A running session goes on with the plugin it has: without the files, each of its hooks would
    // be an error on the user's screen.
    if (!(await isSessionRunning(options)))
      explainFailure(
        (reason) => message('plugin.cannotRemove', { path: marketplaceFolder(places), reason }),
        () => {
          removeFolder(marketplaceFolder(places));
          removeRuntime(places);
        },
      );
    const status = await statusWith(options, { ok: true, claude });
    return { ...status, remains: remains(options), ...(notes.length > 0 && { notes }) };
  });
}

async function change(
  options: PluginOptions,
  action: (commands: ClaudeCommands, bundledPlugin: string) => Promise<void>,
): Promise<PluginStatus> {
  const { places, bundledPlugin, platform, runtime } = options;
  if (bundledPlugin === null) throw new ExpectedError(message('plugin.notIncluded'));
  return locked(places, async () => {
    refuseOlder(places, bundledPlugin);
    writeCopy(places, bundledPlugin, platform); // also where there is no CLI: the steps by hand need it
    if (runtime !== undefined)
      explainFailure(cannotWrite(places), () => writeRuntime(places, runtime, platform));
    const claude = await requireClaude(options);
    await action(new ClaudeCommands(claude, options), bundledPlugin);
    return statusWith(options, { ok: true, claude });
  });
}

/** Older versions of Claude Code keep a copy of their own until the version's number changes. */
async function bringUpToDate(
  commands: ClaudeCommands,
  bundledPlugin: string,
  platform?: NodeJS.Platform,
): Promise<void> {
  if (await isCurrent()) return;
  await commands.change('update');
  if (await isCurrent()) return;
  await commands.change('uninstall');
  await commands.change('install');

  async function isCurrent(): Promise<boolean> {
    const listed = await commands.plugin();
    const folder = listed?.readFromFolder ?? listed?.installPath;
    if (listed === undefined || folder === undefined) return false;
    return (
      listed.version === pluginVersion(bundledPlugin) && holdsAllOf(folder, bundledPlugin, platform)
    );
  }
}

function refuseTooOld({ version }: ClaudeProgram): void {
  const problem = tooOldProblem(version);
  if (problem !== undefined) throw new ExpectedError(problem);
}

function refuseOlder(places: Places, bundledPlugin: string): void {
  const [installed, ours] = [pluginVersion(copyFolder(places)), pluginVersion(bundledPlugin)];
  if (installed !== null && ours !== null && compareVersions(ours, installed) < 0)
    throw new ExpectedError(message('plugin.newerInstalled', { installed, carried: ours }));
}

async function requireClaude(options: PluginOptions): Promise<ClaudeProgram> {
  const search = await findClaude(options);
  if (search.ok) return search.claude;
  const { problem } = search;
  const steps = manualSteps(options.places);
  throw new ExpectedError(message('plugin.problemAndSteps', { problem, steps }));
}

async function isSessionRunning({ places, env, run }: PluginOptions): Promise<boolean> {
  const processes = systemProcessTable();
  const finder = new SessionFinder({ claudeFolder: places.claude, env, run, processes });
  return (await finder.find()).sessions.length > 0;
}

/** One at a time, with a check of Claude Code's settings before and after. */
async function locked<T>(places: Places, action: () => Promise<T>): Promise<T> {
  const lock = explainFailure(cannotWrite(places), () => {
    // Node says of a new folder on a read-only disk that it does not exist.
    accessSync(nearestFolder(places.home), constants.W_OK);
    return holdLock(marketplaceFolder(places), LOCK);
  });
  try {
    return await guardSettings(places, action);
  } finally {
    lock.release();
  }
}

const cannotWrite = (places: Places) => (reason: Message) =>
  message('plugin.cannotWrite', { path: places.home, reason });

/** At each start of the application, which may have been moved. The doctor reports a failure. */
export function renewRuntime({ places, runtime }: Pick<PluginOptions, 'places' | 'runtime'>): void {
  if (runtime !== undefined && isCopyWhole(places))
    attempt(() => writeRuntime(places, runtime), undefined);
}

/** Our home, and the old files of what 0.1.0 kept in projects. */
function remains({ places }: PluginOptions): string[] {
  const old = earlierBackups(places).flatMap(({ path }) => [
    join(path, 'memory'),
    join(path, 'sessions'),
  ]);
  return [places.home, ...old];
}
