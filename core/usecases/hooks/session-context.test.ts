import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compactionRow, promptRow, replyRow } from '../../../tests/bed/made-session.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { placesFrom } from '../../platform/store/places.ts';
import { readSettings } from '../../settings/settings.ts';
import { parseHookInput } from './hook-input.ts';
import { readSessionContext } from './session-context.ts';

/** Of a session whose transcript has 20,000 tokens. */
function contextWith(figures: unknown, replies = [replyRow(20_000)]) {
  const home = tempFolder();
  const transcript = join(home, 'session.jsonl');
  writeFileSync(transcript, `${[promptRow('Which colour?'), ...replies].join('\n')}\n`);
  const input = {
    session_id: 'one',
    transcript_path: transcript,
    memory_keeper_mod: true,
    memory_keeper_context: figures,
  };
  return readSessionContext(
    parseHookInput(JSON.stringify(input), { HOME: home }),
    readSettings(placesFrom({ HOME: home })).settings,
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

it('L1e C5 a window that Claude Code only takes a model to have gives no warning', () => {
  const figures = { tokens: 150_000, window: 1_000_000, percent: 15 };
  const model = 'glm-5.1';
  expect(contextWith(figures, [replyRow(150_000, { model })])).toMatchObject({
    tokens: 150_000,
    window: null,
    percent: null,
    level: null,
  });
});

it('L1e C5 the hook learns a window from a compaction that lies some turns back', () => {
  const reply = (tokens: number) => replyRow(tokens, { model: 'glm-5.1' });
  const rows = [reply(167_000), compactionRow(167_300, 4000), promptRow('b'), reply(145_000)];
  expect(contextWith(undefined, rows)).toMatchObject({
    tokens: 145_000,
    window: 200_000,
    percentSource: 'compaction',
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
