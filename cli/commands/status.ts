/** `memory-keeper status`: every live session, once or live. */

import type { StatusReport } from '../../core/claude/status/status-tracker.ts';
import { createEngine, type Engine } from '../../core/usecases/engine.ts';
import { type Command, parseOptions } from '../command.ts';
import { interruption } from '../interruption.ts';
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
In JSON, \`null\` means not known yet.
`;

/** Without a cursor, and with lines cut at the edge instead of wrapped. */
const ALTERNATE_SCREEN = '\x1b[?1049h\x1b[?25l\x1b[?7l';
const NORMAL_SCREEN = '\x1b[?7h\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';
/** Two, and an empty one between. */
const LINES_A_SESSION = 3;

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
  onReport: (report: StatusReport) => void,
): Promise<void> {
  const { wanted } = interruption();
  const watch = await engine.watchStatus(onReport);
  await wanted;
  await watch.close();
  process.exit(0);
}

/** Draws in place on a screen, and one status after the other where there is none. */
function screenDrawer(): (report: StatusReport) => void {
  if (process.stdout.isTTY !== true || process.env.TERM === 'dumb')
    return (report) => show(report, false);
  process.stdout.write(ALTERNATE_SCREEN);
  process.on('exit', () => process.stdout.write(NORMAL_SCREEN));
  let last: StatusReport | undefined;
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

function show(report: StatusReport, json: boolean): void {
  if (json) printJson(report.sessions);
  else print(statusText(report, painter(process.stdout, process.env), process.stdout.columns));
  printNote(problemsText(report.problems, painter(process.stderr, process.env)));
}

function printLine(report: StatusReport): void {
  printJson(report.sessions, { isOneLine: true });
  printNote(problemsText(report.problems, painter(process.stderr, process.env)));
}

function redraw(report: StatusReport): void {
  const paint = painter(process.stdout, process.env);
  const { rows, columns } = process.stdout;
  const problems = problemsText(report.problems, paint).split('\n').slice(0, -1);
  // the last column is lost to the clearing of what stood there before
  const blocks = sessionLines(report, paint, columns - 1);
  const room = rows - 2 - problems.length;
  const shown = blocks.slice(0, Math.max(1, Math.floor((room + 1) / LINES_A_SESSION)));
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
