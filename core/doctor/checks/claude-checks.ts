/**
 * Claude Code and what it loads (G4): the program, our plugin, its hooks and mods, and other
 * plugins that keep memories too.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { hasPlugin } from '../../clear/has-plugin.ts';
import { localTime } from '../../memory/text/stamp.ts';
import { ClaudeCommands, type ListedPlugin } from '../../plugin/claude-commands.ts';
import { claudeSettings } from '../../plugin/edit-user-settings.ts';
import { marketplaceFolder, PLUGIN_ID } from '../../plugin/plugin-copy.ts';
import type { PluginStatus } from '../../plugin/plugin-status.ts';
import type { SessionStatus } from '../../status/session-status.ts';
import { parseJson } from '../../store/attempt.ts';
import { readSmallFile } from '../../store/read-file.ts';
import type { Check, Patient, Result } from '../check.ts';
import type { FixId } from '../finding.ts';

/** Hooks of a session that has just begun may not have been run yet. */
const JUST_BEGUN_MS = 60_000;
const MAX_MANIFEST_BYTES = 64 * 1024;
const SPEAKS_OF_MEMORY = /memor|remember|recall|기억|메모리/i;

export const claudeCheck: Check = {
  id: 'claude',
  title: 'Claude Code',
  why: 'The plugin is installed through the program `claude`, and it is what is kept and cleared.',
  async look(patient) {
    const { cli, problem, manualSteps } = await patient.plugin();
    if (cli !== null) return { state: 'well', found: `Claude Code ${cli.version} at ${cli.path}.` };
    return {
      state: 'problem',
      found: problem ?? 'Claude Code was not found.',
      mend: manualSteps.join('\n'),
    };
  },
};

export const pluginCheck: Check = {
  id: 'plugin',
  title: 'Plugin',
  why: 'Without the plugin nothing that is said is kept, and nothing is given back after a clear.',
  async look(patient) {
    const status = await patient.plugin();
    const { cli, carriedVersion, installedVersion, problem } = status;
    if (cli === null)
      return { state: 'unknown', found: 'Without Claude Code this cannot be told.' };
    if (!status.isInstalled) return notInstalled(status);
    const version = installedVersion ?? 'of unknown version';
    if (status.isDamaged === true)
      return {
        state: 'problem',
        found: `The plugin ${version} is installed but cannot be used: ${problem ?? 'a part of it is missing'}.`,
        ...mendedBy(
          'plugin-repair',
          'Repair the plugin',
          status,
          `puts ${carriedVersion} in its place and switches it on`,
        ),
      };
    if (!status.isEnabled)
      return {
        state: 'problem',
        found: `The plugin ${version} is installed but switched off.`,
        ...mendedBy(
          'plugin-install',
          'Switch the plugin on',
          status,
          'switches it on in Claude Code',
        ),
      };
    if (status.isOutdated)
      return {
        state: 'notice',
        found: `The plugin ${version} is installed; this program carries another one, ${carriedVersion}.`,
        ...mendedBy(
          'plugin-update',
          'Update the plugin',
          status,
          `puts ${carriedVersion} in the place of ${version}`,
        ),
      };
    return {
      state: 'well',
      found: `The plugin ${version} is installed, switched on and up to date.`,
    };
  },
};

function notInstalled(status: PluginStatus): Result {
  const found = status.problem ?? 'The plugin is not installed.';
  return {
    state: 'problem',
    found,
    ...mendedBy(
      'plugin-install',
      'Install the plugin',
      status,
      'adds it to Claude Code, for all projects',
    ),
  };
}

function mendedBy(
  id: FixId,
  label: string,
  { carriedVersion }: PluginStatus,
  effect: string,
): Pick<Result, 'mend' | 'fix'> {
  if (carriedVersion === null)
    return {
      mend: 'Install the whole Memory Keeper application: this program does not carry the plugin.',
    };
  const preview = [`\`claude plugin\` ${effect}; nothing but Claude Code changes its settings.`];
  return { mend: `${label}: \`memory-keeper doctor --fix ${id}\`.`, fix: { id, label, preview } };
}

