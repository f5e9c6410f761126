/** `memory-keeper long-turns`: compaction at the critical threshold inside a turn (K6). */
import type { LongTurnsView } from '../../core/plugin/long-turns.ts';
import { createEngine } from '../../core/usecases/engine.ts';
import { renderMessage } from '../../core/usecases/messages.ts';
import { type Command, currentFolder, parseOptions, UsageError } from '../command.ts';
import { jsonMessage } from '../json-message.ts';
import { print, printJson } from '../output.ts';
import { plain, thousands } from '../text.ts';

const HELP = `Has Claude Code compact a session at your critical threshold inside a turn, too.

A session is cleared between turns. A turn of many tool calls can fill the context before it ends; then only Claude Code itself can make
room. \`on\` writes one number to Claude Code's settings, autoCompactWindow, so that it compacts at your critical threshold (thresholds.critical)
and not only at the model's limit. Every word is saved before that.

Usage: memory-keeper long-turns [--project] [--json]           show whether it is on, and what a change would do
       memory-keeper long-turns on [--project] [--json]        turn it on
       memory-keeper long-turns on --replace <value>           turn it on in place of the autoCompactWindow that you set yourself
       memory-keeper long-turns off [--project] [--json]       restore what was there before

  --project   only for sessions started in the root folder of this project (.claude/settings.local.json), with the project's own threshold

The number is the same for all models: the threshold in tokens plus 33,000; a percentage counts of a window of 1,000,000 tokens. A model
with 200,000 tokens is compacted at 167,000 at the latest. It follows when you change the threshold, and goes when the plugin is uninstalled.
`;

const SEE = 'memory-keeper long-turns --help';
const ACTIONS = { on: 'longTurns.turnOn', off: 'longTurns.turnOff' } as const;

export const longTurnsCommand: Command = {
  name: 'long-turns',
  summary: 'compact at the critical threshold inside a turn, too (on, off)',
  help: HELP,
  async run(args) {
    const { values, positionals } = parseOptions('long-turns', {
      args,
      allowPositionals: true,
      options: {
        project: { type: 'boolean' },
        json: { type: 'boolean' },
        replace: { type: 'string' },
      },
    });
    const [action, ...more] = positionals;
    const isKnown = action === undefined || action === 'on' || action === 'off';
    if (!isKnown || more.length > 0)
      throw new UsageError(`Unknown action "${positionals.join(' ')}"`, SEE);
    if (values.replace !== undefined && action !== 'on')
      throw new UsageError('--replace goes with "on"', SEE);
    const engine = createEngine();
    const project = values.project === true ? engine.projectRoot(currentFolder()) : undefined;
    const done =
      action === 'on'
        ? await engine.call(ACTIONS.on, { project, replace: values.replace })
        : action && (await engine.call(ACTIONS.off, { project }));
    const view = await engine.call('longTurns.view', { project });
    if (values.json === true)
      return printJson({ ...jsonView(view), ...(done && { done: done.map(jsonMessage) }) });
    const lines = done?.map((line) => renderMessage('en', line)) ?? viewLines(view);
    print(lines.map((line) => `${plain(line)}\n`).join(''));
  },
};

function jsonView({ obstacles, preview, ...view }: LongTurnsView) {
  return {
    ...view,
    obstacles: obstacles.map(jsonMessage),
    preview: preview?.map(jsonMessage) ?? null,
  };
}

function viewLines({ isOn, isBehind, own, path, windows, obstacles, preview }: LongTurnsView) {
  const state = isOn
    ? `On: autoCompactWindow in ${path} is set for your critical threshold.`
    : own === null
      ? 'Off: inside a turn, Claude Code compacts where it decides.'
      : `You set autoCompactWindow to ${own} in ${path} yourself; it is not touched unless you name it (--replace ${own}).`;
  return [
    state,
    ...windows.map(
      ({ window, criticalAt, compactsAt }) =>
        `  window of ${thousands(window)} tokens: critical at ${thousands(criticalAt)}, ${
          compactsAt === null ? 'not compacted' : `compacted at ${thousands(compactsAt)}`
        }${isOn ? '' : ' once it is on'}`,
    ),
    ...obstacles.map((obstacle) => renderMessage('en', obstacle)),
    ...(preview === null
      ? []
      : ['', `memory-keeper long-turns ${isOn && !isBehind ? 'off' : 'on'} would change:`]),
    ...(preview ?? []).map((line) => `  ${renderMessage('en', line)}`),
  ];
}
