/**
 * The extractor that the product's reader is held against must itself be right about every shape:
 * made-up rows in the shapes of real ones, with the words that it must find in them.
 */
import { describe, expect, it } from 'vitest';
import { extract } from '../bench/real-transcripts/extractor.ts';

const REFUSED = "The user doesn't want to proceed with this tool use. To tell you how to proceed, ";
const NOTE = "\n\nNote: The user's next message may contain a correction or preference.";

describe('words of the user', () => {
  it('are prompts, text blocks, and the last line without an end or an id', () => {
    const rows = [user('first'), user([text('second')])].map(line).join('\n');
    expect(wordsIn(`${rows}\n${line({ ...user('third'), uuid: undefined })}`)).toEqual([
      'user: first',
      'user: second',
      'user: third',
    ]);
  });

  it('are slash commands as typed, bash input and notes to memory', () => {
    const args = '<command-args>42 </command-args> done</command-args>';
    expect(
      words(
        user(
          `<command-message>look</command-message>\n<command-name>/look</command-name>\n${args}`,
        ),
        user('<command-name>init</command-name><command-contents>Do it</command-contents>'),
        { type: 'system', subtype: 'local_command', content: '<command-name>/mcp</command-name>' },
        user('<bash-input>ls -a</bash-input>'),
        user('<bash-stdout>a b</bash-stdout><bash-stderr></bash-stderr>'),
        user('<user-memory-input>use tabs</user-memory-input>'),
      ),
    ).toEqual([
      'user: /look 42 </command-args> done',
      'user: /init',
      'user: /mcp',
      'user: ls -a',
      'user: use tabs',
    ]);
  });

  it('are answers, notes to them, refusals, and what stands beside a result', () => {
    expect(
      words(
        {
          ...result('User has answered your questions: "A?"="yes"'),
          toolUseResult: {
            answers: { 'A?': 'yes', 'B?': ['one', 'two'], 'C?': '' },
            annotations: { 'A?': { notes: 'but slowly' } },
          },
        },
        result(`${REFUSED}the user said:\nnot this\n\nfile${NOTE}`, true),
        { ...result('denied', true), userFeedback: 'nor that' },
        result(`${REFUSED}the user said:\nquoted in a file`),
        user([{ type: 'tool_result', content: 'ok' }, text('and test it')]),
        result(
          `${REFUSED}the user said:\nThe user wants to clarify these questions.\n- "A?"\n  Answer: one\n- "B?"\n  (No answer provided)`,
          true,
        ),
      ),
    ).toEqual([
      'user: yes',
      'user: but slowly',
      'user: one',
      'user: two',
      'user: not this\n\nfile',
      'user: nor that',
      'user: and test it',
      'user: one',
    ]);
  });

  it('stay words when they look like a program’s', () => {
    const typed = [
      '[lint] 2 errors in a.ts',
      'Stop hook says nothing, why?',
      '<div>why is this red?</div>',
      'what does <system-reminder> mean in the log?',
    ];
    expect(words(...typed.map((prompt) => user(prompt)))).toEqual(
      typed.map((prompt) => `user: ${prompt}`),
    );
  });

  it('are found between reminders and notes of the IDE', () => {
    expect(
      words(
        user([text('<ide_opened_file>The user opened a.ts</ide_opened_file>'), text('fix it')]),
        user(
          '<system-reminder>one</system-reminder>\nand this\n<system-reminder>b</system-reminder>',
        ),
      ),
    ).toEqual(['user: fix it', 'user: and this']);
  });
});

describe('prompts queued while Claude works', () => {
  it('count once, whatever became of them', () => {
    expect(
      words(
        queue('enqueue', 'became a prompt'),
        queue('dequeue'),
        user('became a prompt'),
        queue('enqueue', 'sent along, older'),
        queue('remove'),
        queue('enqueue', 'sent along, newer'),
        queue('remove'),
        queued('sent along, newer'),
        queue('enqueue', 'lint comman'),
        queue('popAll', 'lint comman'),
        queue('enqueue', 'lint command'),
        queue('remove'),
        queue('enqueue', '/exit'),
        queue('dequeue'),
        user('<command-name>/exit</command-name>'),
        queue('enqueue', 'still waiting'),
      ),
    ).toEqual([
      'user: became a prompt',
      'user: sent along, older',
      'user: sent along, newer',
      'user: lint command',
      'user: /exit',
      'user: still waiting',
    ]);
  });

  it('that went into one prompt together are not doubled, a longer prompt is another', () => {
    expect(
      words(
        queue('enqueue', 'one'),
        queue('enqueue', 'two'),
        queue('dequeue'),
        queue('dequeue'),
        user('one\ntwo'),
        queue('enqueue', 'open a branch'),
        queue('remove'),
        user('open a branch off main'),
      ),
    ).toEqual(['user: one\ntwo', 'user: open a branch', 'user: open a branch off main']);
  });

  it('are not notifications', () => {
    const notice = '<task-notification><status>done</status></task-notification>';
    expect(
      words(
        queue('enqueue', `${notice}\nFull transcript available at: /tmp/a`),
        queue('dequeue'),
        user(`${notice}\nRead the output file to retrieve the result: /tmp/a`),
        queued(notice, { commandMode: 'task-notification' }),
        queued('from a colleague', { origin: { kind: 'peer' } }),
      ),
    ).toEqual([]);
  });
});