export const hooksCheck: Check = {
  id: 'hooks',
  title: 'Hooks at work',
  why: 'Hooks are what writes down the conversation. A session that was started before the plugin was there has none.',
  async look(patient) {
    const { isInstalled, isEnabled, lastSeenAt } = await patient.plugin();
    const { places } = patient.options;
    const sessions = await patient.sessions();
    const without = sessions.filter((session) => !hasPlugin(places, session));
    const seen =
      lastSeenAt === null
        ? 'They have never been seen.'
        : `They were last seen at ${localTime(lastSeenAt)}.`;
    if (claudeSettings(places)?.disableAllHooks === true)
      return {
        state: 'problem',
        found: `disableAllHooks in Claude Code's settings.json switches every hook off. ${seen}`,
        mend: 'Take disableAllHooks out of settings.json, if you did not mean that.',
      };
    const [silent] =
      isInstalled && isEnabled ? without.filter((session) => shouldHaveThem(patient, session)) : [];
    if (silent !== undefined)
      return {
        state: 'problem',
        found: `The session in ${silent.project} (process ${silent.pid}) was started with the plugin installed, but no hook of it was seen. ${seen}`,
        mend: 'See "Node.js for hooks" and "Errors in the logs" below; type /hooks in that session to see whether it knows them.',
      };
    if (without.length > 0)
      return {
        state: 'notice',
        found: `Running without the plugin: ${without.map(({ project, pid }) => `${project} (process ${pid})`).join(', ')}. ${seen}`,
        mend: 'Leave these sessions and start them again with `claude --continue`.',
      };
    if (lastSeenAt === null)
      return {
        state: 'notice',
        found: seen,
        mend: isInstalled ? 'Start a session of Claude Code.' : 'Install the plugin.',
      };
    return { state: 'well', found: seen };
  },
};

/** It began after the plugin was put there, and not just now. */
function shouldHaveThem({ options, now }: Patient, { startedAt, kind }: SessionStatus): boolean {
  const installed = statSync(marketplaceFolder(options.places), { throwIfNoEntry: false })?.mtimeMs;
  if (installed === undefined || startedAt === null || (kind !== null && kind !== 'interactive'))
    return false;
  const began = Date.parse(startedAt);
  return began > installed && now - began > JUST_BEGUN_MS;
}

export const modsCheck: Check = {
  id: 'mods',
  title: 'Mods',
  why: 'With mods the plugin knows the exact figures and clears a session without pressing a key.',
  async look(patient) {
    const { hasMods, cli } = await patient.plugin();
    if (cli === null || hasMods === null)
      return { state: 'unknown', found: 'Without Claude Code this cannot be told.' };
    if (hasMods) return { state: 'well', found: `Claude Code ${cli.version} has them.` };
    return {
      state: 'notice',
      found: `Claude Code ${cli.version} has none. Sessions are cleared by their terminal or the keyboard instead.`,
      mend: 'Update Claude Code to 2.1.287 or later: `claude update`.',
    };
  },
};

export const otherPluginsCheck: Check = {
  id: 'other-plugins',
  title: 'Other memory plugins',
  why: 'Two plugins that both give memories to a session take twice the room, and may contradict each other.',
  async look(patient) {
    const { cli } = await patient.plugin();
    if (cli === null)
      return { state: 'unknown', found: 'Without Claude Code this cannot be told.' };
    const listed = await new ClaudeCommands(cli, patient.options).plugins();
    const others = listed.filter(
      (plugin) => plugin.id !== PLUGIN_ID && plugin.enabled !== false && speaksOfMemory(plugin),
    );
    if (others.length === 0)
      return { state: 'well', found: 'There is no other one that is switched on.' };
    const ids = others.map(({ id }) => id);
    return {
      state: 'notice',
      found: `Also switched on: ${ids.join(', ')}.`,
      mend: `They are left alone. If you want only one, switch the other off yourself: \`claude plugin disable ${ids[0]}\`.`,
    };
  },
};

function speaksOfMemory({ id, installPath, readFromFolder }: ListedPlugin): boolean {
  const [name = ''] = id.split('@');
  const folder = readFromFolder ?? installPath;
  const file =
    folder === undefined
      ? undefined
      : readSmallFile(join(folder, '.claude-plugin', 'plugin.json'), MAX_MANIFEST_BYTES);
  const manifest =
    file?.state === 'ok'
      ? (parseJson(file.text) as { description?: unknown } | null | undefined)
      : undefined;
  return SPEAKS_OF_MEMORY.test(
    `${name} ${typeof manifest?.description === 'string' ? manifest.description : ''}`,
  );
}
