import { describe, expect, it } from 'vitest';
import { parseRow } from './rows.ts';
import { commandText, userWords } from './whose-words.ts';

const row = (value: unknown) => parseRow(JSON.stringify({ uuid: 'u', ...(value as object) }));
const user = (content: unknown, more: object = {}) =>
  row({ type: 'user', message: { role: 'user', content }, ...more });
const claude = (text: string, message: object = {}, more: object = {}) =>
  row({
    type: 'assistant',
    message: {
      id: 'm',
      model: 'claude-opus-4-5',
      usage: { output_tokens: 0 },
      content: [{ type: 'text', text }],
      ...message,
    },
    ...more,
  });
const said = (parsed: ReturnType<typeof parseRow>) =>
  parsed.kind === 'assistant'
    ? parsed.blocks.flatMap((block) => (block.type === 'text' ? block.text : []))
    : [];

describe('whose words a text is', () => {
  it.each([
    'Operation stopped by hook: another session is active',
    'Operation stopped by hook',
    'UserPromptSubmit operation blocked by hook:\nno',
    'Stop hook feedback:\n- tests fail',
    'PostToolUse:Edit hook additional context: formatted',
    '<ide_opened_file>The user opened /a/b.ts in the IDE.</ide_opened_file>',
    '<ide_selection>The user selected lines 1 to 3</ide_selection>',
    '<user-prompt-submit-hook>context</user-prompt-submit-hook>',
    '<task-notification>\n<task-id>b1</task-id>\n</task-notification>\nFull transcript available at: /tmp/b1',
    '<task-notification>\n<task-id>b2</task-id>\n</task-notification>\nRead the output file to retrieve the result: /tmp/b2',
    '<agent-notification><agent-id>a</agent-id></agent-notification>',
    '<teammate-message teammate_id="lead">go</teammate-message>',
    '<channel source="chat" user="x">hello</channel>',
    '<local-command-stdout>ok</local-command-stdout>',
    '<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>',
    '<system-reminder>Todo list is empty</system-reminder>',
    '<observed_from_primary_session>…</observed_from_primary_session>',
    'Hello memory agent, you are continuing to observe the primary session.',
    'Base directory for this skill: /home/x/.claude/skills/review\n\n# Review',
    'This session is being continued from a previous conversation that ran out of context.',
    '[Request interrupted by user]',
    '[Request interrupted by user for tool use]',
    '[Image: source: /tmp/a.png]',
    '[SUGGESTION MODE: Suggest what the user might type next]',
    '<command-message>review</command-message>\n<command-name>review</command-name>\n<skill-format>true</skill-format>',
  ])('L1a nobody said %j', (text) => {
    expect(userWords(text)).toEqual({ kind: 'note', text });
  });

  it.each([
    'API Error: 500 is what I get, why?',
    'Stop hook says it failed, look',
    '[lint] 3 errors',
    '[Request interrupted by user] is what I see, what does it mean?',
    '<channel><title>my feed</title></channel>',
    '<div>why is this not centred?</div>',
    'In the middle <system-reminder>of a quotation</system-reminder> it stays.',
    '  indented, with a newline at its end\n',
    '',
  ])('L1a the user said %j, string for string', (text) => {
    expect(userWords(text)).toEqual({ kind: 'prompt', text });
  });

  it('L1a what was typed is kept without the notes before and behind it', () => {
    const note = '<ide_selection>lines 1 to 3</ide_selection>';
    expect(userWords(`${note}\nfix this`)).toEqual({ kind: 'prompt', text: 'fix this' });
    expect(userWords(`fix this\n\n<system-reminder>x</system-reminder>\n`)).toEqual({
      kind: 'prompt',
      text: 'fix this',
    });
    const blocks = [note, 'create a file', 'and another'].map((text) => ({ type: 'text', text }));
    expect(user(blocks)).toMatchObject({ kind: 'prompt', text: 'create a file\nand another' });
    expect(user(['a string', { type: 'image' }])).toMatchObject({
      kind: 'prompt',
      text: 'a string',
    });
  });

  it.each([
    { isMeta: true },
    { isCompactSummary: true },
    { origin: { kind: 'task-notification' } },
    { sourceToolUseID: 'toolu_1' },
    { promptSource: 'system' },
    { isVisibleInTranscriptOnly: true },
  ])('L1a a row with %j holds nobody’s words', (mark) => {
    expect(user('Do as the skill says.', mark)).toMatchObject({ kind: 'note' });
  });

  it('L1a commands are as the user typed them', () => {
    const typed = (text: string) => {
      expect(userWords(text).kind).toBe('command');
      return commandText(text);
    };
    expect(typed('<command-name>/model</command-name>\n<command-args></command-args>')).toBe(
      '/model',
    );
    expect(
      typed(
        '<command-message>review</command-message>\n<command-name>review</command-name>\n<command-args>a </command-args> b</command-args>',
      ),
    ).toBe('/review a </command-args> b');
    expect(typed('<bash-input>ls -l</bash-input>')).toBe('!ls -l');
    expect(typed('<user-memory-input>always lint</user-memory-input>')).toBe('#always lint');
  });

  it('L1a a command that opens a dialog is found in the only row it has', () => {
    const content = '<command-name>/skills</command-name>\n<command-args></command-args>';
    const system = { type: 'system', subtype: 'local_command', content };
    expect(row(system)).toMatchObject({ kind: 'command', text: content });
    for (const other of [
      { ...system, isMeta: true },
      { ...system, content: '<local-command-stdout>closed</local-command-stdout>' },
      { ...system, subtype: 'informational' },
    ])
      expect(row(other)).toMatchObject({ kind: 'other' });
  });

  it.each([
    ['API Error: 529 Overloaded', {}, { isApiErrorMessage: true }],
    ['You’ve had enough for today', {}, { isApiErrorMessage: true }],
    ['Login interrupted', { model: '<synthetic>' }, {}],
    ['No response requested.', {}, {}],
    ['Not logged in · Please run /login', {}, {}],
    ['API Error: Connection error.', { usage: undefined, id: undefined }, {}],
    ["You've hit your limit · resets 3pm", {}, {}],
    ['Invalid API key · Fix external API key', {}, {}],
  ])('L1a Claude did not say %j', (text, message, more) => {
    expect(said(claude(text, message, more))).toEqual([]);
  });

  it('L1a Claude may speak of an error itself', () => {
    const text = 'API Error: that is what the log says, because the key is missing.';
    expect(said(claude(text, { usage: { output_tokens: 40 } }))).toEqual([text]);
  });

  it('L1a a reply without an id, or in one string, is Claude’s', () => {
    expect(said(claude('Done.', { id: undefined }))).toEqual(['Done.']);
    expect(said(claude('', { content: 'Done.' }))).toEqual(['Done.']);
  });

  it('L1a a row without an id gets one of what it holds, the same each time', () => {
    const line = JSON.stringify({ type: 'user', message: { content: 'go' }, timestamp: 't1' });
    const id = (text: string) => {
      const parsed = parseRow(text);
      return parsed.kind === 'prompt' ? parsed.uuid : undefined;
    };
    expect(id(line)).toMatch(/^[0-9a-f]{16}$/);
    expect(id(` ${line}\r`)).toBe(id(line));
    expect(id(line.replace('t1', 't2'))).not.toBe(id(line));
  });
});
