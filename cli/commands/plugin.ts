/**
 * `memory-keeper plugin`: puts the plugin into Claude Code, brings it up to date, repairs it and
 * takes it out again (G4).
 */
import { createEngine } from '../../core/engine.ts';
import { localTime } from '../../core/memory/text/stamp.ts';
import {
  installPlugin,
  type PluginOptions,
  pluginStatus,
  repairPlugin,
  uninstallPlugin,
  updatePlugin,
} from '../../core/plugin/install.ts';
import { carriedPlugin } from '../../core/plugin/plugin-copy.ts';
import type { PluginStatus } from '../../core/plugin/plugin-status.ts';
import { statusLineState } from '../../core/plugin/status-line-bridge.ts';
import { runProgram } from '../../core/process/run-program.ts';
import type { Places } from '../../core/store/places.ts';
import { type Command, parseOptions, UsageError } from '../command.ts';
import { plain } from '../text.ts';
import { pluginStatusLine, statusLineWords } from './plugin-status-line.ts';

const HELP = `Puts the plugin into Claude Code, through which sessions are kept, restored and cleared.

Usage: memory-keeper plugin [status] [--json]     whether it is installed, up to date and at work
       memory-keeper plugin install [--json]      installs it, for all projects of yours
       memory-keeper plugin update [--json]       replaces it by the one that this program carries
       memory-keeper plugin repair [--json]       puts back what is missing, and switches it on
       memory-keeper plugin uninstall [--json]    takes it out; the memories stay

       memory-keeper plugin status-line [--json]              whether Claude Code's status line is connected
       memory-keeper plugin status-line preview [--json]      what connecting it would change in settings.json
       memory-keeper plugin status-line connect [--json]      lets it tell the exact window of each session
       memory-keeper plugin status-line disconnect [--json]   puts back what was there, as it was written

All of it but the status line goes through the program \`claude\`, which alone changes its settings. Sessions that run already get a
new plugin when they are started again.

Claude Code 2.1.287 or later tells the plugin the window; older ones tell it to the status line alone. One that you have is run and
shown as before, even if Memory Keeper is gone; where there is none, a short line with the model and the context in use is shown.
`;

const ACTIONS: Record<
  string,
  { run: (options: PluginOptions) => Promise<PluginStatus>; done: string }
> = {
  status: { run: pluginStatus, done: '' },
  install: {
    run: installPlugin,
    done: 'The plugin is installed. New sessions of Claude Code load it.',
  },
  update: {
    run: updatePlugin,
    done: 'The plugin is up to date. New sessions of Claude Code load it.',
  },
  repair: {
    run: repairPlugin,
    done: 'The plugin is whole again. New sessions of Claude Code load it.',
  },
  uninstall: { run: uninstallPlugin, done: 'The plugin is out of Claude Code.' },
};

export const pluginCommand: Command = {
  name: 'plugin',
  summary: 'install, update, repair or uninstall the plugin for Claude Code',
  help: HELP,
  async run(args) {
    if (args[0] === 'status-line') return pluginStatusLine(args.slice(1));
    const { values, positionals } = parseOptions('plugin', {
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean' } },
    });
    const [name = 'status', ...more] = positionals;
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined)
      throw new UsageError(`plugin cannot "${name}"`, 'memory-keeper plugin --help');
    if (more.length > 0)
      throw new UsageError(`too many words after "${name}"`, 'memory-keeper plugin --help');
    const { places } = createEngine();
    const status = await action.run({
      places,
      env: process.env,
      run: runProgram,
      carried: carriedPlugin(import.meta.dirname),
    });
    if (values.json === true) process.stdout.write(`${JSON.stringify(status, null, 2)}\n`);
    else
      process.stdout.write(
        [...(action.done === '' ? [] : [action.done, '']), ...statusLines(status, places)]
          .map(asLine)
          .join(''),
      );
  },
};

const asLine = (text: string) => `${plain(text)}\n`;

function statusLines(status: PluginStatus, places: Places): string[] {
  const { cli, problem, manualSteps, remains } = status;
  return [
    `Claude Code   ${cli === null ? 'not found' : `${cli.version} at ${cli.path}`}`,
    `Plugin        ${installedWords(status)}`,
    ...(status.hasMods === null
      ? []
      : [`Mods          ${status.hasMods ? 'yes' : 'no: Claude Code 2.1.287 or later has them'}`]),
    ...(status.hasMods === false && status.isInstalled
      ? [`Status line   ${statusLineWords(statusLineState({ places }))}`]
      : []),
    `Last seen     ${status.lastSeenAt === null ? 'never' : localTime(status.lastSeenAt)}`,
    ...(problem === null ? [] : ['', problem]),
    ...manualSteps,
    ...(remains === undefined
      ? []
      : ['', 'What was kept is still there. To delete it too, remove these folders:', ...remains]),
  ];
}

function installedWords({
  isInstalled,
  isEnabled,
  isOutdated,
  isDamaged,
  installedVersion,
  carriedVersion,
}: PluginStatus): string {
  if (!isInstalled)
    return `not installed${carriedVersion === null ? '' : ` (${carriedVersion} can be: memory-keeper plugin install)`}`;
  const notes = [
    ...(isEnabled ? [] : ['switched off: memory-keeper plugin install switches it on']),
    ...(isDamaged === true ? ['damaged: memory-keeper plugin repair'] : []),
    ...(isOutdated ? [`${carriedVersion} is there: memory-keeper plugin update`] : []),
  ];
  return `${installedVersion ?? 'unknown version'}, ${notes.length === 0 ? 'up to date' : notes.join('; ')}`;
}
