/**
 * The command hook: Claude Code runs it at each event with JSON on stdin and reads JSON from stdout. Whatever happens it exits with 0,
 * so that it never stands in the user's way; what went wrong goes to the log.
 */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { appendLog } from '../../core/store/append-log.ts';
import { placesFrom } from '../../core/store/places.ts';
import { parseHookInput } from './hook-input.ts';
import { onSessionEnd, onWork } from './keep.ts';
import { onPrompt } from './prompt.ts';
import { onSessionStart } from './session-start.ts';

/** As numbers: node's own streams for them cost a tenth of the time that node takes to start. */
const STDIN = 0;
const STDOUT = 1;

async function main(): Promise<void> {
  const input = parseHookInput(readFileSync(STDIN, 'utf8'), process.env);
  const answer = await answerTo();
  if (answer !== undefined) print(JSON.stringify(answer));

  function answerTo(): Promise<object | undefined> {
    switch (input.event) {
      case 'SessionStart':
        return onSessionStart(input);
      case 'UserPromptSubmit':
        return onPrompt(input);
      case 'SessionEnd':
        return onSessionEnd(input);
      default:
        return onWork(input);
    }
  }
}

/** A pipe may take a long text in parts. */
function print(text: string): void {
  for (let left = Buffer.from(text); left.length > 0; ) left = left.subarray(writeSync(STDOUT, left));
}

main().catch(async (error: Error) => {
  const log = join(placesFrom().home, 'hooks.log');
  // With no disk to write to there is nobody left to tell.
  await appendLog(log, `${process.argv.slice(2).join(' ')}: ${error.stack ?? error.message}`).catch(() => undefined);
});
