/** The plugin from the window (G4): its status, and one click for each action. */
import { installPlugin, repairPlugin, uninstallPlugin, updatePlugin } from '../plugin/install.ts';
import { type PluginOptions, pluginStatus } from '../plugin/plugin-status.ts';
import type { Handlers, MethodOf } from './contract/contract.ts';

export function pluginCalls(options: PluginOptions): Handlers<MethodOf<'plugin'>> {
  return {
    'plugin.status': () => pluginStatus(options),
    'plugin.install': () => installPlugin(options),
    'plugin.update': () => updatePlugin(options),
    'plugin.repair': () => repairPlugin(options),
    'plugin.uninstall': () => uninstallPlugin(options),
  };
}
