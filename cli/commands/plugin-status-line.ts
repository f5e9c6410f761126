/**
 * `memory-keeper plugin status-line`: connects Claude Code's status line, which tells the exact
 * window (C2), and disconnects it again.
 */
import {
  type BridgeOptions,
  connectPreview,
  connectStatusLine,
  disconnectStatusLine,
  type StatusLineState,
  statusLineState,
} from '../../core/plugin/status-line-bridge.ts';
import { placesFrom } from '../../core/store/places.ts';
import { parseOptions, UsageError } from '../command.ts';
import { plain } from '../text.ts';

const ACTIONS: Record<string, (options: BridgeOptions) => string[]> = {
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
      `plugin status-line cannot "${positionals.join(' ')}"`,
      'memory-keeper plugin --help',
    );
  const options = { places: placesFrom() };
  const lines = name === undefined ? undefined : ACTIONS[name]?.(options);
  const state = statusLineState(options);
  if (values.json === true)
    process.stdout.write(`${JSON.stringify({ ...state, ...(lines && { lines }) }, null, 2)}\n`);
  else
    process.stdout.write(
      (lines ?? [statusLineWords(state)]).map((line) => `${plain(line)}\n`).join(''),
    );
}

export function statusLineWords(state: StatusLineState): string {
  if (state.kind === 'unknown') return `not known: ${state.reason}`;
  if (state.kind === 'by-hand') return 'connected by hand';
  if (state.kind === 'connected')
    return state.isWhole
      ? 'connected: it tells the exact window'
      : 'connected, but the plugin that it tells the window to is not there';
  return 'not connected: memory-keeper plugin status-line connect lets it tell the exact window';
}
