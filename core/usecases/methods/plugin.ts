/** The plugin in Claude Code (G4), and Claude Code's status line. */
import { moveAllEarlier } from '../../memory/portable/move-earlier.ts';
import { installPlugin, uninstallPlugin, updatePlugin } from '../../plugin/install.ts';
import { type PluginStatus, pluginStatus } from '../../plugin/plugin-status.ts';
import {
  connectPreview,
  connectStatusLine,
  disconnectStatusLine,
  statusLineState,
} from '../../plugin/status-line-bridge.ts';
import { noteMove } from '../hooks/note-move.ts';
import type { System } from '../memory/memory-context.ts';
import { logBug } from './log-bug.ts';
import { anywhere } from './method.ts';

export const pluginMethods = {
  'plugin.status': anywhere({}, (system) => pluginStatus(system)),
  'plugin.install': anywhere({}, (system) => withMemories(system, installPlugin(system))),
  'plugin.update': anywhere({}, (system) => withMemories(system, updatePlugin(system))),
  'plugin.repair': anywhere({}, (system) => withMemories(system, installPlugin(system))),
  'plugin.uninstall': anywhere({}, (system) => uninstallPlugin(system)),

  'statusLine.state': anywhere({}, (system) => statusLineState(system)),
  'statusLine.preview': anywhere({}, (system) => connectPreview(system)),
  'statusLine.connect': anywhere({}, (system) => connectStatusLine(system)),
  'statusLine.disconnect': anywhere({}, (system) => disconnectStatusLine(system)),
};

/**
 * Moves what 0.1.0 kept in projects over (M1), before the new plugin is first used. The running
 * application does that in a thread. A failure is no reason against the plugin: sessions try again.
 */
async function withMemories(
  { places, env, isWatching }: System,
  change: Promise<PluginStatus>,
): Promise<PluginStatus> {
  const status = await change;
  if (isWatching === true) return status;
  try {
    for (const move of moveAllEarlier(places, env).moves) noteMove(places, move);
  } catch (error) {
    logBug(places, 'moving memory of 0.1.0', error);
  }
  return status;
}
