import { describe, expect, it } from 'vitest';
import { parseRow, type SpokenRow, type TranscriptRow } from './rows.ts';
import { spokenRows } from './spoken-rows.ts';
import { TodaysRows } from './todays-rows.ts';

/** Rows in the very shape and length in which Claude Code 2.1.325 writes them. */
const ids = { uuid: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee', timestamp: '2026-11-16T01:02:03.000Z' };
const where = { cwd: 'C:\\work\\here', sessionId: 's', version: '2.1.325', gitBranch: 'HEAD' };
const head = { parentUuid: 'p-1', isSidechain: false };
const user = (content: unknown, more = {}) => ({
  ...head,
  promptId: 'q-1',
  type: 'user',
  message: { role: 'user', content },
  ...ids,
  ...more,
  ...where,
});
const reply = (block: object, more = {}) => ({
  ...head,
  message: {
    model: 'claude-opus-5-5',
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [block],
    stop_reason: null,
    usage: { output_tokens: 5, cache_creation: { ephemeral_1h_input_tokens: 0 } },
  },
  requestId: 'r-1',
  requestedModel: 'claude-opus-5-5',
  type: 'assistant',
  ...ids,
  ...more,
  ...where,
});
const text = { type: 'text', text: '했다: "src/a.ts" 🙂\n끝' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'echo "}]"' } };
const success = { tool_use_id: 'toolu_1', type: 'tool_result', content: '출력 "ok"\n'.repeat(40) };
const found = { toolUseResult: { stdout: 'x', interrupted: false } };
const queued = { type: 'queue-operation', operation: 'enqueue', timestamp: 't', sessionId: 's' };

const TODAY: object[] = [
  user('고쳐줘 "now"\n\\ 둘째 줄', { promptSource: 'typed', turnPosition: { promptIndex: 1 } }),
  user('a hint of the CLI', { isMeta: true }),
  user([success], found),
  user([{ ...success, is_error: false }], found),
  reply(text),
  reply(call),
  { ...queued, content: '이것도 "해줘"' },
  { ...queued, operation: 'dequeue' },
];

/** Rows that look alike and must not be taken for them. */
const OTHERWISE: object[] = [
  { ...user('first of all'), parentUuid: null },
  { ...user('of a subagent'), isSidechain: true },
  user(null),
  user([{ ...success, content: [{ type: 'text', text: 'a list' }] }], found),
  user([{ ...success, is_error: true }], found),
  user([success, { type: 'text', text: 'yes, and write a test' }], found),
  reply(text, { isMeta: true }),
  reply(text, { isApiErrorMessage: true }),
  reply(text, { context: { isVirtual: true } }),
  { ...reply(text, { late: {} }), uuid: 'short' },
  { ...reply(text), timestamp: `about ${ids.timestamp}` },
  { ...reply(text), uuid: 'a"b'.padEnd(35, '-') },
  { ...reply(text), message: { ...reply(text).message, model: '<synthetic>' } },
  { ...reply(text), message: { ...reply(text).message, content: [text, call] } },
  reply({ type: 'thinking', thinking: 'hm' }),
  reply({ ...call, caller: { type: 'direct' } }),
  reply({ ...text, citations: [] }),
];

const read = (json: string) => {
  const reader = new TodaysRows(() => 50);
  const bytes = Buffer.from(json);
  return reader.read(bytes, 0, bytes.length);
};

/** What may become an entry. */
const words = (rows: (SpokenRow | TranscriptRow)[]) =>
  rows.flatMap((row): unknown[] => {
    if (row.kind === 'tool-result')
      return [row.results.map((one) => ({ ...one, text: one.text.slice(0, 50) })), row.dialogWords];
    if (row.kind === 'assistant') return [{ uuid: row.uuid, at: row.at, blocks: row.blocks }];
    return row.kind === 'prompt' || row.kind === 'queue' ? [row] : [];
  });
const quickly = (lines: string) => words(spokenRows(Buffer.from(lines), 50));
const parsing = (lines: string) =>
  words(
    lines
      .split('\n')
      .map(parseRow)
      .filter((row) => row.kind === 'broken' || !row.isSidechain),
  );

describe('rows in the order of today', () => {
  it.each(TODAY.map((row) => [JSON.stringify(row)]))('L1a are read by it: %.80s', (json) => {
    expect(read(json)).toMatchObject({ timestamp: JSON.parse(json).timestamp });
    expect(quickly(json)).toEqual(parsing(json));
  });

  it.each(OTHERWISE.map((row) => [JSON.stringify(row)]))('L1a others are not: %.80s', (json) => {
    expect(read(json)).toBeUndefined();
    expect(quickly(json)).toEqual(parsing(json));
  });

  it('L1a say the same with any field left out, written twice, or moved to the end', () => {
    for (const row of [...TODAY, ...OTHERWISE])
      for (const field of Object.keys(row)) {
        const { [field]: value, ...others } = row as Record<string, unknown>;
        const twice = JSON.stringify({ [field]: value }).replace(/\}$/, ',');
        for (const json of [
          JSON.stringify(others),
          JSON.stringify(row).replace('{', twice),
          JSON.stringify({ ...others, [field]: value }),
        ])
          expect(quickly(json), json).toEqual(parsing(json));
      }
  });

  it('L1a say nothing of their own where they are torn, but for a result', () => {
    for (const row of TODAY) {
      const json = JSON.stringify(row);
      for (let cut = 1; cut < json.length; cut++)
        expect(
          spokenRows(Buffer.from(json.slice(0, cut)), 50).filter(
            ({ kind }) => kind !== 'tool-result' && kind !== 'broken',
          ),
        ).toEqual([]);
    }
  });

  it('L1a are found behind each other in one line', () => {
    for (const one of TODAY)
      for (const other of TODAY) {
        const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
        const both = quickly(`${first}\n${second}`);
        expect(quickly(`${first}${second}`), `${first}${second}`).toEqual(both);
      }
  });
});
