/**
 * One click (G4): the plugin that the application carries gets into Claude Code, is brought up to
 * date, repaired and taken out again, by the `claude` program. Claude Code's settings are changed
 * by nobody else, save that a status line that was connected goes with the plugin; memories stay
 * where they are. Whatever is in the way is an ExpectedError, and what was there before goes on.
 */

import { SessionFinder } from '../claude/sessions/live-sessions.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { systemProcessTable } from '../platform/process/process-table.ts';
import type { RunProgram } from '../platform/process/run-program.ts';
import { attempt } from '../platform/store/attempt.ts';
import { holdLock } from '../platform/store/lock.ts';
import type { Places } from '../platform/store/places.ts';
import { knownProjects } from '../projects/known-projects.ts';
import { ClaudeCommands, type ListedPlugin } from './claude-commands.ts';
import {
  type ClaudeProgram,
  type ClaudeSearch,
  compareVersions,
  type FindOptions,
  findClaude,
  hasMods,
} from './find-claude.ts';
import { leaveRuntime, removeRuntime } from './hook-runtime.ts';
import { lastSeenAt } from './last-seen.ts';
import {
  assertWritable,
  copyFolder,
  explained,
  holdsAllOf,
  isCopyWhole,
  MARKETPLACE_NAME,
  marketplaceFolder,
  PLUGIN_ID,
  pluginVersion,
  removeCopy,
  writeCopy,
} from './plugin-copy.ts';
import type { PluginStatus } from './plugin-status.ts';
import { disconnectStatusLine } from './status-line-bridge.ts';
import { guardSettings, settingsProblem } from './user-settings.ts';

export interface PluginOptions extends FindOptions {
  places: Places;
  env: NodeJS.ProcessEnv;
  run: RunProgram;
  /** The folder of the plugin that comes along with this program; null if none does. */
  carried: string | null;
  /** A program of ours that can be Node.js for hooks, where this is a packaged application. */
  runtime?: string | undefined;
}

/** The CLI's own calls take a minute each at the very most. */
const LOCK = { expiryMs: 10 * 60_000, patienceMs: 300 };

export async function pluginStatus(options: PluginOptions): Promise<PluginStatus> {
  return statusWith(options, await findClaude(options));
}

async function statusWith(options: PluginOptions, search: ClaudeSearch): Promise<PluginStatus> {
  const { places, carried } = options;
  const status: PluginStatus = {
    cli: null,
    problem: null,
    isInstalled: false,
    isEnabled: false,
    installedVersion: null,
    carriedVersion: carried === null ? null : pluginVersion(carried),
    isOutdated: false,
    isDamaged: false,
    hasMods: null,
    lastSeenAt: lastSeenAt(places),
    manualSteps: [],
  };
  if (!search.ok) return { ...status, problem: search.problem, manualSteps: manualSteps(places) };
  const { claude } = search;
  const known = { ...status, cli: claude, hasMods: hasMods(claude) };
  let listed: ListedPlugin | undefined;
  try {
    listed = await new ClaudeCommands(claude, options).plugin();
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    const problem = message('plugin.lines', { lines: [error.said] });
    return { ...known, problem, manualSteps: manualSteps(places) };
  }
  if (listed === undefined) return { ...known, problem: settingsProblem(places) ?? null };
  return { ...known, ...installedStatus(options, listed) };
}

function installedStatus(
  { places, carried, platform }: PluginOptions,
  listed: ListedPlugin,
): Partial<PluginStatus> {
  const folder = listed.readFromFolder ?? listed.installPath ?? copyFolder(places);
  const installedVersion = pluginVersion(folder);
  const [loadError] = listed.errors ?? [];
  const isDamaged = installedVersion === null || loadError !== undefined || !isCopyWhole(places);
  return {
    isInstalled: true,
    isEnabled: listed.enabled === true,
    installedVersion: installedVersion ?? listed.version ?? null,
    isOutdated: !isDamaged && carried !== null && isOlder(folder, carried, platform),
    isDamaged,
    problem:
      loadError !== undefined
        ? message('plugin.loadError', { words: loadError })
        : isDamaged
          ? message('plugin.partMissing')
          : (settingsProblem(places) ?? null),
  };
}

/** A build of the same version with other files counts too. */
function isOlder(folder: string, carried: string, platform?: NodeJS.Platform): boolean {
  const difference = compareVersions(pluginVersion(folder) ?? '0', pluginVersion(carried) ?? '0');
  return difference < 0 || (difference === 0 && !holdsAllOf(folder, carried, platform));
}

/** Doing it twice does no harm: what is as it should be stays as it is. */
export async function installPlugin(options: PluginOptions): Promise<PluginStatus> {
  return change(options, async (commands, carried) => {
    await commands.addMarketplace();
    await commands.install();
    await bringUpToDate(commands, carried, options.platform);
  });
}

/** A plugin that the user has switched off stays so. */
export async function updatePlugin(options: PluginOptions): Promise<PluginStatus> {
  return change(options, async (commands, carried) => {
    const listed = await commands.plugin();
    if (listed === undefined) throw new ExpectedError(message('plugin.nothingToUpdate'));
    await commands.addMarketplace();
    await bringUpToDate(commands, carried, options.platform);
    if (listed.enabled === false && (await commands.plugin())?.enabled === true)
      await commands.disable();
  });
}

