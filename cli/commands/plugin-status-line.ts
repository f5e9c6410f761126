/**
 * `memory-keeper plugin status-line`: connects Claude Code's status line, which tells the exact
 * window (C2), and disconnects it again.
 */
import type { StatusLineState } from '../../core/plugin/status-line-bridge.ts';
import { createEngine } from '../../core/usecases/engine.ts';
import { renderMessage } from '../../core/usecases/messages.ts';
import { parseOptions, UsageError } from '../command.ts';
import { jsonMessage } from '../json-message.ts';
import { print, printJson } from '../output.ts';
import { plain } from '../text.ts';

const ACTIONS = ['preview', 'connect', 'disconnect'] as const;

export async function pluginStatusLine(args: string[]): Promise<void> {
  const { values, positionals } = parseOptions('plugin', {
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  });
  const action = ACTIONS.find((name) => name === positionals[0]);
  if (positionals.length > (action === undefined ? 0 : 1))
    throw new UsageError(
      `Unknown action "${positionals.join(' ')}"`,
      'memory-keeper plugin --help',
    );
  const engine = createEngine();
  const lines = action && (await engine.call(`statusLine.${action}`, {}));
  const state = await engine.call('statusLine.state', {});
  if (values.json === true)
    printJson({ ...jsonState(state), ...(lines && { lines: lines.map(jsonMessage) }) });
  else
    print(
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
