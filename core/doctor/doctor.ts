/**
 * The doctor (G4, G8): looks at everything that Memory Keeper needs and says of each thing whether
 * it is well, why it matters and how to mend it. Checks run side by side, each on its own: one that
 * fails or takes too long is `unknown` with its reason. Looking changes nothing; a fix changes what
 * it says, and says what it did.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { resumeClears } from '../clear/wishes.ts';
import { ExpectedError } from '../expected-error.ts';
import { redact } from '../memory/redact/redact.ts';
import { englishOf } from '../messages/all-messages.ts';
import { installPlugin, repairPlugin, updatePlugin } from '../plugin/install.ts';
import type { PluginStatus } from '../plugin/plugin-status.ts';
import { connectStatusLine, disconnectStatusLine } from '../plugin/status-line-bridge.ts';
import { switchAutoCompact } from './auto-compact.ts';
import { type Check, type DoctorOptions, Patient } from './check.ts';
import { autoCompactCheck } from './checks/auto-compact-check.ts';
import {
  claudeCheck,
  hooksCheck,
  modsCheck,
  otherPluginsCheck,
  pluginCheck,
} from './checks/claude-checks.ts';
import { displayCheck, pausedCheck, terminalsCheck, watchingCheck } from './checks/clear-checks.ts';
import {
  claudeSettingsCheck,
  logsCheck,
  memoryCheck,
  settingsCheck,
} from './checks/file-checks.ts';
import { clockCheck, diskCheck, nodeCheck } from './checks/machine-checks.ts';
import { permissionsCheck } from './checks/permissions-check.ts';
import { statusLineCheck } from './checks/status-line-check.ts';
import { FIX_IDS, type Finding, type FixDone, type FixId } from './finding.ts';
import { makeAllPrivate } from './permissions.ts';

const LIMIT_MS = 60_000;
const NO_PERMISSION = new Set(['EACCES', 'EPERM', 'EROFS']);

const CHECKS: readonly Check[] = [
  claudeCheck,
  pluginCheck,
  hooksCheck,
  modsCheck,
  nodeCheck,
  permissionsCheck,
  claudeSettingsCheck,
  settingsCheck,
  memoryCheck,
  logsCheck,
  autoCompactCheck,
  statusLineCheck,
  otherPluginsCheck,
  displayCheck,
  terminalsCheck,
  watchingCheck,
  pausedCheck,
  clockCheck,
  diskCheck,
];

/** In the order in which they are best read: what other things depend on comes first. */
export function runDoctor(
  options: DoctorOptions,
  {
    checks = CHECKS,
    tell = () => undefined,
  }: { checks?: readonly Check[]; tell?: (done: number, total: number) => void } = {},
): Promise<Finding[]> {
  const patient = new Patient(options);
  let done = 0;
  tell(done, checks.length);
  return Promise.all(
    checks.map(async (check) => {
      const finding = await findingOf(check, patient, options.limitMs ?? LIMIT_MS);
      tell(++done, checks.length);
      return finding;
    }),
  );
}

async function findingOf(
  { id, title, why, look }: Check,
  patient: Patient,
  limitMs: number,
): Promise<Finding> {
  const over = new AbortController();
  const late = sleep(limitMs, undefined, { signal: over.signal, ref: true }).then(() => {
    throw new ExpectedError('it took too long to find out');
  });
  try {
    // Begun in a turn of its own, so that one that throws at once throws here.
    const result = await Promise.race([Promise.resolve().then(() => look(patient)), late]);
    return { id, title, why, mend: '', ...result };
  } catch (error) {
    const words = englishOf(error);
    const mend = NO_PERMISSION.has((error as NodeJS.ErrnoException)?.code ?? '')
      ? 'See "Permissions of files".'
      : 'Run the doctor again; if it stays so, please report it.';
    return {
      id,
      title,
      why,
      state: 'unknown',
      found: redact(`This could not be found out: ${words}`),
      mend,
    };
  } finally {
    late.catch(() => undefined); // nobody waits for it any more
    over.abort();
  }
}

/** Words that are no fix are refused; so is a fix that cannot be done, with the reason. */
export async function applyFix(options: DoctorOptions, id: string): Promise<FixDone> {
  if (!isFixId(id))
    throw new ExpectedError(`there is no fix "${id}"; there are: ${FIX_IDS.join(', ')}`);
  return { id, done: await FIXES[id](options) };
}

const isFixId = (id: string): id is FixId => (FIX_IDS as readonly string[]).includes(id);

const FIXES: Record<FixId, (options: DoctorOptions) => string[] | Promise<string[]>> = {
  'plugin-install': async (options) => pluginWords('installed', await installPlugin(options)),
  'plugin-update': async (options) =>
    pluginWords('brought up to date', await updatePlugin(options)),
  'plugin-repair': async (options) => pluginWords('repaired', await repairPlugin(options)),
  permissions: async (options) => {
    const changed = await makeAllPrivate(new Patient(options));
    return changed.length === 0 ? ['Nothing had to be changed.'] : changed;
  },
  'resume-clears': ({ places }) => {
    resumeClears(places);
    return ['Automatic clears go on.'];
  },
  'auto-compact-off': (options) => switchAutoCompact(options, false),
  'auto-compact-on': (options) => switchAutoCompact(options, true),
  'status-line-connect': (options) => connectStatusLine(options),
  'status-line-disconnect': (options) => disconnectStatusLine(options),
};

function pluginWords(what: string, { installedVersion, problem }: PluginStatus): string[] {
  if (problem !== null)
    throw new ExpectedError(
      `the plugin was ${what}, but something is still the matter: ${problem}`,
    );
  return [
    `The plugin ${installedVersion ?? ''} was ${what} by the program claude. Sessions that run already get it when they are started again.`,
  ];
}
