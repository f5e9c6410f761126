import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { promptRow, replyRow } from '../../../tests/bed/made-session.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { DEFAULT_THRESHOLDS } from '../../settings/thresholds.ts';
import { parseHookInput } from './hook-input.ts';
import { readSessionContext } from './session-context.ts';

/** Of a session whose transcript has 20,000 tokens. */
function contextWith(figures: unknown) {
  const home = tempFolder();
  const transcript = join(home, 'session.jsonl');
  writeFileSync(transcript, `${promptRow('Which colour?')}\n${replyRow(20_000)}\n`);
  const input = {
    session_id: 'one',
    transcript_path: transcript,
    memory_keeper_mod: true,
    memory_keeper_context: figures,
  };
  return readSessionContext(
    parseHookInput(JSON.stringify(input), { HOME: home }),
    DEFAULT_THRESHOLDS,
  );
}

it("C2 C5 the mod's exact figures come before the transcript's", () => {
  const figures = { tokens: 150_000, window: 200_000, percent: 75 };
  expect(contextWith(figures)).toMatchObject({
    tokens: 150_000,
    percent: 75,
    percentSource: 'claude-code',
    level: 'warn',
  });
});

it.each([
  [undefined],
  [null],
  [{}],
  [{ tokens: 0, window: 200_000 }],
  [{ tokens: 'many', window: 200_000 }],
  [{ tokens: 5, window: 0 }],
])('C1 the transcript is read where the mod sends %j', (figures) => {
  expect(contextWith(figures)).toMatchObject({ tokens: 20_000, level: 'ok' });
});
