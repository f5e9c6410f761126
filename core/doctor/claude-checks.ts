/** Checks Claude Code and what it loads (G4): plugins, hooks, mods and the status line. */
import { statSync } from 'node:fs';
import type { SessionStatus } from '../claude/status/session-status.ts';
import { hasPlugin } from '../clear/delivery/mod.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { attempt } from '../platform/store/attempt.ts';
import { ClaudeCommands, type ListedPlugin } from '../plugin/claude-commands.ts';
import { marketplaceFolder, PLUGIN_ID, readManifest } from '../plugin/plugin-copy.ts';
import { tooOldProblem } from '../plugin/plugin-status.ts';
import {
  connectPreview,
  disconnectPreview,
  projectStatusLines,
  type StatusLineState,
  statusLineState,
} from '../plugin/status-line-bridge.ts';
import { claudeSettingsPath, parseSettings } from '../plugin/user-settings.ts';
import {
  NEEDS_CLAUDE,
  notice,
  type Patient,
  problem,
  type Result,
  sessionName,
  well,
} from './check.ts';
import type { FindingState, Fix } from './finding.ts';

/** Hooks of a session that has just begun may not have run yet. */
const JUST_BEGUN_MS = 60_000;
const SPEAKS_OF_MEMORY = /memor|remember|recall|기억|메모리/i;

export async function checkClaude(patient: Patient): Promise<Result> {
  const { cli, problem: reason, manualSteps } = await patient.plugin();
  const tooOld = cli === null ? undefined : tooOldProblem(cli.version);
  if (tooOld !== undefined) return problem(tooOld, message('doctor.claudeTooOldMend'));
  if (cli !== null) return well(message('doctor.claudeFound', { ...cli }));
  return problem(
    reason ?? message('plugin.claudeNotFound'),
    message('plugin.lines', { lines: manualSteps }),
  );
}

export async function checkPlugin(patient: Patient): Promise<Result> {
  const status = await patient.plugin();
  if (status.cli === null) return NEEDS_CLAUDE;
  if (!status.isInstalled && tooOldProblem(status.cli.version) !== undefined)
    return problem(message('doctor.pluginMissing'), message('doctor.claudeTooOldMend'));
  const version = status.installedVersion ?? message('plugin.unknownVersion');
  const carried = status.carriedVersion ?? '';
  const fixable = (state: FindingState, found: Message, fix: Fix): Result =>
    status.carriedVersion === null
      ? { state, found, mend: message('plugin.notIncluded') }
      : { state, found, fix };
  if (!status.isInstalled)
    return fixable('problem', status.problem ?? message('doctor.pluginMissing'), {
      id: 'plugin-install',
      label: message('doctor.pluginInstall'),
      preview: [message('doctor.pluginInstallPreview', { carried })],
    });
  if (status.isDamaged === true) {
    const reason = status.problem ?? message('plugin.partMissing');
    return fixable('problem', message('doctor.pluginDamaged', { version, reason }), {
      id: 'plugin-repair',
      label: message('doctor.pluginRepair'),
      preview: [message('doctor.pluginRepairPreview', { carried })],
    });
  }
  if (!status.isEnabled)
    return fixable('problem', message('doctor.pluginOff', { version }), {
      id: 'plugin-install',
      label: message('doctor.pluginTurnOn'),
      preview: [message('doctor.pluginTurnOnPreview')],
    });
  if (status.isOutdated)
    return fixable('notice', message('doctor.pluginOutdated', { version, carried }), {
      id: 'plugin-update',
      label: message('doctor.pluginUpdate'),
      preview: [message('doctor.pluginUpdatePreview', { version, carried })],
    });
  return well(message('doctor.pluginFound', { version }));
}

export async function checkHooks(patient: Patient): Promise<Result> {
  const { isInstalled, isEnabled, lastSeenAt } = await patient.plugin();
  const { places } = patient.options;
  const without = (await patient.sessions()).filter((session) => !hasPlugin(places, session));
  const seen =
    lastSeenAt === null
      ? message('doctor.hooksNeverSeen')
      : message('doctor.hooksLastSeen', { at: lastSeenAt });
  if (parseSettings(claudeSettingsPath(places))?.disableAllHooks === true)
    return problem(message('doctor.hooksDisabled', { seen }), message('doctor.hooksDisabledMend'));
  const silent = without.find(
    (session) => isInstalled && isEnabled && shouldHaveHooks(patient, session),
  );
  if (silent !== undefined)
    return problem(
      message('doctor.hooksSilent', { session: sessionName(silent), seen }),
      message('doctor.hooksSilentMend'),
    );
  if (without.length > 0)
    return notice(
      message('doctor.hooksWithout', { sessions: without.map(sessionName), seen }),
      message('doctor.hooksRestart'),
    );
  if (lastSeenAt === null)
    return notice(seen, message(isInstalled ? 'doctor.hooksStart' : 'doctor.hooksInstall'));
  return well(seen);
}

