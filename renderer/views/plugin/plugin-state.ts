/** What is to be said of the plugin first, out of all that is known (G4). */
import type { PluginStatus } from '../../../core/plugin/plugin-status.ts';

export type PluginState = 'no-cli' | 'missing' | 'damaged' | 'disabled' | 'outdated' | 'well';

export function pluginState({
  cli,
  isInstalled,
  isEnabled,
  isOutdated,
  isDamaged,
}: PluginStatus): PluginState {
  if (cli === null) return 'no-cli';
  if (!isInstalled) return 'missing';
  if (isDamaged === true) return 'damaged';
  if (!isEnabled) return 'disabled';
  return isOutdated ? 'outdated' : 'well';
}