describe('words of Claude', () => {
  it('count once per message, without thinking, and after a line that was glued', () => {
    const done = assistant('m1', [text('Done.')]);
    expect(
      wordsIn(
        [
          line(assistant('m0', [{ type: 'thinking', thinking: 'hm' }])),
          line(assistant('m0', [text('I look.')])),
          `${line(done)}${line({ type: 'summary', summary: 'x } { y' })}`,
          line({ ...done, uuid: 'again' }),
          line(assistant(undefined, [text('No id.')])),
        ].join('\n'),
      ),
    ).toEqual(['assistant: I look.', 'assistant: Done.', 'assistant: No id.']);
  });

  it('are not errors of the CLI, but may speak of them', () => {
    const synthetic = { model: '<synthetic>' };
    expect(
      words(
        assistant('e1', [text('Not logged in · Please run /login')], synthetic),
        { ...assistant('e2', [text('Overloaded')]), isApiErrorMessage: true },
        assistant('e3', [text('No response requested.')], synthetic),
        assistant('e4', [text('API Error: 500')], { usage: { output_tokens: 0 } }),
        assistant('e5', [text('API Error: 500 means the server failed.')]),
      ),
    ).toEqual(['assistant: API Error: 500 means the server failed.']);
  });
});

it('what is nobody’s words has its reason', () => {
  const rows: [Row, string][] = [
    [{ ...user('look around'), isSidechain: true }, 'subagent'],
    [{ ...assistant('s', [text('I did')]), isSidechain: true }, 'subagent'],
    [{ ...user('# Review'), isMeta: true }, 'meta row'],
    [{ ...user([text('# Review')]), isMeta: true }, 'skill expansion'],
    [{ ...user('<local-command-caveat>x</local-command-caveat>'), isMeta: true }, 'caveat'],
    [user('Caveat: The messages below were generated by the user while running local'), 'caveat'],
    [user('<local-command-stdout>Bye!</local-command-stdout>'), 'command output'],
    [user('Operation stopped by hook: no'), 'hook note'],
    [{ ...user('Stop hook feedback:\n- no'), isMeta: true }, 'hook note'],
    [user('<user-prompt-submit-hook>x</user-prompt-submit-hook>'), 'hook note'],
    [user([text('[Request interrupted by user]')]), 'interruption'],
    [{ ...user('Summary'), isCompactSummary: true }, 'compaction summary'],
    [user('Base directory for this skill: /a'), 'skill expansion'],
    [user('You are a Claude-Mem, a specialized observer tool'), 'observer prompt'],
    [{ ...user('go on'), origin: { kind: 'auto-continuation' } }, 'origin auto-continuation'],
    [result('a b'), 'tool result'],
  ];
  expect(rows.map(([row]) => extract(line(row)).map(({ how }) => how))).toEqual(
    rows.map(([, reason]) => [reason]),
  );
  expect(extract('{"type":"user","mess')).toEqual([
    { row: 1, kind: 'none', how: 'unreadable line', text: '{"type":"user","mess' },
  ]);
});

type Row = Record<string, unknown>;

let rows = 0;

function user(content: unknown): Row {
  rows++;
  return { type: 'user', uuid: `u${rows}`, message: { role: 'user', content } };
}

function result(content: string, isError?: boolean): Row {
  return user([{ type: 'tool_result', content, is_error: isError }]);
}

function assistant(id: string | undefined, content: unknown, more: Row = {}): Row {
  const usage = { output_tokens: 7 };
  return { type: 'assistant', message: { id, model: 'claude-x', usage, content, ...more } };
}

function text(words: string): Row {
  return { type: 'text', text: words };
}

function queue(operation: string, content?: string): Row {
  return { type: 'queue-operation', operation, content };
}

function queued(prompt: string, more: Row = {}): Row {
  const attachment = { type: 'queued_command', prompt, commandMode: 'prompt', ...more };
  return { type: 'attachment', attachment };
}

function line(row: Row): string {
  return JSON.stringify(row);
}

function words(...all: Row[]): string[] {
  return wordsIn(`${all.map(line).join('\n')}\n`);
}

function wordsIn(transcript: string): string[] {
  return extract(transcript)
    .filter(({ kind }) => kind !== 'none')
    .map(({ kind, text: said }) => `${kind}: ${said}`);
}