/** The session began after the plugin was installed, and not just now. */
function shouldHaveHooks({ options, now }: Patient, { startedAt, kind }: SessionStatus): boolean {
  const installed = statSync(marketplaceFolder(options.places), { throwIfNoEntry: false })?.mtimeMs;
  if (installed === undefined || startedAt === null || (kind !== null && kind !== 'interactive'))
    return false;
  const began = Date.parse(startedAt);
  return began > installed && now - began > JUST_BEGUN_MS;
}

export async function checkMods(patient: Patient): Promise<Result> {
  const { hasMods, cli } = await patient.plugin();
  if (cli === null || hasMods === null) return NEEDS_CLAUDE;
  const { version } = cli;
  return hasMods
    ? well(message('doctor.modsFound', { version }))
    : notice(message('doctor.modsMissing', { version }), message('doctor.modsMend'));
}

export async function checkOtherPlugins(patient: Patient): Promise<Result> {
  const { cli } = await patient.plugin();
  if (cli === null) return NEEDS_CLAUDE;
  const listed = await new ClaudeCommands(cli, patient.options).plugins();
  const ids = listed
    .filter(({ id, enabled }) => id !== PLUGIN_ID && enabled !== false)
    .filter(speaksOfMemory)
    .map(({ id }) => id);
  const [id] = ids;
  if (id === undefined) return well(message('doctor.otherPluginsNone'));
  return notice(
    message('doctor.otherPluginsFound', { ids }),
    message('doctor.otherPluginsMend', { id }),
  );
}

function speaksOfMemory({ id, installPath, readFromFolder }: ListedPlugin): boolean {
  const folder = readFromFolder ?? installPath;
  const description = folder === undefined ? null : readManifest(folder)?.description;
  return SPEAKS_OF_MEMORY.test(`${id.split('@')[0]} ${description ?? ''}`);
}

/** Where Claude Code has no mods, only the status line gets the exact window (C2). */
export async function checkStatusLine(patient: Patient): Promise<Result> {
  const state = statusLineState(patient.options);
  if (state.kind === 'connected' || state.kind === 'by-hand') return whenConnected(patient, state);
  const { hasMods, cli } = await patient.plugin();
  if (hasMods === null || cli === null) return NEEDS_CLAUDE;
  if (hasMods) return well(message('doctor.statusLineNotNeeded'));
  return notConnected(patient, cli.version);
}

async function whenConnected(patient: Patient, state: StatusLineState): Promise<Result> {
  const isOurs = state.kind === 'connected';
  const hasOwn = isOurs && state.own !== undefined;
  const fix = isOurs ? disconnectFix(patient) : undefined;
  if (isOurs && !state.isWhole)
    return problem(
      message(hasOwn ? 'doctor.statusLineBrokenOwn' : 'doctor.statusLineBroken'),
      message('doctor.statusLineBrokenMend'),
      fix,
    );
  const roots = [
    ...patient.projects().map(({ root }) => root),
    ...(await patient.sessions()).map(({ projectRoot }) => projectRoot),
  ];
  const files = projectStatusLines(patient.options.places, roots);
  const code = hasOwn ? 'doctor.statusLineFoundOwn' : 'doctor.statusLineFound';
  if (files.length === 0) return well(message(code), undefined, fix);
  return notice(
    message('doctor.statusLineHidden', { files }),
    message('doctor.statusLineHiddenMend'),
    fix,
  );
}

function notConnected({ options }: Patient, version: string): Result {
  const found = message('doctor.statusLineMissing', { version });
  try {
    return notice(found, message('doctor.statusLineMissingMend'), {
      id: 'status-line-connect',
      label: message('doctor.statusLineConnect'),
      preview: connectPreview(options),
    });
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    return notice(found, message('plugin.lines', { lines: [error.reason] }));
  }
}

/** Undefined where the settings cannot be changed safely. */
function disconnectFix({ options }: Patient): Fix | undefined {
  const label = message('doctor.statusLineDisconnect');
  const preview = attempt(() => disconnectPreview(options), undefined);
  return preview && { id: 'status-line-disconnect', label, preview };
}
