/** `memory-keeper watch`: clears sessions that reach their threshold, without a window. */
import type { Activity } from '../../core/clear/activity.ts';
import type { ClearRecord } from '../../core/clear/clear-record.ts';
import { createEngine } from '../../core/engine.ts';
import { activityText, stepText } from '../clear-text.ts';
import { type Command, parseOptions } from '../command.ts';
import { interruption } from '../interruption.ts';
import { painter } from '../text.ts';

const HELP = `Watches all sessions and clears those that reach their threshold: saves, clears, gives back what was known.

Usage: memory-keeper watch [--json]

      --json   one JSON object a line for each step

While it runs in a terminal:
  c   cancel the clears that are announced        s   snooze them
  y   clear them at once, without waiting         q   end it (or Ctrl+C)

The settings are those of \`memory-keeper config\` that begin with autoClear and delivery. What was done stands in
\`memory-keeper clear --log\`.
`;

const KEYS = 'c cancels an announced clear, s snoozes it, y says yes, q ends.';
const CTRL_C = '\x03';

export const watchCommand: Command = {
  name: 'watch',
  summary: 'clears sessions that reach their threshold, and says what it does',
  help: HELP,
  async run(args) {
    const { values } = parseOptions('watch', { args, options: { json: { type: 'boolean' } } });
    const paint = painter(process.stdout, process.env);
    const json = values.json === true;
    const onStep = (record: ClearRecord) =>
      void process.stdout.write(json ? line(record) : stepText(record, paint));
    const onRefusal = (activity: Activity) =>
      void process.stdout.write(json ? line(activity) : activityText(activity, paint));
    const { wanted, end } = interruption();
    const watch = await createEngine().watchClears({ onStep, onRefusal });
    if (!json)
      process.stdout.write(
        `Watching. ${process.stdin.isTTY === true ? KEYS : 'Ctrl+C ends it.'}\n`,
      );
    for (const pid of watch.others)
      process.stderr.write(
        `note: process ${pid} clears sessions already; each session is cleared by one of the two\n`,
      );
    const wishAll = (wish: 'cancel' | 'snooze' | 'now') => {
      for (const { sessionId } of watch.records) watch.wish(sessionId, wish);
    };
    listenToKeys({
      c: () => wishAll('cancel'),
      s: () => wishAll('snooze'),
      y: () => wishAll('now'),
      q: end,
      [CTRL_C]: end,
    });
    await wanted;
    await watch.close();
    process.exit(0);
  },
};

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function listenToKeys(actions: Record<string, () => void>): void {
  const { stdin } = process;
  if (stdin.isTTY !== true) return;
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdin.on('data', (key: string) => actions[key]?.());
  process.on('exit', () => stdin.setRawMode(false));
}
