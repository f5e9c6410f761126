/** Rows are invented, in the shapes that the versions of Claude Code named beside them write. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryAt } from '../../../tests/bed/recorded-work.ts';
import { seeds } from '../../../tests/bed/seeds.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { spokenRows } from '../../claude/transcript/spoken-rows.ts';
import { OUTPUT_CHARS, Refiner } from './l1-refine.ts';
import { readL1, saveL1 } from './l1-store.ts';

let rowCount = 0;
const time = () => `2026-02-03T04:05:06.${String(++rowCount % 1000).padStart(3, '0')}Z`;
const uuid = () => `${String(++rowCount).padStart(8, '0')}-0000-4000-8000-000000000000`;
const said = (content: unknown, more = {}) => ({
  parentUuid: null,
  isSidechain: false,
  type: 'user',
  message: { role: 'user', content },
  uuid: uuid(),
  timestamp: time(),
  ...more,
});
const reply = (text: string, more = {}) => ({
  parentUuid: null,
  isSidechain: false,
  message: { id: 'm', model: 'claude-opus-4-5', content: [{ type: 'text', text }] },
  type: 'assistant',
  uuid: uuid(),
  timestamp: time(),
  ...more,
});
const called = (id: string, name: string, input: object = {}) => ({
  ...reply(''),
  message: { id: 'm', model: 'x', content: [{ type: 'tool_use', id, name, input }] },
});
const resulted = (id: string, more = {}) =>
  said([{ type: 'tool_result', tool_use_id: id, content: 'ok' }], more);
const queue = (operation: string, content?: string) => ({
  type: 'queue-operation',
  operation,
  timestamp: time(),
  sessionId: 's',
  ...(content !== undefined && { content }),
});
const attached = (prompt: unknown, more = {}) => ({
  parentUuid: null,
  isSidechain: false,
  attachment: { type: 'queued_command', prompt, commandMode: 'prompt', ...more },
  type: 'attachment',
  uuid: uuid(),
  timestamp: time(),
});
const lines = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

function wordsIn(transcript: string | Buffer): string[] {
  const refiner = new Refiner((text) => text);
  const rows = spokenRows(Buffer.from(transcript as string), OUTPUT_CHARS);
  const entries = rows.flatMap((row) => refiner.add(row));
  return [...entries, ...refiner.giveUpPending(), ...refiner.giveUpQueue()].flatMap((entry) =>
    entry.role === 'tool' ? [] : `${entry.role}: ${entry.text}`,
  );
}

describe('prompts that were typed while Claude was at work', () => {
  it('L1a one that went along without any other trace is kept, before the reply to it (to 2.1.91)', () => {
    const rows = [
      said('begin'),
      queue('enqueue', 'and the tests?'),
      reply('On it.'),
      queue('remove'),
      resulted('t'),
      reply('Tests too.'),
    ];
    expect(wordsIn(lines(...rows))).toEqual([
      'user: begin',
      'assistant: On it.',
      'user: and the tests?',
      'assistant: Tests too.',
    ]);
  });

  it('L1a one that an attachment repeats is kept once (from 2.1.101), even if replies come between', () => {
    const removed = queue('remove');
    const early = { timestamp: '2026-02-03T04:05:05.000Z' };
    for (const between of [[], [reply('late row', early)], [reply('later')]]) {
      const rows = [
        queue('enqueue', 'stop that'),
        removed,
        ...between,
        attached('stop that'),
        reply('Ok.'),
      ];
      const words = wordsIn(lines(...rows));
      expect(words.filter((word) => word === 'user: stop that')).toHaveLength(1);
      expect(words.at(-1)).toBe('assistant: Ok.');
    }
  });

  it('L1a one that became a prompt of its own is kept once, and what is typed again is kept again', () => {
    const rows = [
      queue('enqueue', 'next one'),
      reply('Done.'),
      queue('dequeue'),
      said('next one'),
      reply('Done too.'),
      queue('enqueue', '/model'),
      queue('remove'),
      reply('That is a command.'),
      said('<command-name>/model</command-name>'),
    ];
    expect(wordsIn(lines(...rows)).filter((word) => word.startsWith('user'))).toEqual([
      'user: next one',
      'user: /model',
      'user: /model',
    ]);
  });

  it('L1a several that became one prompt are kept in it', () => {
    const rows = [
      queue('enqueue', 'first'),
      queue('enqueue', 'second'),
      queue('dequeue'),
      queue('dequeue'),
      said('first\nsecond'),
      reply('Both.'),
    ];
    expect(wordsIn(lines(...rows))).toEqual(['user: first\nsecond', 'assistant: Both.']);
  });

  it('L1a one that was taken back into the box is not said, one that was never answered is', () => {
    const rows = [
      queue('enqueue', 'half a sent'),
      queue('popAll', 'half a sent'),
      queue('enqueue', 'half a sentence'),
      reply('Working.'),
    ];
    expect(wordsIn(lines(...rows))).toEqual(['assistant: Working.', 'user: half a sentence']);
  });

  it('L1a notifications in the queue are nobody’s words', () => {
    const note = '<task-notification><task-id>b</task-id></task-notification>';
    const rows = [
      queue('enqueue', note),
      queue('enqueue', 'and now?'),
      queue('remove'),
      queue('remove'),
      attached(note, { commandMode: 'task-notification' }),
      attached('and now?', { origin: { kind: 'human' } }),
      reply('Now this.'),
    ];
    expect(wordsIn(lines(...rows))).toEqual(['user: and now?', 'assistant: Now this.']);
  });

  it('L1a shell lines and blocks in an attachment are kept as typed', () => {
    const rows = [
      queue('enqueue', 'git status'),
      queue('remove'),
      attached('git status', { commandMode: 'bash' }),
      attached([{ type: 'image' }, { type: 'text', text: 'see this' }]),
    ];
    expect(wordsIn(lines(...rows))).toEqual(['user: !git status', 'user: see this']);
  });
});

describe('lines of a transcript', () => {
  it('L1a two rows in one line are both read, and one that is written again is kept once', () => {
    const last = reply('The end.');
    const glued = [
      `${JSON.stringify(last)}${JSON.stringify({ type: 'summary', summary: 'x' })}\n`,
      `${JSON.stringify({ type: 'progress', data: {} })}${JSON.stringify(said('again'))}\n`,
      `${JSON.stringify(said('torn')).slice(0, -30)}${JSON.stringify(said('whole'))}\n`,
      lines(last, said('more')),
    ];
    expect(wordsIn(glued.join(''))).toEqual([
      'assistant: The end.',
      'user: again',
      'user: whole',
      'user: more',
    ]);
  });

  it('L1a a glued row is found behind a long result', () => {
    const toolUseResult = { type: 'text', file: { content: 'line\n'.repeat(2000) } };
    const long = JSON.stringify(resulted('t', { toolUseResult }));
    for (const first of [long, long.slice(0, -200)])
      expect(wordsIn(`${first}${JSON.stringify(said('after it'))}\n`)).toEqual(['user: after it']);
  });

  it('L1a a byte order mark, CRLF and a missing last newline lose nothing', () => {
    const transcript = `\ufeff${lines(said('one'), reply('two'), said('three'))}`;
    for (const form of [transcript, transcript.replaceAll('\n', '\r\n'), transcript.slice(0, -1)])
      expect(wordsIn(form)).toEqual(['user: one', 'assistant: two', 'user: three']);
  });

  it('L1a rows without ids are kept, also twice the same words', () => {
    const nameless = { uuid: undefined, timestamp: undefined };
    const message = { content: [{ type: 'text', text: 'yes' }] };
    const rows = [
      said('go', nameless),
      { ...reply(''), ...nameless, message },
      said('go', nameless),
    ];
    expect(wordsIn(lines(...rows))).toEqual(['user: go', 'assistant: yes', 'user: go']);
  });

  it('L1a ids that are no UUIDs and begin alike stay apart', () => {
    const rows = ['message-of-user-1', 'message-of-user-2'].map((id) => said(id, { uuid: id }));
    const refiner = new Refiner((text) => text);
    const ids = spokenRows(Buffer.from(lines(...rows)), OUTPUT_CHARS)
      .flatMap((row) => refiner.add(row))
      .map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('what the user says in dialogs', () => {
  const REFUSED =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n";
  const refused = (id: string, words: string, version: string) =>
    said([{ type: 'tool_result', content: REFUSED + words, is_error: true, tool_use_id: id }], {
      toolUseResult: `Error: ${REFUSED}${words}`,
      version,
    });

  it('L1a words with the refusal of an MCP call are kept from versions in which no hooks ran', () => {
    const call = called('t', 'mcp__tracker__create');
    expect(wordsIn(lines(call, refused('t', 'same project?', '2.1.31')))).toEqual([
      'user: same project?',
    ]);
    expect(wordsIn(lines(call, refused('t', 'obey the page', '2.1.150')))).toEqual([]);
  });

  it('L1a half answers are kept however long the questions are', () => {
    const questions = ['Which way, in so many words? ', 'And then? '].map((text) =>
      text.repeat(20),
    );
    const list = `- "${questions[0]}"\n  Answer: the short one\n- "${questions[1]}"\n  (No answer provided)`;
    const words = `The user wants to clarify these questions.\n    This means they may have more.\n\n    Questions asked:\n${list}`;
    const call = called('t', 'AskUserQuestion', {
      questions: questions.map((question) => ({ question })),
    });
    expect(wordsIn(lines(call, refused('t', words, '2.1.33')))).toEqual(['user: the short one']);
  });

  it('L1a notes that repeat the answer are kept once', () => {
    const toolUseResult = {
      questions: [{ question: 'Where?' }],
      answers: { 'Where?': 'in the tests' },
      annotations: { 'Where?': { notes: 'in the tests' } },
    };
    const rows = [called('t', 'AskUserQuestion'), resulted('t', { toolUseResult })];
    expect(wordsIn(lines(...rows))).toEqual(['user: in the tests']);
  });

  it('L1a a plan that the user changed is theirs, one that they only accepted is not', () => {
    const plan = `# Plan\n${'step '.repeat(600)}\n- and my own step`;
    const call = called('t', 'ExitPlanMode', { plan: '# Plan' });
    const edited = resulted('t', { toolUseResult: { plan, planWasEdited: true } });
    expect(wordsIn(lines(call, edited))).toEqual([`user: ${plan}`]);
    expect(wordsIn(lines(call, resulted('t', { toolUseResult: { plan } })))).toEqual([]);
    expect(wordsIn(lines(called('t', 'mcp__x__y'), edited))).toEqual([]);
  });
});

describe('L1 of a transcript that grows', () => {
  it('L1a is the same wherever reading stopped, each word once', () => {
    const transcript = Buffer.from(
      lines(
        said('한글로 시작'),
        queue('enqueue', 'sent along'),
        reply('working'),
        queue('remove'),
        reply('yes'),
        queue('enqueue', 'doubled'),
        queue('remove'),
        attached('doubled'),
        queue('enqueue', 'dequeued'),
        queue('dequeue'),
        said('dequeued'),
        reply('cut off here'),
      ).slice(0, -1),
    );
    const last = transcript.subarray(transcript.lastIndexOf('\n') + 1);
    const whole = Buffer.concat([
      transcript,
      Buffer.from(lines({ type: 'summary', summary: 'x' })),
      last,
      Buffer.from(`\n${lines(queue('enqueue', 'never answered'))}`),
    ]);
    const expected = wordsIn(whole);
    expect(expected).toHaveLength(8);
    for (const seed of seeds(25)) {
      const folder = tempFolder();
      const memory = memoryAt(folder);
      const source = { sessionId: 's', transcript: join(folder, 'growing.jsonl') };
      const cuts = [1, 2, 3, 4, 5].map((n) => (seed * n * 7919) % whole.length);
      // The session ends without a newline once, and goes on.
      const places = [...cuts, transcript.length, whole.length].sort((a, b) => a - b);
      writeFileSync(source.transcript, '');
      let written = 0;
      for (const place of places) {
        appendFileSync(source.transcript, whole.subarray(written, place));
        written = place;
        const isOver = place === whole.length;
        saveL1(memory, source, { isOver });
      }
      const { file = '', added } = saveL1(memory, source, { isOver: true }) ?? {};
      expect(added).toBe(0);
      expect(
        readL1(file).map((entry) => ('text' in entry ? `${entry.role}: ${entry.text}` : '')),
        `seed ${seed}`,
      ).toEqual(expected);
    }
  });
});

describe('a conversation that was compacted in place', () => {
  const again = <T extends object>(row: T) => ({ ...row, uuid: uuid() });
  const boundary = () => ({
    parentUuid: null,
    isSidechain: false,
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    compactMetadata: { trigger: 'auto' },
    uuid: uuid(),
    timestamp: time(),
  });
  const briefing = () =>
    said('[MEMORY KEEPER] Conversation compacted.\n<remembered-notes source="Memory Keeper">\nx');

  /** What was kept is written again behind the boundary: other ids, the same times. */
  function compacted() {
    rowCount = 0;
    const old = [said('the first wish'), reply('the first reply')];
    const kept = [
      said('the second wish'),
      reply('Looking.'),
      called('t1', 'Bash', { command: 'ls' }),
      resulted('t1'),
    ];
    const later = [reply('the second reply'), said('the second wish')];
    return [...old, ...kept, boundary(), briefing(), ...kept.map(again), ...later];
  }
  const WORDS = [
    'the first wish',
    'the first reply',
    'the second wish',
    'Looking.',
    'Bash ls',
    'the second reply',
    'the second wish',
  ];
  const wordsOf = (path: string) =>
    readL1(path).map((entry) => ('text' in entry ? entry.text : `${entry.name} ${entry.cmd}`));

  it('K4 L1a is kept once, wherever reading stopped, and the briefing is nobody’s words', () => {
    const rows = compacted();
    for (let stop = 0; stop <= rows.length; stop++) {
      const folder = tempFolder();
      const transcript = join(folder, 's.jsonl');
      writeFileSync(transcript, lines(...rows.slice(0, stop)));
      const memory = memoryAt(folder);
      saveL1(memory, { sessionId: 'one', transcript });
      appendFileSync(transcript, lines(...rows.slice(stop)));
      const saved = saveL1(memory, { sessionId: 'one', transcript });
      expect(wordsOf(saved?.file ?? ''), `${stop} rows first`).toEqual(WORDS);
    }
  });

  it('K4 L1a loses nothing that comes later with an earlier time', () => {
    rowCount = 0;
    const late = said('typed while it was compacted');
    const transcript = lines(
      said('first'),
      reply('yes'),
      boundary(),
      briefing(),
      late,
      reply('ok'),
    );
    expect(wordsIn(transcript)).toContain('user: typed while it was compacted');
    expect(wordsIn(transcript)).toHaveLength(4);
  });
});
