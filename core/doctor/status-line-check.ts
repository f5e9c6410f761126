/**
 * Checks the status line (C2). Where Claude Code has no mods, only the status line gets the exact
 * window; elsewhere nothing needs to be done.
 */
import { ExpectedError } from '../messages/expected-error.ts';
import { message } from '../messages/message.ts';
import { attempt } from '../platform/store/attempt.ts';
import {
  connectPreview,
  disconnectPreview,
  projectStatusLines,
  type StatusLineState,
  statusLineState,
} from '../plugin/status-line-bridge.ts';
import { NEEDS_CLAUDE, notice, type Patient, problem, type Result, well } from './check.ts';
import type { Fix } from './finding.ts';

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
