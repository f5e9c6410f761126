/**
 * Claude Code and what it loads (G4): the program, our plugin, its hooks and mods, and other
 * plugins that keep memories too.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionStatus } from '../claude/status/session-status.ts';
import { hasPlugin } from '../clear/delivery/mod.ts';
import { type Message, message } from '../messages/message.ts';
import { parseJson } from '../platform/store/attempt.ts';
import { readSmallFile } from '../platform/store/read-file.ts';
import { ClaudeCommands, type ListedPlugin } from '../plugin/claude-commands.ts';
import { claudeSettings } from '../plugin/edit-user-settings.ts';
import { marketplaceFolder, PLUGIN_ID } from '../plugin/plugin-copy.ts';
import { type Check, type Patient, type Result, sessionName } from './check.ts';
import type { FixId } from './finding.ts';

/** Hooks of a session that has just begun may not have been run yet. */
const JUST_BEGUN_MS = 60_000;
const MAX_MANIFEST_BYTES = 64 * 1024;
const SPEAKS_OF_MEMORY = /memor|remember|recall|기억|메모리/i;

export const claudeCheck: Check = {
  id: 'claude',
  title: message('doctor.claudeTitle'),
  why: message('doctor.claudeWhy'),
  async look(patient) {
    const { cli, problem, manualSteps } = await patient.plugin();
    if (cli !== null) return { state: 'well', found: message('doctor.claudeFound', { ...cli }) };
    return {
      state: 'problem',
      found: problem ?? message('plugin.claudeNotFound'),
      mend: message('plugin.lines', { lines: manualSteps }),
    };
  },
};

const NEEDS_CLAUDE: Result = { state: 'unknown', found: message('doctor.needsClaude') };

export const pluginCheck: Check = {
  id: 'plugin',
  title: message('doctor.pluginTitle'),
  why: message('doctor.pluginWhy'),
  async look(patient) {
    const status = await patient.plugin();
    const { problem } = status;
    if (status.cli === null) return NEEDS_CLAUDE;
    const version = status.installedVersion ?? message('plugin.unknownVersion');
    const carried = status.carriedVersion ?? '';
    const mendedBy = (id: FixId, label: Message, preview: Message): Partial<Result> =>
      status.carriedVersion === null
        ? { mend: message('plugin.notIncluded') }
        : { fix: { id, label, preview: [preview] } };
    if (!status.isInstalled)
      return {
        state: 'problem',
        found: problem ?? message('doctor.pluginMissing'),
        ...mendedBy(
          'plugin-install',
          message('doctor.pluginInstall'),
          message('doctor.pluginInstallPreview', { carried }),
        ),
      };
    if (status.isDamaged === true)
      return {
        state: 'problem',
        found: message('doctor.pluginDamaged', {
          version,
          reason: problem ?? message('plugin.partMissing'),
        }),
        ...mendedBy(
          'plugin-repair',
          message('doctor.pluginRepair'),
          message('doctor.pluginRepairPreview', { carried }),
        ),
      };
    if (!status.isEnabled)
      return {
        state: 'problem',
        found: message('doctor.pluginOff', { version }),
        ...mendedBy(
          'plugin-install',
          message('doctor.pluginTurnOn'),
          message('doctor.pluginTurnOnPreview'),
        ),
      };
    if (status.isOutdated)
      return {
        state: 'notice',
        found: message('doctor.pluginOutdated', { version, carried }),
        ...mendedBy(
          'plugin-update',
          message('doctor.pluginUpdate'),
          message('doctor.pluginUpdatePreview', { version, carried }),
        ),
      };
    return { state: 'well', found: message('doctor.pluginFound', { version }) };
  },
};

export const hooksCheck: Check = {
  id: 'hooks',
  title: message('doctor.hooksTitle'),
  why: message('doctor.hooksWhy'),
  async look(patient) {
    const { isInstalled, isEnabled, lastSeenAt } = await patient.plugin();
    const { places } = patient.options;
    const sessions = await patient.sessions();
    const without = sessions.filter((session) => !hasPlugin(places, session));
    const seen =
      lastSeenAt === null
        ? message('doctor.hooksNeverSeen')
        : message('doctor.hooksLastSeen', { at: lastSeenAt });
    if (claudeSettings(places)?.disableAllHooks === true)
      return {
        state: 'problem',
        found: message('doctor.hooksDisabled', { seen }),
        mend: message('doctor.hooksDisabledMend'),
      };
    const [silent] =
      isInstalled && isEnabled ? without.filter((session) => shouldHaveThem(patient, session)) : [];
    if (silent !== undefined)
      return {
        state: 'problem',
        found: message('doctor.hooksSilent', { session: sessionName(silent), seen }),
        mend: message('doctor.hooksSilentMend'),
      };
    if (without.length > 0)
      return {
        state: 'notice',
        found: message('doctor.hooksWithout', { sessions: without.map(sessionName), seen }),
        mend: message('doctor.hooksRestart'),
      };
    if (lastSeenAt === null)
      return {
        state: 'notice',
        found: seen,
        mend: message(isInstalled ? 'doctor.hooksStart' : 'doctor.hooksInstall'),
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
  title: message('doctor.modsTitle'),
  why: message('doctor.modsWhy'),
  async look(patient) {
    const { hasMods, cli } = await patient.plugin();
    if (cli === null || hasMods === null) return NEEDS_CLAUDE;
    const { version } = cli;
    if (hasMods) return { state: 'well', found: message('doctor.modsFound', { version }) };
    return {
      state: 'notice',
      found: message('doctor.modsMissing', { version }),
      mend: message('doctor.modsMend'),
    };
  },
};

export const otherPluginsCheck: Check = {
  id: 'other-plugins',
  title: message('doctor.otherPluginsTitle'),
  why: message('doctor.otherPluginsWhy'),
  async look(patient) {
    const { cli } = await patient.plugin();
    if (cli === null) return NEEDS_CLAUDE;
    const listed = await new ClaudeCommands(cli, patient.options).plugins();
    const others = listed.filter(
      (plugin) => plugin.id !== PLUGIN_ID && plugin.enabled !== false && speaksOfMemory(plugin),
    );
    const ids = others.map(({ id }) => id);
    const [id] = ids;
    if (id === undefined) return { state: 'well', found: message('doctor.otherPluginsNone') };
    return {
      state: 'notice',
      found: message('doctor.otherPluginsFound', { ids }),
      mend: message('doctor.otherPluginsMend', { id }),
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
