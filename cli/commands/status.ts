/** `memory-keeper status`: every live session, once or live. */

import { createEngine, type Engine } from '../../core/usecases/engine.ts';
import type { WatchedReport, WatchedSession } from '../../core/usecases/watched-status.ts';
import { breakerData } from '../clear-text.ts';
import { type Command, parseOptions } from '../command.ts';
import { interruption } from '../interruption.ts';
import { jsonMessage } from '../json-message.ts';
import { print, printJson, printNote } from '../output.ts';
import { problemsText, sessionLines, statusText } from '../status-text.ts';
import { counted, painter } from '../text.ts';

const HELP = `Shows every active Claude Code session: project, model, state, terminal, context, growth and forecast.

Usage: memory-keeper status [--watch] [--json]

  -w, --watch   keep running and show changes as they happen (Ctrl+C to stop)
      --json    print an array of sessions; with --watch, one array per line for each change

The percentage is the number of tokens in the last reply, as counted by Claude Code, divided by the model's whole context window.
The source of the window size is shown next to it. "% context used" in Claude Code is higher because it leaves out the room reserved
for a reply: 83% of 200,000 shows as 92% there. Sessions of the same project are told apart by the names Claude Code gives them.
In JSON, \`null\` means not known yet. \`keeping\` says whether the conversation is being saved, and if not, why and since when.
`;

/** Without a cursor, and with lines cut at the edge instead of wrapped. */
const ALTERNATE_SCREEN = '\x1b[?1049h\x1b[?25l\x1b[?7l';
const NORMAL_SCREEN = '\x1b[?7h\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';

export const statusCommand: Command = {
  name: 'status',
  summary: 'show active sessions and their context (--watch, --json)',
  help: HELP,
  async run(args) {
    const { values } = parseOptions('status', {
      args,
      options: { watch: { type: 'boolean', short: 'w' }, json: { type: 'boolean' } },
    });
    const engine = createEngine();
    if (values.watch !== true) show(await engine.status(), values.json === true);
    else if (values.json === true) await watchUntilInterrupted(engine, printLine);
    else await watchUntilInterrupted(engine, screenDrawer());
  },
};

async function watchUntilInterrupted(
  engine: Engine,
  onReport: (report: WatchedReport) => void,
): Promise<void> {
  const { wanted } = interruption();
  const watch = await engine.watchStatus(onReport);
  await wanted;
  await watch.close();
  process.exit(0);
}

/** Draws in place on a screen, and one status after the other where there is none. */
function screenDrawer(): (report: WatchedReport) => void {
  if (process.stdout.isTTY !== true || process.env.TERM === 'dumb')
    return (report) => show(report, false);
  process.stdout.write(ALTERNATE_SCREEN);
  process.on('exit', () => process.stdout.write(NORMAL_SCREEN));
  let last: WatchedReport | undefined;
  const draw = () => last && redraw(last);
  process.stdout.on('resize', draw);
  process.on('SIGTSTP', () => {
    process.stdout.write(NORMAL_SCREEN); // Ctrl+Z: the shell gets its screen back
    process.kill(process.pid, 'SIGSTOP');
  });
  process.on('SIGCONT', () => {
    process.stdout.write(ALTERNATE_SCREEN);
    draw();
  });
  return (report) => {
    last = report;
    redraw(report);
  };
}

function show(report: WatchedReport, json: boolean): void {
  if (json) printJson(report.sessions.map(sessionData));
  else print(statusText(report, painter(process.stdout, process.env), process.stdout.columns));
  printNote(problemsText(report.problems, painter(process.stderr, process.env)));
}

function sessionData({ breaker, kindRefusal, keeping, ...session }: WatchedSession) {
  return {
    ...session,
    breaker: breaker && breakerData(breaker),
    kindRefusal: kindRefusal && jsonMessage(kindRefusal),
    keeping: keeping.ok ? keeping : { ...keeping, reason: jsonMessage(keeping.reason) },
  };
}

function printLine(report: WatchedReport): void {
  printJson(report.sessions.map(sessionData), { isOneLine: true });
  printNote(problemsText(report.problems, painter(process.stderr, process.env)));
}

/** As many sessions as there are lines for, with an empty one between; one at least. */
function fitting(blocks: readonly string[][], room: number): string[][] {
  let left = room + 1;
  const end = blocks.findIndex((lines) => {
    left -= lines.length + 1;
    return left < 0;
  });
  return blocks.slice(0, end < 0 ? undefined : Math.max(1, end));
}

function redraw(report: WatchedReport): void {
  const paint = painter(process.stdout, process.env);
  const { rows, columns } = process.stdout;
  const problems = problemsText(report.problems, paint).split('\n').slice(0, -1);
  // the last column is lost to the clearing of what stood there before
  const blocks = sessionLines(report, paint, columns - 1);
  const room = rows - 2 - problems.length;
  const shown = fitting(blocks, room);
  const hidden = blocks.length - shown.length;
  const body =
    blocks.length === 0
      ? statusText(report, paint).trimEnd()
      : shown.map((lines) => lines.join('\n')).join('\n\n');
  const footer = paint(
    'dim',
    `${hidden > 0 ? `… and ${counted(hidden, 'more session')}. ` : ''}Live. Press Ctrl+C to stop.`,
  );
  const screen = [...body.split('\n'), '', ...problems, footer].join(`${CLEAR_LINE}\r\n`);
  process.stdout.write(`${HOME}${screen}${CLEAR_LINE}${CLEAR_BELOW}`);
}

/** How many sessions there is room for, with an empty line between. */
function _fitting(blocks: readonly string[][], room: number): number {
  let used = -1;
  const next = blocks.findIndex((lines) => {
    used += lines.length + 1;
    return used > room;
  });
  return next < 0 ? blocks.length : next;
}