/** After this it is there, whole and switched on, whatever was missing. */
export async function repairPlugin(options: PluginOptions): Promise<PluginStatus> {
  return installPlugin(options);
}

/** Memories and our own settings stay: what they are is told with the status. */
export async function uninstallPlugin(options: PluginOptions): Promise<PluginStatus> {
  const { places } = options;
  return locked(places, async () => {
    const claude = await claudeOf(options);
    const commands = new ClaudeCommands(claude, options);
    if ((await commands.plugin()) !== undefined) await commands.uninstall();
    if (await commands.hasMarketplace()) await commands.removeMarketplace();
    disconnectStatusLine(options);
    // A session that runs goes on with the plugin it has: without the files, each of its hooks
    // would be an error on the user's screen.
    if (!(await isSessionRunning(options)))
      explained(
        (reason) => message('plugin.cannotRemove', { path: marketplaceFolder(places), reason }),
        () => {
          removeCopy(places);
          removeRuntime(places);
        },
      );
    return { ...(await statusWith(options, { ok: true, claude })), remains: remains(options) };
  });
}

async function change(
  options: PluginOptions,
  action: (commands: ClaudeCommands, carried: string) => Promise<void>,
): Promise<PluginStatus> {
  const { places, carried, platform, runtime } = options;
  if (carried === null) throw new ExpectedError(message('plugin.notIncluded'));
  return locked(places, async () => {
    refuseOlder(places, carried);
    writeCopy(places, carried, platform); // also where there is no CLI: the steps by hand need it
    if (runtime !== undefined)
      explained(cannotWrite(places), () => leaveRuntime(places, runtime, platform));
    const claude = await claudeOf(options);
    await action(new ClaudeCommands(claude, options), carried);
    return statusWith(options, { ok: true, claude });
  });
}

/**
 * Older versions of Claude Code read a copy of their own, which they keep as long as the version's
 * number is the same.
 */
async function bringUpToDate(
  commands: ClaudeCommands,
  carried: string,
  platform?: NodeJS.Platform,
): Promise<void> {
  if (await isCurrent()) return;
  await commands.update();
  if (await isCurrent()) return;
  await commands.uninstall();
  await commands.install();

  async function isCurrent(): Promise<boolean> {
    const listed = await commands.plugin();
    const folder = listed?.readFromFolder ?? listed?.installPath;
    if (listed === undefined || folder === undefined) return false;
    return listed.version === pluginVersion(carried) && holdsAllOf(folder, carried, platform);
  }
}

function refuseOlder(places: Places, carried: string): void {
  const [installed, ours] = [pluginVersion(copyFolder(places)), pluginVersion(carried)];
  if (installed !== null && ours !== null && compareVersions(ours, installed) < 0)
    throw new ExpectedError(message('plugin.newerInstalled', { installed, carried: ours }));
}

async function claudeOf(options: PluginOptions): Promise<ClaudeProgram> {
  const search = await findClaude(options);
  if (search.ok) return search.claude;
  const { problem } = search;
  const steps = manualSteps(options.places);
  throw new ExpectedError(message('plugin.problemAndSteps', { problem, steps }));
}

async function isSessionRunning({ places, env, run }: PluginOptions): Promise<boolean> {
  const finder = new SessionFinder({
    claudeFolder: places.claude,
    env,
    run,
    processes: systemProcessTable(),
  });
  return (await finder.find()).sessions.length > 0;
}

/** One at a time, and Claude Code's settings are looked at before and after. */
async function locked<T>(places: Places, action: () => Promise<T>): Promise<T> {
  const folder = marketplaceFolder(places);
  const lock = explained(cannotWrite(places), () => {
    assertWritable(places.home);
    return holdLock(folder, LOCK);
  });
  try {
    return await guardSettings(places, action);
  } finally {
    lock.release();
  }
}

const cannotWrite = (places: Places) => (reason: Message | string) =>
  message('plugin.cannotWrite', { path: places.home, reason });

/**
 * At each start of the application, which may have been moved since the plugin was installed. One
 * that cannot be written is told by the doctor.
 */
export function renewRuntime({ places, runtime }: Pick<PluginOptions, 'places' | 'runtime'>): void {
  if (runtime !== undefined && isCopyWhole(places))
    attempt(() => leaveRuntime(places, runtime), undefined);
}

function manualSteps(places: Places): Message[] {
  const install = message('plugin.stepInstallClaude');
  if (!isCopyWhole(places)) return [install];
  const command = (words: string) =>
    message('plugin.command', { command: `claude plugin ${words}` });
  return [
    install,
    message('plugin.stepRun'),
    command(`marketplace add "${marketplaceFolder(places)}"`),
    command(`install ${PLUGIN_ID}`),
    message('plugin.stepRemove', { plugin: PLUGIN_ID, marketplace: MARKETPLACE_NAME }),
  ];
}

function remains({ places, env }: PluginOptions): string[] {
  const memories = knownProjects(places, env).flatMap(({ folder, sessions }) => [folder, sessions]);
  return [...memories.filter((path) => !path.startsWith(places.home)), places.home];
}
