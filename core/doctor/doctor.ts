/**
 * The doctor (G4, G8): checks everything that Memory Keeper needs and says of each thing whether it
 * is well, why it matters and how to mend it. Checks run side by side; one that fails or takes too
 * long is `unknown` with its reason. Checking changes nothing; a fix says what it changed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { resumeClears } from '../clear/clear-requests.ts';
import { redact } from '../memory/redact/redact.ts';
import { ExpectedError, messageOf } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { installPlugin, updatePlugin } from '../plugin/install.ts';
import { turnOffLongTurns, turnOnLongTurns } from '../plugin/long-turns.ts';
import type { PluginStatus } from '../plugin/plugin-status.ts';
import { connectStatusLine, disconnectStatusLine } from '../plugin/status-line-bridge.ts';
import { checkAutoCompact, switchAutoCompact } from './auto-compact.ts';
import { type Check, type DoctorOptions, Patient } from './check.ts';
import {
  checkClaude,
  checkHooks,
  checkMods,
  checkOtherPlugins,
  checkPlugin,
  checkStatusLine,
} from './claude-checks.ts';
import { checkDrivers, checkPaused, checkTyping, checkWatching } from './clear-checks.ts';
import { checkClaudeSettings, checkLogs, checkMemory, checkSettings } from './file-checks.ts';
import { FIX_IDS, type Finding, type FixDone, type FixId } from './finding.ts';
import { checkLongTurns } from './long-turns.ts';
import { checkClock, checkDisk, checkNode } from './machine-checks.ts';
import { checkOldMemory, removeOldMemory } from './old-memory.ts';
import { checkPast } from './past-conversations.ts';
import { checkPermissions, makeAllPrivate } from './permissions.ts';

const CHECK_TIMEOUT_MS = 60_000;
const NO_PERMISSION = new Set(['EACCES', 'EPERM', 'EROFS']);

/** In reading order: what other things depend on comes first. */
const CHECKS: readonly Check[] = [
  { id: 'claude', topic: 'claude', run: checkClaude },
  { id: 'plugin', topic: 'plugin', run: checkPlugin },
  { id: 'hooks', topic: 'hooks', run: checkHooks },
  { id: 'mods', topic: 'mods', run: checkMods },
  { id: 'node', topic: 'node', run: checkNode },
  { id: 'permissions', topic: 'permissions', run: checkPermissions },
  { id: 'claude-settings', topic: 'claudeSettings', run: checkClaudeSettings },
  { id: 'settings', topic: 'settings', run: checkSettings },
  { id: 'memory', topic: 'memory', run: checkMemory },
  { id: 'old-memory', topic: 'oldMemory', run: checkOldMemory },
  { id: 'past-conversations', topic: 'past', run: checkPast },
  { id: 'logs', topic: 'logs', run: checkLogs },
  { id: 'auto-compact', topic: 'autoCompact', run: checkAutoCompact },
  { id: 'long-turns', topic: 'longTurns', run: checkLongTurns },
  { id: 'status-line', topic: 'statusLine', run: checkStatusLine },
  { id: 'other-plugins', topic: 'otherPlugins', run: checkOtherPlugins },
  { id: 'typing', topic: 'typing', run: checkTyping },
  { id: 'ways', topic: 'drivers', run: checkDrivers },
  { id: 'watching', topic: 'watching', run: checkWatching },
  { id: 'paused', topic: 'paused', run: checkPaused },
  { id: 'clock', topic: 'clock', run: checkClock },
  { id: 'disk', topic: 'disk', run: checkDisk },
];

interface DoctorRun {
  checks?: readonly Check[];
  onProgress?: (done: number, total: number) => void;
}

export function runDoctor(
  options: DoctorOptions,
  { checks = CHECKS, onProgress = () => undefined }: DoctorRun = {},
): Promise<Finding[]> {
  const patient = new Patient(options);
  let done = 0;
  onProgress(done, checks.length);
  return Promise.all(
    checks.map(async (check) => {
      const finding = await findingOf(check, patient);
      onProgress(++done, checks.length);
      return finding;
    }),
  );
}

async function findingOf({ id, topic, run }: Check, patient: Patient): Promise<Finding> {
  const { checkTimeoutMs = CHECK_TIMEOUT_MS } = patient.options;
  const title = message(`doctor.${topic}Title`);
  const why = message(`doctor.${topic}Why`);
  const over = new AbortController();
  const late = sleep(checkTimeoutMs, undefined, { signal: over.signal }).then(() => {
    throw new ExpectedError(message('doctor.tookTooLong'));
  });
  try {
    // Called inside of a promise, so that a check that throws at once is caught here too.
    const result = await Promise.race([Promise.resolve(patient).then(run), late]);
    const { state, found, mend = null, fix } = result;
    return { id, title, why, state, found, mend, ...(fix && { fix }) };
  } catch (error) {
    const isDenied = NO_PERMISSION.has((error as NodeJS.ErrnoException)?.code ?? '');
    const found = message('doctor.unknown', { reason: withoutSecrets(messageOf(error)) });
    const mend = message(isDenied ? 'doctor.seePermissions' : 'doctor.runAgain');
    return { id, title, why, state: 'unknown', found, mend };
  } finally {
    late.catch(() => undefined); // nobody waits for it any more
    over.abort();
  }
}

/** An error may quote what another program printed. */
function withoutSecrets(reason: Message): Message {
  return JSON.parse(JSON.stringify(reason), (_, value) =>
    typeof value === 'string' ? redact(value) : value,
  );
}

/** Refuses an unknown id, and a fix that cannot be done. */
export async function applyFix(options: DoctorOptions, id: string): Promise<FixDone> {
  const known = FIX_IDS.find((fixId) => fixId === id);
  if (known === undefined)
    throw new ExpectedError(message('doctor.noSuchFix', { id, ids: FIX_IDS }));
  return { id: known, done: await FIXES[known](options) };
}

const FIXES: Record<FixId, (options: DoctorOptions) => Message[] | Promise<Message[]>> = {
  'plugin-install': (options) => pluginDone('doctor.pluginInstalled', installPlugin(options)),
  'plugin-update': (options) => pluginDone('doctor.pluginUpdated', updatePlugin(options)),
  'plugin-repair': (options) => pluginDone('doctor.pluginRepaired', installPlugin(options)),
  permissions: async (options) => {
    const changed = await makeAllPrivate(new Patient(options));
    return changed.length === 0 ? [message('doctor.permissionsNoChange')] : changed;
  },
  'resume-clears': ({ places }) => {
    resumeClears(places);
    return [message('doctor.pausedResumed')];
  },
  'remove-old-memory': removeOldMemory,
  'auto-compact-off': (options) => switchAutoCompact(options, false),
  'auto-compact-on': (options) => switchAutoCompact(options, true),
  'long-turns-on': turnOnLongTurns,
  'long-turns-off': turnOffLongTurns,
  'status-line-connect': connectStatusLine,
  'status-line-disconnect': disconnectStatusLine,
};

async function pluginDone(
  code: 'doctor.pluginInstalled' | 'doctor.pluginUpdated' | 'doctor.pluginRepaired',
  change: Promise<PluginStatus>,
): Promise<Message[]> {
  const { installedVersion, problem } = await change;
  if (problem !== null)
    throw new ExpectedError(message('doctor.pluginStillWrong', { reason: problem }));
  const version = installedVersion ?? message('plugin.unknownVersion');
  return [message(code, { version }), message('plugin.restartSessions')];
}
