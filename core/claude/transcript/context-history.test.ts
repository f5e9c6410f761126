import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  bulkRow,
  compactionRow,
  promptRow,
  replyRow,
  tooLongRow,
} from '../../../tests/bed/made-session.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import {
  type ContextHistory,
  followContextHistory,
  hasPromptOfUser,
  MAX_TURNS,
  readContextHistory,
  readFirstTokens,
  readRecentTurns,
  seenWindows,
} from './context-history.ts';

const compaction = (postTokens?: number) =>
  JSON.stringify({
    type: 'system',
    subtype: 'compact_boundary',
    isSidechain: false,
    compactMetadata: { postTokens },
  });

function transcript(...rows: string[]): string {
  const path = join(tempFolder(), 'session.jsonl');
  writeFileSync(path, rows.map((row) => `${row}\n`).join(''));
  return path;
}

const tokens = (history: ContextHistory | undefined) => history?.turns.map((turn) => turn.tokens);

/** Reads it whole, and line by line as it grows: both must tell the same. */
function bothWays(...rows: string[]): ContextHistory {
  const whole = readContextHistory(transcript(...rows));
  const path = transcript();
  let followed = readContextHistory(path);
  for (const row of rows) {
    appendFileSync(path, `${row}\n`);
    followed = followContextHistory(path, followed as ContextHistory);
  }
  expect(followed?.turns).toEqual(whole?.turns);
  expect(followed?.turnOpen).toBe(whole?.turnOpen);
  expect(followed?.seen).toEqual(whole?.seen);
  return whole as ContextHistory;
}

describe('what was there from the beginning', () => {
  it('T5 is the context of the very first reply, however long the file', () => {
    const path = transcript(
      bulkRow(3_000_000),
      promptRow(replyRow(99_999)),
      replyRow(500, { extra: { isSidechain: true } }),
      replyRow(30_000),
      ...Array.from({ length: MAX_TURNS + 5 }, () => [promptRow('a'), replyRow(90_000)]).flat(),
    );
    expect(readFirstTokens(path)).toBe(30_000);
    expect(readFirstTokens(transcript(promptRow('a')))).toBeUndefined();
    expect(readFirstTokens(join(tempFolder(), 'none.jsonl'))).toBeUndefined();
  });
});

describe('a conversation that was compacted in place', () => {
  const at = (second: number) => ({ timestamp: `2026-02-03T04:05:${10 + second}.000Z` });
  const again = (row: string) => JSON.stringify({ ...JSON.parse(row), uuid: 'another' });
  const timed = (row: string, second: number) =>
    JSON.stringify({ ...JSON.parse(row), ...at(second) });
  const kept = [
    timed(promptRow('b'), 3),
    replyRow(174_000, { extra: at(4) }),
    replyRow(175_000, { extra: at(5) }),
  ];
  const rows = [
    timed(promptRow('a'), 1),
    replyRow(20_000, { extra: at(2) }),
    ...kept,
    timed(compactionRow(175_000, 4000), 6),
    ...kept.map(again),
  ];

  it('K4 C1 counts from what is left of it, not from the messages that were kept', () => {
    expect(tokens(bothWays(...rows))).toEqual([4000]);
    const next = [timed(promptRow('c'), 7), replyRow(9000, { extra: at(8) })];
    expect(tokens(bothWays(...rows, ...next))).toEqual([9000]);
    expect(bothWays(...rows, ...next).seen.compaction?.compactedAt).toBe(175_000);
  });

  it('K4 C1 so does a reader who wants the last turn alone', () => {
    expect(readRecentTurns(transcript(...rows), 1).map((turn) => turn.tokens)).toEqual([4000]);
    const far = transcript(replyRow(80_000, { extra: at(7) }), bulkRow(400_000), kept[2] as string);
    expect(readRecentTurns(far, 1).map((turn) => turn.tokens)).toEqual([175_000]);
  });
});

