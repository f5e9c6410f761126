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
import type { Check, Patient, Result } from './check.ts';
import type { Fix } from './finding.ts';

export const statusLineCheck: Check = {
  id: 'status-line',
  title: message('doctor.statusLineTitle'),
  why: message('doctor.statusLineWhy'),
  async look(patient) {
    const state = statusLineState(patient.options);
    if (state.kind === 'connected' || state.kind === 'by-hand')
      return whenConnected(patient, state);
    const { hasMods, cli } = await patient.plugin();
    if (hasMods === null || cli === null)
      return { state: 'unknown', found: message('doctor.needsClaude') };
    if (hasMods) return { state: 'well', found: message('doctor.statusLineNotNeeded') };
    return notConnected(patient, cli.version);
  },
};

async function whenConnected(patient: Patient, state: StatusLineState): Promise<Result> {
  const fix = disconnectFix(patient);
  const hasOwn = state.kind === 'connected' && state.own !== undefined;
  if (state.kind === 'connected' && !state.isWhole)
    return {
      state: 'problem',
      found: message(hasOwn ? 'doctor.statusLineBrokenOwn' : 'doctor.statusLineBroken'),
      mend: message('doctor.statusLineBrokenMend'),
      ...fix,
    };
  const files = projectStatusLines(patient.options.places, await roots(patient));
  const offer = state.kind === 'connected' ? fix : {};
  if (files.length === 0)
    return {
      state: 'well',
      found: message(hasOwn ? 'doctor.statusLineFoundOwn' : 'doctor.statusLineFound'),
      ...offer,
    };
  return {
    state: 'notice',
    found: message('doctor.statusLineHidden', { files }),
    mend: message('doctor.statusLineHiddenMend'),
    ...offer,
  };
}

function notConnected({ options }: Patient, version: string): Result {
  const found = message('doctor.statusLineMissing', { version });
  try {
    const label = message('doctor.statusLineConnect');
    const fix: Fix = { id: 'status-line-connect', label, preview: connectPreview(options) };
    return { state: 'notice', found, mend: message('doctor.statusLineMissingMend'), fix };
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    const mend = message('plugin.lines', { lines: [error.said] });
    return { state: 'notice', found, mend };
  }
}

/** None where the settings cannot be changed safely. */
function disconnectFix({ options }: Patient): Pick<Result, 'fix'> {
  const preview = attempt(() => disconnectPreview(options), undefined);
  const label = message('doctor.statusLineDisconnect');
  return preview === undefined ? {} : { fix: { id: 'status-line-disconnect', label, preview } };
}

async function roots(patient: Patient): Promise<string[]> {
  const sessions = await patient.sessions();
  return [
    ...patient.projects().map(({ root }) => root),
    ...sessions.map(({ projectRoot }) => projectRoot),
  ];
}
