/** `memory-keeper plugin`: installs, updates, repairs and uninstalls the plugin (G4). */

import type { PluginStatus } from '../../core/plugin/plugin-status.ts';
import type { StatusLineState } from '../../core/plugin/status-line-bridge.ts';
import { createEngine } from '../../core/usecases/engine.ts';
import { renderMessage } from '../../core/usecases/messages.ts';
import { type Command, parseOptions, UsageError } from '../command.ts';
import { jsonMessage } from '../json-message.ts';
import { print, printJson } from '../output.ts';
import { localTime, plain } from '../text.ts';
import { pluginStatusLine, statusLineWords } from './plugin-status-line.ts';

const HELP = `Manages the plugin for Claude Code, which saves, restores and clears sessions.

Usage: memory-keeper plugin [status] [--json]     show whether it is installed, up to date and running
       memory-keeper plugin install [--json]      install it for all your projects
       memory-keeper plugin update [--json]       update it to the version included here
       memory-keeper plugin repair [--json]       restore missing parts and turn it on
       memory-keeper plugin uninstall [--json]    uninstall it; your memory stays

       memory-keeper plugin status-line [--json]              show whether Claude Code's status line is connected
       memory-keeper plugin status-line preview [--json]      show what connecting would change in settings.json
       memory-keeper plugin status-line connect [--json]      have it report the exact window of each session
       memory-keeper plugin status-line disconnect [--json]   restore what was there before

Everything except the status line goes through the \`claude\` command, so only Claude Code changes its own settings. Restart running
sessions to load a new plugin.

Claude Code 2.1.287 and later reports the window to the plugin; older versions report it only to the status line. A status line that
you already have is run and shown as before, even without Memory Keeper; if you have none, a short line with the model and the
context in use is shown.
`;

/** What an action says once it is done. */
const ACTIONS = {
  status: '',
  install: 'Plugin installed. New Claude Code sessions load it.',
  update: 'Plugin updated. New Claude Code sessions load it.',
  repair: 'Plugin repaired. New Claude Code sessions load it.',
  uninstall: 'Plugin uninstalled.',
};
const isAction = (name: string): name is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, name);

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
    if (!isAction(name))
      throw new UsageError(`Unknown action "${name}"`, 'memory-keeper plugin --help');
    if (more.length > 0)
      throw new UsageError(`Too many arguments after "${name}"`, 'memory-keeper plugin --help');
    const engine = createEngine();
    const status = await engine.call(`plugin.${name}`, {});
    if (values.json === true) return printJson(jsonStatus(status));
    const statusLine = await engine.call('statusLine.state', {});
    const done = ACTIONS[name];
    const lines = [...(done === '' ? [] : [done, '']), ...statusLines(status, statusLine)];
    print(lines.map(asLine).join(''));
  },
};

const asLine = (text: string) => `${plain(text)}\n`;

function jsonStatus({ problem, manualSteps, notes, ...status }: PluginStatus) {
  return {
    ...status,
    ...(notes && { notes: notes.map(jsonMessage) }),
    problem: problem && jsonMessage(problem),
    manualSteps: manualSteps.map(jsonMessage),
  };
}

function statusLines(status: PluginStatus, statusLine: StatusLineState): string[] {
  const { cli, problem, manualSteps, remains } = status;
  return [
    `Claude Code   ${cli === null ? 'not found' : `${cli.version} at ${cli.path}`}`,
    `Plugin        ${installedWords(status)}`,
    ...(status.hasMods === null
      ? []
      : [`Mods          ${status.hasMods ? 'yes' : 'no (needs Claude Code 2.1.287 or later)'}`]),
    ...(status.hasMods === false && status.isInstalled
      ? [`Status line   ${statusLineWords(statusLine)}`]
      : []),
    `Last active   ${status.lastSeenAt === null ? 'never' : localTime(status.lastSeenAt)}`,
    ...(problem === null ? [] : ['', ...renderMessage('en', problem).split('\n')]),
    ...manualSteps.map((step) => renderMessage('en', step)),
    ...(status.notes === undefined
      ? []
      : ['', ...status.notes.map((note) => renderMessage('en', note))]),
    ...(remains === undefined
      ? []
      : ['', 'Your memory and settings are still there. To delete them, remove:', ...remains]),
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
    return `not installed${carriedVersion === null ? '' : ` (to install ${carriedVersion}: memory-keeper plugin install)`}`;
  const notes = [
    ...(isEnabled ? [] : ['turned off (to turn it on: memory-keeper plugin install)']),
    ...(isDamaged === true ? ['damaged (to repair it: memory-keeper plugin repair)'] : []),
    ...(isOutdated ? [`outdated (to get ${carriedVersion}: memory-keeper plugin update)`] : []),
  ];
  return `${installedVersion ?? 'unknown version'}, ${notes.length === 0 ? 'up to date' : notes.join(', ')}`;
}