describe('what a transcript tells of a window', () => {
  const model = 'glm-5.1';
  const reply = (tokens: number) => replyRow(tokens, { model });
  const seen = (...rows: string[]) => seenWindows(bothWays(promptRow('a'), ...rows));

  it('L1e a compaction tells at how many tokens, before and after the next replies', () => {
    const compacted = [{ model, compactedAt: 167_300 }];
    expect(seen(reply(167_000), compactionRow(167_300, 4000))).toEqual(compacted);
    expect(seen(reply(167_000), compactionRow(167_300), promptRow('b'), reply(9000))).toEqual(
      compacted,
    );
  });

  it('L1e a text that was never measured does not count, nor does what the user compacts', () => {
    expect(seen(reply(128_000), compactionRow(330_000, 4000))).toEqual([
      { model, compactedAt: 138_000 },
    ]);
    expect(seen(reply(60_000), compactionRow(60_100, 4000, 'manual'))).toEqual([]);
    expect(seen(compactionRow(60_100, 4000))).toEqual([]);
  });

  it("L1e an API's refusal tells the limit, in the words of any vendor", () => {
    const said =
      "This model's maximum context length is 131072 tokens. However, you requested more";
    const history = bothWays(promptRow('a'), reply(130_000), promptRow('b'), tooLongRow(said));
    expect(seenWindows(history)).toEqual([{ model, limit: 131_072 }]);
    expect(history.turns.at(-1)).toMatchObject({ tokens: 130_000, isFull: true });
    expect(seen(reply(130_000), promptRow('b'), tooLongRow('it is too much'))).toEqual([]);
  });

  it('L1e nobody else’s words are taken for a refusal', () => {
    const said = 'prompt is too long: 213456 tokens > 1000 maximum';
    const row = replyRow(20_000, { model, text: said, extra: { errorDetails: said } });
    expect(seen(promptRow(said), row)).toEqual([]);
  });
});

describe('whether the user typed something', () => {
  const OURS = 'Go on.';
  const userRow = (more: object, content: unknown = 'words') =>
    JSON.stringify({
      type: 'user',
      isSidechain: false,
      message: { role: 'user', content },
      ...more,
    });
  const typed = (...rows: string[]) =>
    hasPromptOfUser(transcript(promptRow(OURS), ...rows, replyRow(1000)), OURS);

  it.each([
    ['a prompt', promptRow('fix the login'), true],
    [
      'a prompt typed while Claude works',
      JSON.stringify({
        type: 'attachment',
        attachment: { type: 'queued_command', commandMode: 'prompt', prompt: 'and the footer' },
      }),
      true,
    ],
    ['our own text alone', promptRow(OURS), false],
    ['a note of Claude Code', userRow({ isMeta: true }), false],
    ['a summary of a compaction', userRow({ isCompactSummary: true }), false],
    ['a subagent’s prompt', userRow({ isSidechain: true }), false],
    [
      'a command, which a model can run too',
      promptRow('<command-name>/clear</command-name>'),
      false,
    ],
    ['a notification', promptRow('<task-notification>done</task-notification>'), false],
    [
      'a tool’s result',
      userRow({}, [{ type: 'tool_result', tool_use_id: 't', content: 'x' }]),
      false,
    ],
  ])('T5 %s', (_, row, isTyped) => {
    expect(typed(row)).toBe(isTyped);
  });

  it('T5 finds it behind much work, and finds nothing where there is no file', () => {
    const work = Array.from({ length: 50 }, () => bulkRow(100_000));
    expect(typed(promptRow('fix the login'), ...work)).toBe(true);
    expect(typed(...work)).toBe(false);
    expect(hasPromptOfUser(join(tempFolder(), 'none.jsonl'), OURS)).toBe(false);
  });
});

