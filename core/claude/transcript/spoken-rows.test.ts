import { describe, expect, it } from 'vitest';
import { Mutator } from '../../../tests/bed/mutator.ts';
import { seeds } from '../../../tests/bed/seeds.ts';
import { parseRow, type SpokenRow, type TranscriptRow } from './rows.ts';
import { spokenRows } from './spoken-rows.ts';

const RESULT_CHARS = 50;

/** Rows in the very shape in which Claude Code 2.1.325 writes them. */
const head = { parentUuid: 'p-1', isSidechain: false };
const prompt = { ...head, promptId: 'q-1', type: 'user' };
const ids = { uuid: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee', timestamp: '2026-11-16T01:02:03.000Z' };
const where = {
  userType: 'external',
  cwd: 'C:\\work\\here',
  sessionId: 's',
  version: '2.1.325',
  gitBranch: 'HEAD',
};
const usage = { input_tokens: 10, output_tokens: 5, server_tool_use: { web_search_requests: 0 } };
const said = (content: unknown, more = {}) => ({
  ...prompt,
  message: { role: 'user', content },
  ...more,
  ...ids,
  turnPosition: { promptIndex: 0, turnIndex: 1 },
  ...where,
});
const result = (content: unknown, more = {}) => ({
  ...prompt,
  message: {
    role: 'user',
    content: [{ tool_use_id: 'toolu_1', type: 'tool_result', content, ...more }],
  },
  ...ids,
  toolUseResult: { type: 'text', file: { content: 'again: "all of it"' } },
  ...where,
});
const reply = (...content: unknown[]) => ({
  ...head,
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5-5',
    content,
    stop_reason: null,
    usage,
  },
  requestId: 'r-1',
  type: 'assistant',
  ...ids,
  ...where,
});
const attachment = (value: object, more = {}) => ({
  ...head,
  attachment: value,
  type: 'attachment',
  ...ids,
  ...more,
  ...where,
});

const REFUSAL = "The user doesn't want to proceed with this tool use.";
const asked = {
  question: 'Which colour?',
  header: 'Pick',
  options: [{ label: 'Red' }],
  multiSelect: false,
};
const answers = {
  questions: [asked],
  answers: { 'Which colour?': '짙은 청록, "like the sea"' },
  annotations: {},
};
const refused = {
  toolDenialKind: 'user-rejected',
  userFeedback: 'use "lint" first, 그리고 기다려',
};

const ODD_TEXT =
  'He said: "},"uuid":"x"}]},"uuid":"y" \\" \\\\ 안녕 🙂 \u2028 \t\r\n { } [ ], "content":[ "stop_reason": end\\';
