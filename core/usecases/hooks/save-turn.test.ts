import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { promptRow, replyRow } from '../../../tests/bed/made-session.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { parseHookInput } from './hook-input.ts';
import { saveTurn } from './save-turn.ts';

it('M13 the session after a clear knows whose work it takes over, even if the end could not be saved', async () => {
  const home = tempFolder();
  const project = join(home, 'project');
  mkdirSync(project);
  const transcript = join(home, 'one.jsonl');
  const env = { HOME: home, CLAUDE_PROJECT_DIR: project, CLAUDE_PID: '4711' };
  const inputOf = (fields: object) =>
    parseHookInput(
      JSON.stringify({ session_id: 'one', transcript_path: transcript, ...fields }),
      env,
    );
  writeFileSync(
    transcript,
    `${promptRow('Which colour?')}\n${replyRow(1000, { text: 'Blue it is.' })}\n`,
  );
  const stop = inputOf({ hook_event_name: 'Stop', last_assistant_message: 'Blue it is.' });
  await saveTurn(stop);
  const { memory } = stop;
  const l1 = join(memory.sessions, readMemoryIndex(memory).sessions.one?.file ?? '');
  renameSync(l1, `${l1}.away`);
  mkdirSync(l1);
  appendFileSync(transcript, `${promptRow('Why?')}\n`);

  const end = inputOf({ hook_event_name: 'SessionEnd', reason: 'clear' });
  await expect(saveTurn(end)).rejects.toThrow();

  expect(readMemoryIndex(memory).cleared).toEqual({ 4711: 'one' });
});
