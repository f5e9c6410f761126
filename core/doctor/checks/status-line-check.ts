/**
 * The status line (C2): where Claude Code has no mods it is the only one that tells the exact
 * window; else nothing needs to be done.
 */
import { ExpectedError } from '../../expected-error.ts';
import {
  connectPreview,
  disconnectPreview,
  projectStatusLines,
  type StatusLineState,
  statusLineState,
} from '../../plugin/status-line-bridge.ts';
import { attempt } from '../../store/attempt.ts';
import type { Check, Patient, Result } from '../check.ts';
import type { Fix } from '../finding.ts';

const CONNECT = 'memory-keeper doctor --fix status-line-connect';
const DISCONNECT = 'memory-keeper doctor --fix status-line-disconnect';

export const statusLineCheck: Check = {
  id: 'status-line',
  title: 'Status line',
  why: 'Before 2.1.287 Claude Code tells the exact window of a session to its status line alone. Else the model table says how large it is.',
  async look(patient) {
    const state = statusLineState(patient.options);
    if (state.kind === 'connected' || state.kind === 'by-hand')
      return whenConnected(patient, state);
    const { hasMods, cli } = await patient.plugin();
    if (hasMods === null || cli === null)
      return { state: 'unknown', found: 'Without Claude Code this cannot be told.' };
    if (hasMods)
      return {
        state: 'well',
        found: 'Not connected, and it need not be: the plugin inside Claude Code knows the window.',
      };
    return notConnected(patient, cli.version);
  },
};

async function whenConnected(patient: Patient, state: StatusLineState): Promise<Result> {
  const fix = disconnectFix(patient);
  if (state.kind === 'connected' && !state.isWhole)
    return {
      state: 'problem',
      found: `It is connected, but the plugin that it tells the window to is not there.${state.own === undefined ? '' : ' Your own is shown all the same.'}`,
      mend: `Install the plugin again, or disconnect the status line: \`${DISCONNECT}\`.`,
      ...fix,
    };
  const own =
    state.kind === 'connected' && state.own !== undefined ? ' Your own is shown as before.' : '';
  const hidden = projectStatusLines(patient.options.places, await roots(patient));
  const offer = state.kind === 'connected' ? fix : {};
  if (hidden.length === 0)
    return { state: 'well', found: `Connected: it tells the exact window.${own}`, ...offer };
  return {
    state: 'notice',
    found: `Connected, but projects have a status line of their own, which is shown instead: ${hidden.join(', ')}.`,
    mend: 'These files are never changed. There the model table says how large the window is; the percentage says so.',
    ...offer,
  };
}

function notConnected({ options }: Patient, version: string): Result {
  const found = `Not connected: with Claude Code ${version} the model table says how large a window is.`;
  try {
    const fix: Fix = {
      id: 'status-line-connect',
      label: 'Connect the status line',
      preview: connectPreview(options),
    };
    return {
      state: 'notice',
      found,
      mend: `Connect it; a status line of yours is kept: \`${CONNECT}\`.`,
      fix,
    };
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    return { state: 'notice', found, mend: error.message };
  }
}

/** None where the settings cannot be changed safely. */
function disconnectFix({ options }: Patient): Pick<Result, 'fix'> {
  const preview = attempt(() => disconnectPreview(options), undefined);
  return preview === undefined
    ? {}
    : { fix: { id: 'status-line-disconnect', label: 'Disconnect the status line', preview } };
}

async function roots(patient: Patient): Promise<string[]> {
  const sessions = await patient.sessions();
  return [
    ...patient.projects().map(({ root }) => root),
    ...sessions.map(({ projectRoot }) => projectRoot),
  ];
}
