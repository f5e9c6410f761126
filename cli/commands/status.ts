/** `memory-keeper status`: every live session, once or live. */
import { createEngine, type Engine } from '../../core/engine.ts';
import type { StatusReport } from '../../core/status/status-tracker.ts';
import { type Command, parseOptions } from '../command.ts';
import { problemsText, statusText } from '../status-text.ts';
import { painter } from '../text.ts';

const HELP = `Shows every running Claude Code session: project, model, state, terminal, context in use, growth, forecast.

Usage: memory-keeper status [--watch] [--json]

  -w, --watch   stay and show changes as they happen (Ctrl+C ends it)
      --json    the same as data: an array of sessions; with --watch one array a line for each change

The percentage is Claude Code's own: the tokens of the last reply divided by the window of its model. Where the window comes
from is said beside it. \`null\` in the data means not known yet.
`;

/** Without a cursor, and with lines cut at the edge instead of wrapped. */
const ALTERNATE_SCREEN = '\x1b[?1049h\x1b[?25l\x1b[?7l';
const NORMAL_SCREEN = '\x1b[?7h\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';
const EXIT_INTERRUPTED = 130;

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

async function watchUntilInterrupted(engine: Engine, onReport: (report: StatusReport) => void): Promise<void> {
  const interruption = new Promise<void>((resolve) => {
    let isSecond = false;
    const onSignal = () => {
      if (isSecond) process.exit(EXIT_INTERRUPTED); // a look that hangs must not keep the user
      isSecond = true;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
  const watch = await engine.watchStatus(onReport);
  await interruption;
  await watch.close();
  process.exit(0);
}

/** Draws in place on a screen, and one status after the other where there is none. */
function screenDrawer(): (report: StatusReport) => void {
  if (process.stdout.isTTY !== true) return (report) => show(report, false);
  process.stdout.write(ALTERNATE_SCREEN);
  process.on('exit', () => process.stdout.write(NORMAL_SCREEN));
  let last: StatusReport | undefined;
  process.stdout.on('resize', () => last && redraw(last));
  return (report) => {
    last = report;
    redraw(report);
  };
}

function show(report: StatusReport, json: boolean): void {
  process.stdout.write(
    json ? `${JSON.stringify(report.sessions, null, 2)}\n` : statusText(report, painter(process.stdout, process.env)),
  );
  process.stderr.write(problemsText(report.problems, painter(process.stderr, process.env)));
}

function printLine(report: StatusReport): void {
  process.stdout.write(`${JSON.stringify(report.sessions)}\n`);
  process.stderr.write(problemsText(report.problems, painter(process.stderr, process.env)));
}

function redraw(report: StatusReport): void {
  const paint = painter(process.stdout, process.env);
  const lines = `${statusText(report, paint)}\n${problemsText(report.problems, paint)}`.trimEnd().split('\n');
  const room = process.stdout.rows - 2;
  const hidden = lines.length - room;
  const footer = paint('dim', hidden > 0 ? `… ${hidden} more lines. Ctrl+C ends it.` : 'Live. Ctrl+C ends it.');
  const screen = [...lines.slice(0, room), '', footer].join(`${CLEAR_LINE}\r\n`);
  process.stdout.write(`${HOME}${screen}${CLEAR_LINE}${CLEAR_BELOW}`);
}