const ROWS = [
  said('안녕하세요 "hello"\n둘째 줄'),
  said(ODD_TEXT),
  said(''),
  said('Caveat', { isMeta: true }),
  said('This session is being continued', { isCompactSummary: true }),
  said('<command-name>/review</command-name>'),
  said('<local-command-stdout>x</local-command-stdout>'),
  said([{ type: 'text', text: 'as blocks' }]),
  { ...said('from a subagent'), isSidechain: true },
  result('short'),
  result(`${ODD_TEXT} ${'긴 출력 and some more '.repeat(20)}`),
  result('x'.repeat(500), { is_error: true }),
  result('ends with a comma,', { is_error: false }),
  result('\\'.repeat(90)),
  result('\u001b'.repeat(90)),
  result([{ type: 'text', text: 'as blocks' }]),
  result('two', { extra: 1 }),
  {
    ...result(''),
    message: {
      role: 'user',
      content: ['a', 'b'].map((id) => ({ tool_use_id: id, type: 'tool_result', content: id })),
    },
  },
  { ...result('Your questions have been answered'), toolUseResult: answers },
  {
    ...result('an answer, and a test: "ok"', { is_error: false }),
    toolUseResult: { stdout: 'questions', answers: {} },
  },
  { ...result(REFUSAL, { is_error: true }), ...refused },
  {
    ...result(''),
    message: {
      role: 'user',
      content: [
        { tool_use_id: 'toolu_1', type: 'tool_result', content: 'done', is_error: false },
        { type: 'text', text: 'yes, and write a test' },
      ],
    },
  },
  reply({ type: 'text', text: 'On it.' }),
  reply(
    { type: 'text', text: ODD_TEXT },
    { type: 'tool_use', id: 't', name: 'X', input: { a: [1], stop_reason: { b: ODD_TEXT } } },
  ),
  reply({ type: 'thinking', thinking: 'hm' }),
  reply(),
  { ...reply({ type: 'text', text: 'from an odd place' }), cwd: '/work/{here}' },
  { ...said('from an odd place'), cwd: '/work/{here}' },
  {
    ...reply({ type: 'text', text: 'with a tail' }),
    tail: [{ type: 'assistant', uuid: 'other', timestamp: 'other' }],
  },
  {
    ...reply({ type: 'text', text: 'no id' }),
    message: { role: 'assistant', content: [{ type: 'text', text: 'no id' }] },
  },
  attachment({
    type: 'queued_command',
    prompt: '이것도 해줘',
    commandMode: 'prompt',
    origin: { kind: 'human' },
  }),
  attachment({ type: 'prompt_snapshot', text: ODD_TEXT }),
  attachment(
    { type: 'file', content: '"message"' },
    { rendered: [{ role: 'user', content: 'x' }] },
  ),
  {
    ...attachment({ type: 'file' }),
    type: 'user',
    message: { role: 'user', content: 'a prompt with an attachment' },
  },
  { type: 'api-request', message: { role: 'user', content: 'no word of anybody' } },
  { type: 'user', message: { role: 'user', content: 'type first' }, ...ids },
  { type: 'system', subtype: 'compact_boundary', ...ids },
  { message: { role: 'user', content: 'type last' }, ...ids, type: 'user' },
];
const TRANSCRIPT = ROWS.map((row) => `${JSON.stringify(row)}\n`).join('');

const where2 = { userType: 'external', cwd: '/work', sessionId: 's', version: '2.1.33' };
/** Shapes of versions before 2.1.100, some with what only newer ones write. */
const OLDER_ROWS: object[] = [
  ...ROWS,
  ...ROWS.filter((row) => 'uuid' in row).map((row) => ({ ...where2, slug: 'x', ...row })),
  { type: 'queue-operation', operation: 'enqueue', timestamp: 't', content: '이것도 "해줘"' },
  { type: 'queue-operation', operation: 'popAll', timestamp: 't' },
  {
    ...head,
    ...where2,
    type: 'system',
    subtype: 'local_command',
    content: '<command-name>/x</command-name>',
    ...ids,
  },
  { ...head, ...where2, type: 'progress', data: { message: { type: 'user' } }, ...ids },
  { ...said('no id'), uuid: undefined },
  { ...reply({ type: 'text', text: 'API Error: 500' }), isApiErrorMessage: true },
  reply({ type: 'text', text: 'API Error: is what I meant' }),
  { ...said('a skill'), sourceToolUseID: 'toolu_1' },
  { ...said('a notice'), origin: { kind: 'channel' } },
  { ...result('done'), toolUseResult: { plan: 'p '.repeat(2000), planWasEdited: true } },
  { ...result('done'), toolUseResult: { ...answers, more: 'm '.repeat(2000) } },
  { ...result('done'), toolUseResult: { stdout: 'm '.repeat(2000), isImage: false } },
];

/** The same values, with the fields of every object in another order. */
function shuffled(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, seed));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, shuffled(inner, seed)]);
  const order = (name: string) => (name.length * 31 + name.charCodeAt(0) * seed) % 17;
  return Object.fromEntries(
    fields.sort(([one], [other]) => order(String(one)) - order(String(other))),
  );
}

/** What a reader of words can see of a row; nothing if it says nothing. */
function words(row: SpokenRow | TranscriptRow): object[] {
  if (row.kind === 'prompt' || row.kind === 'command' || row.kind === 'queue') return [{ ...row }];
  if (row.kind === 'assistant')
    return [{ uuid: row.uuid, at: row.at, isSidechain: row.isSidechain, blocks: row.blocks }];
  if (row.kind !== 'tool-result' || row.isSidechain || row.uuid === undefined) return [];
  return [
    [
      ...row.results.map((one) => ({ ...one, text: one.text.slice(0, RESULT_CHARS) })),
      ...(row.dialogWords ?? []),
    ],
  ];
}

