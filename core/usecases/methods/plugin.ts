/** The plugin in Claude Code (G4), and Claude Code's status line. */
import { installPlugin, uninstallPlugin, updatePlugin } from '../../plugin/install.ts';
import { pluginStatus } from '../../plugin/plugin-status.ts';
import {
  connectPreview,
  connectStatusLine,
  disconnectStatusLine,
  statusLineState,
} from '../../plugin/status-line-bridge.ts';
import { anywhere } from './method.ts';

export const pluginMethods = {
  'plugin.status': anywhere({}, (system) => pluginStatus(system)),
  'plugin.install': anywhere({}, (system) => installPlugin(system)),
  'plugin.update': anywhere({}, (system) => updatePlugin(system)),
  'plugin.repair': anywhere({}, (system) => installPlugin(system)),
  'plugin.uninstall': anywhere({}, (system) => uninstallPlugin(system)),

  'statusLine.state': anywhere({}, (system) => statusLineState(system)),
  'statusLine.preview': anywhere({}, (system) => connectPreview(system)),
  'statusLine.connect': anywhere({}, (system) => connectStatusLine(system)),
  'statusLine.disconnect': anywhere({}, (system) => disconnectStatusLine(system)),
};
