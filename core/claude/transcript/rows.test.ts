import { describe, expect, it } from 'vitest';
import { parseRow } from './rows.ts';

const row = (value: unknown) => parseRow(JSON.stringify(value));
const user = (content: unknown, more: Record<string, unknown> = {}) =>
  row({ type: 'user', message: { role: 'user', content }, ...more });
const assistant = (message: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  row({
    type: 'assistant',
    message: { id: 'm1', model: 'claude-opus-5-5', content: [], ...message },
    ...more,
  });

describe('parseRow', () => {
  it('B1 takes a typed prompt, which is a string, as the words of the user', () => {
    expect(user('안녕, fix the bug', { uuid: 'u1', timestamp: '2026-01-01T00:00:00Z' })).toEqual({
      kind: 'prompt',
      text: '안녕, fix the bug',
      uuid: 'u1',
      at: '2026-01-01T00:00:00Z',
      isSidechain: false,
    });
  });

  it('takes a prompt with pasted images as the words of the user', () => {
    const content = [
      { type: 'image', source: {} },
      { type: 'text', text: 'what is this?' },
    ];
    expect(user(content)).toMatchObject({ kind: 'prompt', text: 'what is this?' });
  });

  it('B1 takes a prompt that was typed while tools ran as the words of the user', () => {
    const queued = {
      type: 'queued_command',
      prompt: '이것도 해줘',
      commandMode: 'prompt',
      origin: { kind: 'human' },
    };
    expect(row({ type: 'attachment', attachment: queued })).toMatchObject({
      kind: 'prompt',
      text: '이것도 해줘',
    });
    const blocks = { ...queued, prompt: [{ type: 'text', text: 'and this' }] };
    expect(row({ type: 'attachment', attachment: blocks })).toMatchObject({
      kind: 'prompt',
      text: 'and this',
    });
    for (const other of [
      { ...queued, origin: { kind: 'task' } },
      { ...queued, commandMode: 'task-notification' },
      { type: 'date' },
    ])
      expect(row({ type: 'attachment', attachment: other })).toMatchObject({ kind: 'other' });
  });

  it.each([
    ['a hint of the CLI', 'Caveat: …', { isMeta: true }],
    ['the output of a command', '<local-command-stdout>ok</local-command-stdout>', {}],
    ['an interruption', [{ type: 'text', text: '[Request interrupted by user for tool use]' }], {}],
    ['a compaction summary', 'This session is being continued …', { isCompactSummary: true }],
  ])('does not take %s for the words of the user', (_, content, more) => {
    expect(user(content, more)).toMatchObject({ kind: 'note' });
  });

  it.each([
    '<command-name>/compact</command-name>',
    '<command-message>review</command-message>',
    '<bash-input>ls</bash-input>',
  ])('reads %s as a command', (text) => {
    expect(user(text)).toMatchObject({ kind: 'command', text });
  });

  it('reads tool results in both of their forms', () => {
    const results = [
      { type: 'tool_result', tool_use_id: 't1', content: 'plain' },
      {
        type: 'tool_result',
        tool_use_id: 't2',
        is_error: true,
        content: [
          { type: 'text', text: 'in' },
          { type: 'text', text: 'blocks' },
        ],
      },
    ];
    expect(user(results)).toMatchObject({
      kind: 'tool-result',
      results: [
        { toolUseId: 't1', text: 'plain', isError: false },
        { toolUseId: 't2', text: 'in\nblocks', isError: true },
      ],
    });
  });

  it('reads the blocks of a reply', () => {
    const content = [
      { type: 'thinking', thinking: '…' },
      { type: 'text', text: 'Running it.' },
      { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } },
    ];
    expect(assistant({ content })).toMatchObject({
      kind: 'assistant',
      blocks: [
        { type: 'other' },
        { type: 'text', text: 'Running it.' },
        { type: 'tool-use', id: 't1', name: 'Bash', input: { command: 'ls' } },
      ],
    });
  });

  it('C1 adds up input, cache creation and cache read', () => {
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 5000,
      cache_read_input_tokens: 140_000,
      output_tokens: 99,
    };
    expect(assistant({ usage })).toMatchObject({ contextTokens: 145_010 });
  });

  it('C1 takes the last iteration that asked the model itself', () => {
    const iterations = [
      { type: 'message', input_tokens: 100, cache_read_input_tokens: 0 },
      { type: 'message', input_tokens: 200, cache_read_input_tokens: 7 },
      { type: 'advisor_message', input_tokens: 90_000 },
      { type: 'compaction', input_tokens: 90_000 },
    ];
    expect(assistant({ usage: { input_tokens: 180_300, iterations } })).toMatchObject({
      contextTokens: 207,
    });
    expect(assistant({ usage: { input_tokens: 300, iterations: [] } })).toMatchObject({
      contextTokens: 300,
    });
  });

  it("C1 takes no tokens from what the CLI itself says in the assistant's role", () => {
    const usage = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    expect(assistant({ model: '<synthetic>', usage })).not.toHaveProperty('contextTokens');
    expect(assistant({ usage }, { isApiErrorMessage: true })).not.toHaveProperty('contextTokens');
  });

  it('C2 reports the model as requested, with its [1m]', () => {
    expect(
      assistant({ model: 'claude-sonnet-4-5' }, { requestedModel: 'claude-sonnet-4-5[1m]' }),
    ).toMatchObject({
      model: 'claude-sonnet-4-5[1m]',
    });
    expect(assistant({ model: 'claude-sonnet-4-5' })).toMatchObject({ model: 'claude-sonnet-4-5' });
  });

  it('reads a compaction with its figures', () => {
    const compactMetadata = { trigger: 'auto', preTokens: 167_000, postTokens: 9000 };
    expect(row({ type: 'system', subtype: 'compact_boundary', compactMetadata })).toMatchObject({
      kind: 'compaction',
      postTokens: 9000,
    });
    expect(row({ type: 'system', subtype: 'turn_duration' })).toMatchObject({
      kind: 'other',
    });
  });

  it('marks what belongs to a subagent', () => {
    expect(user('go', { isSidechain: true })).toMatchObject({ isSidechain: true });
  });

  it('skips rows around the conversation, and types of future releases', () => {
    expect(row({ type: 'file-history-snapshot' })).toMatchObject({ kind: 'other' });
    expect(row({ type: 'brand-new-thing', payload: [1] })).toMatchObject({ kind: 'other' });
  });

  it.each(['', 'null', '[]', '42', '"text"', '{"type":"assist', '{"type":"user"} trailing'])(
    'calls %j broken',
    (line) => {
      expect(parseRow(line)).toEqual({ kind: 'broken' });
    },
  );

  it.each([
    { type: 'assistant' },
    { type: 'assistant', message: [] },
    { type: 'assistant', message: { id: 7, usage: 'x' } },
    { type: 'user', message: 'text' },
    { type: 7 },
    {},
  ])('skips %j', (value) => {
    expect(row(value)).toMatchObject({ kind: 'other' });
  });

  it('survives malformed usage', () => {
    for (const usage of [
      null,
      [],
      'x',
      {},
      { input_tokens: '10' },
      { input_tokens: 1e300, cache_read_input_tokens: 1e300 },
    ])
      expect(assistant({ usage })).not.toHaveProperty('contextTokens');
    expect(assistant({ usage: { input_tokens: -5, cache_read_input_tokens: 100 } })).toMatchObject({
      contextTokens: 100,
    });
  });
});
