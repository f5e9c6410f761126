/**
 * `memory-keeper plugin status-line`: connects Claude Code's status line, which tells the exact
 * window (C2), and disconnects it again.
 */
import { renderMessage } from '../../core/messages/all-messages.ts';
import type { Message } from '../../core/messages/message.ts';
import { placesFrom } from '../../core/platform/store/places.ts';
import {
  type BridgeOptions,
  connectPreview,
  connectStatusLine,
  disconnectStatusLine,
  type StatusLineState,
  statusLineState,
} from '../../core/plugin/status-line-bridge.ts';
import { parseOptions, UsageError } from '../command.ts';
import { jsonMessage } from '../json-message.ts';
import { plain } from '../text.ts';

const ACTIONS: Record<string, (options: BridgeOptions) => Message[]> = {
  preview: connectPreview,
  connect: connectStatusLine,
  disconnect: disconnectStatusLine,
};

export function pluginStatusLine(args: string[]): void {
  const { values, positionals } = parseOptions('plugin', {
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  });
  const [name, ...more] = positionals;
  if (more.length > 0 || (name !== undefined && !Object.hasOwn(ACTIONS, name)))
    throw new UsageError(
      `Unknown action "${positionals.join(' ')}"`,
      'memory-keeper plugin --help',
    );
  const options = { places: placesFrom() };
  const lines = name === undefined ? undefined : ACTIONS[name]?.(options);
  const state = statusLineState(options);
  if (values.json === true)
    process.stdout.write(
      `${JSON.stringify({ ...jsonState(state), ...(lines && { lines: lines.map(jsonMessage) }) }, null, 2)}\n`,
    );
  else
    process.stdout.write(
      (lines?.map((line) => renderMessage('en', line)) ?? [statusLineWords(state)])
        .map((line) => `${plain(line)}\n`)
        .join(''),
    );
}

const jsonState = (state: StatusLineState) =>
  state.kind === 'unknown' ? { ...state, reason: jsonMessage(state.reason) } : state;

export function statusLineWords(state: StatusLineState): string {
  if (state.kind === 'unknown') return `unknown: ${renderMessage('en', state.reason)}`;
  if (state.kind === 'by-hand') return 'connected by hand';
  if (state.kind === 'connected')
    return state.isWhole
      ? 'connected: it reports the exact window'
      : 'connected, but the plugin that receives the window is missing';
  return 'not connected: for the exact window, run memory-keeper plugin status-line connect';
}
