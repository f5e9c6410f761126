/** The plugin in Claude Code (G4), Claude Code's status line, and long turns (K6). */
import * as v from 'valibot';
import { addActivity } from '../../clear/activity.ts';
import { moveAllEarlier } from '../../memory/portable/move-earlier.ts';
import type { Message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import { installPlugin, uninstallPlugin, updatePlugin } from '../../plugin/install.ts';
import { longTurnsView, turnOffLongTurns, turnOnLongTurns } from '../../plugin/long-turns.ts';
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
import { type ApplicationContext, anywhere, project } from './method.ts';

const scope = { project: v.optional(project) };
/** The doctor has seen them as they were before. */
const afterwards = ({ refresh, forgetShared }: ApplicationContext) => {
  forgetShared('doctor.run');
  refresh();
};

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

  'longTurns.view': anywhere(scope, ({ places, env }, args) =>
    longTurnsView({ places, env, ...args }),
  ),
  'longTurns.turnOn': anywhere(
    {
      ...scope,
      /** The user's own value that it may take the place of, as it is written. */
      replace: v.optional(v.pipe(v.string(), v.maxLength(100))),
    },
    ({ places, env }, { project: root, replace }) =>
      told(places, root, turnOnLongTurns({ places, env, project: root }, replace)),
    { afterwards },
  ),
  'longTurns.turnOff': anywhere(
    scope,
    ({ places, env }, { project: root }) =>
      told(places, root, turnOffLongTurns({ places, env, project: root })),
    { afterwards },
  ),
};

/** Stands in Activity too: it is a change of a file that is not ours. */
function told(places: Places, root: string | undefined, done: Message[]): Message[] {
  const [note] = done;
  if (note !== undefined) addActivity(places, [{ what: 'note', note, project: root }]);
  return done;
}

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
