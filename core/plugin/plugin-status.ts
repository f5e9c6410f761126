/** Reads the state of the plugin in Claude Code (G4), for the hosts and the doctor. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isTooOld, OLDEST_CLAUDE_CODE } from '../claude/sessions/claude-version.ts';
import { briefingsFolder } from '../memory/restore/briefing-file.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { attempt } from '../platform/store/attempt.ts';
import type { Places } from '../platform/store/places.ts';
import { compareVersions } from '../platform/text/versions.ts';
import { modsFolder } from '../projects/mod-presence.ts';
import { ClaudeCommands, type ListedPlugin } from './claude-commands.ts';
import { type ClaudeSearch, type FindOptions, findClaude, hasMods } from './find-claude.ts';
import {
  copyFolder,
  holdsAllOf,
  isCopyWhole,
  MARKETPLACE_NAME,
  marketplaceFolder,
  PLUGIN_ID,
  pluginVersion,
} from './plugin-copy.ts';
import { settingsProblem } from './user-settings.ts';

export interface PluginOptions extends FindOptions {
  places: Places;
  /** The folder of the plugin that comes along with this program; null if none does. */
  bundledPlugin: string | null;
  /** A program of ours that can be Node.js for hooks, where this is a packaged application. */
  runtime?: string | undefined;
}

export interface PluginStatus {
  /** The `claude` program, or null if it was not found. */
  cli: { path: string; version: string } | null;
  /** The CLI cannot be used, or Claude Code cannot load the plugin. */
  problem: Message | null;
  isInstalled: boolean;
  isEnabled: boolean;
  /** Of the installed copy, and of the one that this application carries. */
  installedVersion: string | null;
  carriedVersion: string | null;
  /** Installed, but an older one than the application carries. */
  isOutdated: boolean;
  /** Installed, but Claude Code cannot use it as it is: a repair puts it right. */
  isDamaged?: boolean;
  /** This Claude Code loads mods: exact figures, and clears without a key. */
  hasMods: boolean | null;
  /** When a hook of the plugin last ran. */
  lastSeenAt: string | null;
  /** What to do where there is no CLI to do it; `plugin.command` is to be typed. */
  manualSteps: Message[];
  /** The folders with memories and settings that stay when the plugin goes. */
  remains?: string[];
  /** What became of settings that go with the plugin (K6). */
  notes?: Message[];
}

export async function pluginStatus(options: PluginOptions): Promise<PluginStatus> {
  return statusWith(options, await findClaude(options));
}

export async function statusWith(
  options: PluginOptions,
  search: ClaudeSearch,
): Promise<PluginStatus> {
  const { places, bundledPlugin } = options;
  const status: PluginStatus = {
    cli: null,
    problem: null,
    isInstalled: false,
    isEnabled: false,
    installedVersion: null,
    carriedVersion: bundledPlugin === null ? null : pluginVersion(bundledPlugin),
    isOutdated: false,
    isDamaged: false,
    hasMods: null,
    lastSeenAt: lastSeenAt(places),
    manualSteps: [],
  };
  if (!search.ok) return { ...status, problem: search.problem, manualSteps: manualSteps(places) };
  const { claude } = search;
  const found = { ...status, cli: claude, hasMods: hasMods(claude) };
  try {
    const listed = await new ClaudeCommands(claude, options).plugin();
    const known =
      listed === undefined
        ? { ...found, problem: settingsProblem(places) ?? null }
        : { ...found, ...installedStatus(options, listed) };
    return { ...known, problem: tooOldProblem(claude.version) ?? known.problem };
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    const problem = message('plugin.lines', { lines: [error.reason] });
    return { ...found, problem, manualSteps: manualSteps(places) };
  }
}

/** Why this version of Claude Code cannot be used (T7); undefined if it can. */
export function tooOldProblem(version: string): Message | undefined {
  return isTooOld(version)
    ? message('plugin.claudeTooOld', { version, oldest: OLDEST_CLAUDE_CODE })
    : undefined;
}

function installedStatus(
  { places, bundledPlugin, platform }: PluginOptions,
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
    isOutdated: !isDamaged && bundledPlugin !== null && isOlder(folder, bundledPlugin, platform),
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
function isOlder(folder: string, bundledPlugin: string, platform?: NodeJS.Platform): boolean {
  const difference = compareVersions(
    pluginVersion(folder) ?? '0',
    pluginVersion(bundledPlugin) ?? '0',
  );
  return difference < 0 || (difference === 0 && !holdsAllOf(folder, bundledPlugin, platform));
}

/** Each session that starts leaves its briefing, and each turn of a mod leaves a mark. */
export function lastSeenAt(places: Places): string | null {
  const times = [briefingsFolder(places), modsFolder(places)].flatMap((folder) =>
    attempt(() => readdirSync(folder), []).map(
      (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ),
  );
  const newest = times.reduce((a, b) => Math.max(a, b), 0);
  return newest === 0 ? null : new Date(newest).toISOString();
}

export function manualSteps(places: Places): Message[] {
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
