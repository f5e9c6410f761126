/** `memory-keeper watch`: clears sessions that reach their threshold, without a window. */
import type { Activity } from '../../core/clear/activity.ts';
import type { ClearRecord } from '../../core/clear/clear-record.ts';
import { createEngine } from '../../core/usecases/engine.ts';
import { activityData, activityText, recordData, stepText } from '../clear-text.ts';
import { type Command, parseOptions } from '../command.ts';
import { interruption } from '../interruption.ts';
import { print, printJson, printNote } from '../output.ts';
import { painter } from '../text.ts';

const HELP = `Watches all sessions and clears those that reach their threshold: saves, clears, restores what is known.

Usage: memory-keeper watch [--json]

      --json   print one JSON object per line for each step

While it runs in a terminal:
  c   cancel announced clears                     s   snooze them
  y   clear them now, without waiting             q   quit (or Ctrl+C)

Its settings start with autoClear and delivery in \`memory-keeper config\`. \`memory-keeper clear --log\` shows what it
did.
`;

const KEYS = 'Press c to cancel an announced clear, s to snooze it, y to clear now, q to quit.';
const CTRL_C = '\x03';

export const watchCommand: Command = {
  name: 'watch',
  summary: 'clears sessions that reach their threshold, and reports each step',
  help: HELP,
  async run(args) {
    const { values } = parseOptions('watch', { args, options: { json: { type: 'boolean' } } });
    const paint = painter(process.stdout, process.env);
    const json = values.json === true;
    const onStep = (record: ClearRecord) =>
      json ? printLine(recordData(record)) : print(stepText(record, paint));
    const onRefusal = (activity: Activity) =>
      json ? printLine(activityData(activity)) : print(activityText(activity, paint));
    const { wanted, end } = interruption();
    const watch = await createEngine().watchClears({ onStep, onRefusal });
    if (!json)
      print(`Watching. ${process.stdin.isTTY === true ? KEYS : 'Press Ctrl+C to quit.'}\n`);
    for (const pid of watch.others)
      printNote(
        `note: process ${pid} is already clearing sessions; each clear is done by one of the two\n`,
      );
    const requestAll = (request: 'cancel' | 'snooze' | 'now') => {
      for (const { sessionId } of watch.records) watch.request(sessionId, request);
    };
    listenToKeys({
      c: () => requestAll('cancel'),
      s: () => requestAll('snooze'),
      y: () => requestAll('now'),
      q: end,
      [CTRL_C]: end,
    });
    await wanted;
    await watch.close();
    process.exit(0);
  },
};

function printLine(value: object): void {
  printJson(value, { isOneLine: true });
}

function listenToKeys(actions: Record<string, () => void>): void {
  const { stdin } = process;
  if (stdin.isTTY !== true) return;
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdin.on('data', (key: string) => actions[key]?.());
  process.on('exit', () => stdin.setRawMode(false));
}
