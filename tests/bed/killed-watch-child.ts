/**
 * Watches as the application does and kills itself (SIGKILL) in the middle of a clear: when it
 * enters the state that is named, or, for `text` and `enter`, when tmux has just been sent the last
 * of the text, or the Enter behind it. Each state stands on disk before it is told, as in the
 * application.
 */

import { type RunProgram, runProgram } from '../../core/platform/process/run-program.ts';
import { createEngine } from '../../core/usecases/engine.ts';

const where = process.argv[2] ?? '';
const LAST_KEY: Record<string, string> = { text: ' 72', enter: ' d' };

const die = () => process.kill(process.pid, 'SIGKILL');

const run: RunProgram = async (file, args, options) => {
  const result = await runProgram(file, args, options);
  const sent = file === 'tmux' ? args.find((arg) => arg.startsWith('send-keys')) : undefined;
  if (where in LAST_KEY && sent?.endsWith(LAST_KEY[where] as string)) die();
  return result;
};

await createEngine({ run }).watchClears({
  onStep: ({ state }) => {
    if (state === where) die();
  },
  onRefusal: () => undefined,
});