describe('the context history', () => {
  it('C1 has one figure per turn, that of its last reply', () => {
    const history = bothWays(
      promptRow('a'),
      replyRow(10_000),
      replyRow(11_000),
      promptRow('b'),
      replyRow(14_000),
      bulkRow(100_000),
    );
    expect(tokens(history)).toEqual([11_000, 14_000]);
  });

  it('C1 B9 counts a reply of several rows once', () => {
    const rows = ['one', 'two', 'three'].map((text) =>
      replyRow(20_000, { messageId: 'same', text }),
    );
    expect(tokens(bothWays(promptRow('a'), ...rows))).toEqual([20_000]);
  });

  it('C1 leaves out subagents and what the CLI itself says', () => {
    const subagent = replyRow(90_000, { extra: { isSidechain: true } });
    const apiError = replyRow(10, { model: '<synthetic>', extra: { isApiErrorMessage: true } });
    expect(tokens(bothWays(promptRow('a'), replyRow(20_000), subagent, apiError))).toEqual([
      20_000,
    ]);
  });

  it('A9 a session that is too long is full until it is cleared, compacted or answered again', () => {
    const tooLong = replyRow(0, {
      model: '<synthetic>',
      text: 'Prompt is too long',
      extra: { isApiErrorMessage: true },
    });
    const about = replyRow(150_000, { text: 'Prompt is too long, says the API.' });
    const full = (...rows: string[]) =>
      bothWays(promptRow('a'), replyRow(190_000), ...rows).turns.at(-1)?.isFull === true;
    expect(full(promptRow('b'), tooLong)).toBe(true);
    expect(full(promptRow('b'), tooLong, promptRow('c'))).toBe(true);
    expect(full(promptRow('b'), tooLong, compaction(9000))).toBe(false);
    expect(full(promptRow('b'), tooLong, promptRow('c'), replyRow(180_000))).toBe(false);
    expect(full(promptRow('b'), about)).toBe(false);
    expect(bothWays(promptRow('a'), tooLong).turns).toEqual([]);
  });

  it('reports what a compaction left until the next reply measures it', () => {
    const before = [
      promptRow('a'),
      replyRow(150_000),
      promptRow('b'),
      replyRow(160_000),
      compaction(9000),
    ];
    expect(bothWays(...before).turns).toEqual([
      { tokens: 9000, model: 'claude-sonnet-4-5-20250929', isCompaction: true },
    ]);
    expect(tokens(bothWays(...before, promptRow('c'), replyRow(25_000)))).toEqual([25_000]);
    expect(
      tokens(
        bothWays(...before, promptRow('c'), replyRow(25_000), promptRow('d'), replyRow(26_000)),
      ),
    ).toEqual([25_000, 26_000]);
  });

  it('is empty after a compaction without a figure', () => {
    expect(tokens(bothWays(promptRow('a'), replyRow(150_000), compaction()))).toEqual([]);
  });

  it('is empty before the first reply', () => {
    expect(tokens(bothWays(promptRow('a')))).toEqual([]);
    expect(readContextHistory(join(tempFolder(), 'none.jsonl'))).toBeUndefined();
  });

  it('is not fooled by a conversation about transcripts', () => {
    const quoted = promptRow(replyRow(99_999));
    expect(tokens(bothWays(promptRow('a'), replyRow(10_000), quoted))).toEqual([10_000]);
  });

  it('skips torn, empty and foreign lines', () => {
    const history = bothWays(
      '{"torn',
      '',
      'null',
      '{"type":"new","assistant":1,"usage":{}}',
      promptRow('a'),
      replyRow(5000),
      '}{',
    );
    expect(tokens(history)).toEqual([5000]);
  });

  it('keeps a bounded number of turns', () => {
    const rows = Array.from({ length: MAX_TURNS + 20 }, (_, turn) => [
      promptRow(`${turn}`),
      replyRow(1000 + turn),
    ]).flat();
    const history = bothWays(...rows);
    expect(history.turns).toHaveLength(MAX_TURNS);
    expect(tokens(history)?.at(-1)).toBe(1000 + MAX_TURNS + 19);
  });

  it('starts again when the file is another one or shorter', () => {
    const path = transcript(promptRow('a'), replyRow(10_000));
    const history = readContextHistory(path) as ContextHistory;
    truncateSync(path, 0);
    appendFileSync(path, `${replyRow(700)}\n`);
    expect(tokens(followContextHistory(path, history))).toEqual([700]);
  });

  it('is the same object when nothing was appended', () => {
    const path = transcript(promptRow('a'), replyRow(10_000));
    const history = readContextHistory(path) as ContextHistory;
    expect(followContextHistory(path, history)).toBe(history);
  });
});