const isSaid = (row: object) => !('isSidechain' in row) || row.isSidechain === false;
const quickly = (bytes: Buffer) => spokenRows(bytes, RESULT_CHARS).flatMap(words).filter(isSaid);
const parsing = (bytes: Buffer) =>
  bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => words(parseRow(line.replace(/\r$/, ''))))
    .filter(isSaid);

describe('spoken rows', () => {
  it('M4 are the same as if every line were parsed', () => {
    expect(parsing(Buffer.from(TRANSCRIPT))).toHaveLength(30);
    expect(quickly(Buffer.from(TRANSCRIPT))).toEqual(parsing(Buffer.from(TRANSCRIPT)));
  });

  it('M4 are the same when lines are long, end with CRLF, or have blanks between their fields', () => {
    const long = JSON.stringify(result(`${'word '.repeat(100_000)}`));
    const spaced = ROWS.map((row) => JSON.stringify(row, null, 1).replaceAll('\n', ' '));
    for (const lines of [[long, ...ROWS.map((row) => JSON.stringify(row)), long], spaced])
      for (const newline of ['\n', '\r\n']) {
        const bytes = Buffer.from(`${lines.join(newline)}${newline}`);
        expect(quickly(bytes)).toEqual(parsing(bytes));
      }
  });

  it('M4 are the same in any order of fields', () => {
    for (let turn = 1; turn < 12; turn++) {
      const rows = ROWS.map((row) => {
        const fields = Object.entries(row);
        return JSON.stringify(
          Object.fromEntries([...fields.slice(turn), ...fields.slice(0, turn)]),
        );
      });
      const bytes = Buffer.from(`${rows.join('\n')}\n`);
      expect(quickly(bytes), `turned by ${turn}`).toEqual(parsing(bytes));
    }
  });

  it('L1a are the same in any order of fields at every level, however they are spelled', () => {
    for (const seed of seeds(60)) {
      const rows = OLDER_ROWS.map((row, index) => {
        const json = JSON.stringify(shuffled(row, seed + index), null, seed % 2);
        const inOneLine = json.replace(/\n */g, seed % 3 === 0 ? '' : ' \t');
        return seed % 5 === 0 ? inOneLine.replace(/"(t)ype":/g, '"\\u0074ype":') : inOneLine;
      });
      const bytes = Buffer.from(`${rows.join('\n')}\n`);
      expect(quickly(bytes), `seed ${seed}`).toEqual(parsing(bytes));
    }
    expect(
      quickly(Buffer.from(OLDER_ROWS.map((row) => JSON.stringify(row)).join('\n'))),
    ).toHaveLength(69);
  });

  it('L1a of a torn line nothing is taken but a result', () => {
    const torn = ROWS.filter((row) => 'message' in row && 'uuid' in row)
      .map((row) => JSON.stringify(row))
      .flatMap((json) => [20, 60, 99].map((part) => json.slice(0, (json.length * part) / 100)));
    const taken = torn.flatMap((line) => spokenRows(Buffer.from(line), RESULT_CHARS));
    expect(taken.filter(({ kind }) => kind !== 'tool-result')).toEqual([]);
  });

  it('M4 are the same in damaged lines that are still JSON', () => {
    let compared = 0;
    const rounds = seeds(400);
    for (const seed of rounds) {
      const line = `${JSON.stringify(ROWS[seed % ROWS.length])}\n`;
      const lines = new Mutator(seed).damage(line).toString('latin1').split('\n');
      for (const damaged of lines.map((text) => Buffer.from(text, 'latin1'))) {
        const isJson = parseRow(damaged.toString('utf8').replace(/\r$/, '')).kind !== 'broken';
        if (isJson) expect(quickly(damaged), `seed ${seed}`).toEqual(parsing(damaged));
        else expect(() => quickly(damaged), `seed ${seed}`).not.toThrow();
        compared += Number(isJson);
      }
    }
    expect(compared).toBeGreaterThan(rounds.length / 10);
  });
});
