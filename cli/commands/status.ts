/** `memory-keeper status`: every live session, once or live. */
import { createEngine, type Engine } from '../../core/engine.ts';
import type { StatusReport } from '../../core/status/status-tracker.ts';
import { type Command, parseOptions } from '../command.ts';
import { interruption } from '../interruption.ts';
import { problemsText, sessionLines, statusText } from '../status-text.ts';
import { painter } from '../text.ts';

const HELP = `Shows every running Claude Code session: project, model, state, terminal, context in use, growth, forecast.

Usage: memory-keeper status [--watch] [--json]

  -w, --watch   stay and show changes as they happen (Ctrl+C ends it)
      --json    the same as data: an array of sessions; with --watch one array a line for each change

The percentage is of the whole window of the model: the tokens of the last reply, as Claude Code counts them, divided by it. Where the
window comes from is said beside it. "% context used" on Claude Code's own screen is higher, since it leaves out what it keeps free for a
reply: 83 % of 200,000 is 92 % there. Several sessions of one project are told apart by the names that Claude Code gives them.
\`null\` in the data means not known yet.
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
  summary: 'every running session with its context (--watch, --json)',
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
  process.stdout.write(
    json
      ? `${JSON.stringify(report.sessions, null, 2)}\n`
      : statusText(report, painter(process.stdout, process.env), process.stdout.columns),
  );
  process.stderr.write(problemsText(report.problems, painter(process.stderr, process.env)));
}

function printLine(report: StatusReport): void {
  process.stdout.write(`${JSON.stringify(report.sessions)}\n`);
  process.stderr.write(problemsText(report.problems, painter(process.stderr, process.env)));
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
    `${hidden > 0 ? `… and ${hidden} more sessions. ` : ''}Live. Ctrl+C ends it.`,
  );
  const screen = [...body.split('\n'), '', ...problems, footer].join(`${CLEAR_LINE}\r\n`);
  process.stdout.write(`${HOME}${screen}${CLEAR_LINE}${CLEAR_BELOW}`);
}
