import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { promptRow, replyRow } from '../../../tests/bed/made-session.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { readL1 } from '../../memory/log/l1-store.ts';
import { parseHookInput } from './hook-input.ts';
import { saveReply } from './save-reply.ts';

it('M5 saves the first reply of a session whose transcript Claude Code creates only after it has called the hook', () => {
  const home = tempFolder();
  const transcript = join(home, 'later.jsonl');
  const input = parseHookInput(
    JSON.stringify({
      session_id: 'one',
      transcript_path: transcript,
      last_assistant_message: 'Blue it is.',
    }),
    { HOME: home, CLAUDE_PROJECT_DIR: home },
  );
  const rows = `${promptRow('Which colour?')}\n${replyRow(1000, { text: 'Blue it is.' })}\n`;
  spawn('sh', ['-c', 'sleep 0.4; printf %s "$1" > "$2"', 'sh', rows, transcript], {
    stdio: 'ignore',
  });

  const saved = saveReply(input);

  expect(readL1(saved?.file ?? '').map((entry) => ('text' in entry ? entry.text : ''))).toEqual([
    'Which colour?',
    'Blue it is.',
  ]);
});
