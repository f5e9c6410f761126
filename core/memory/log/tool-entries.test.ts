import { describe, expect, it } from 'vitest';
import { parseRow } from '../../claude/transcript/rows.ts';
import type { JsonRecord } from '../../platform/text/json.ts';
import { redact } from '../redact/redact.ts';
import { Refiner, type ToolEntry } from './l1-refine.ts';

const ROOT = '/home/kim/shop';

interface Answer {
  output?: string;
  isError?: boolean;
  clean?: (text: string) => string;
}

/** The entry of one call. */
function entryOf(
  name: string,
  input: JsonRecord,
  { output = 'ok', isError = false, clean = (text) => text }: Answer = {},
): ToolEntry {
  const refiner = new Refiner(clean, {}, {}, ROOT);
  const add = (row: object) => refiner.add(parseRow(JSON.stringify({ uuid: 'u', ...row })));
  const call = { type: 'tool_use', id: 't', name, input };
  add({ type: 'assistant', message: { id: 'm', content: [call] } });
  const result = { type: 'tool_result', tool_use_id: 't', content: output, is_error: isError };
  const [entry] = add({ type: 'user', message: { role: 'user', content: [result] } });
  return entry as ToolEntry;
}

const edit = (before: string, after: string, answer: Answer = {}) =>
  entryOf(
    'Edit',
    { file_path: `${ROOT}/src/cart.ts`, old_string: before, new_string: after },
    answer,
  );

describe('what an edit changed', () => {
  it('L1b is told in the lines that went and came, without what both texts share', () => {
    const before = 'function total(cart) {\n  const tax = 0.1;\n  return sum(cart) * tax;\n}';
    const after =
      'function total(cart) {\n  const tax = rateOf(cart.country);\n\n  return sum(cart) * tax;\n}';
    expect(
      edit(before, after, { output: `The file ${ROOT}/src/cart.ts has been updated.` }),
    ).toEqual({
      id: 'u',
      ts: '',
      role: 'tool',
      name: 'Edit',
      cmd: 'src/cart.ts',
      change: ' function total(cart) {\n-const tax = 0.1;\n+const tax = rateOf(cart.country);',
      output: '',
    });
  });

  it('L1b lines that only came or only went are told with the line before them', () => {
    expect(edit('\ta();\n\tc();', '\ta();\n\tb();\n\tc();').change).toBe(' a();\n+b();');
    expect(edit('a();\nb();\nc();', 'a();\nc();').change).toBe(' a();\n-b();');
    expect(edit('same', 'same').change).toBeUndefined();
  });

  it('L1b is short, and begins near the difference in a long line', () => {
    const { change = '' } = edit('', `${'const line = 1;\n'.repeat(500)}`);
    expect(change.length).toBeLessThan(2200);
    const text = 'The price is shown with its tax. '.repeat(10);
    expect(edit(`${text}It is rounded up.`, `${text}It is rounded down.`).change).toMatch(
      /^-….{60}up\.\n\+….{60}down\.$/,
    );
  });

  it('L1b of several edits at once all are told, of a written file its beginning and length', () => {
    const edits = ['one', 'two'].map((name) => ({ old_string: name, new_string: `${name}!` }));
    expect(entryOf('MultiEdit', { file_path: '/elsewhere/a.md', edits })).toMatchObject({
      cmd: '/elsewhere/a.md',
      change: '-one\n+one!\n-two\n+two!',
    });
    const content = `# Shop\n\nHow to run it.\n${'more\n'.repeat(2000)}`;
    const written = entryOf('Write', { file_path: `${ROOT}/README.md`, content });
    expect(written).toMatchObject({ cmd: 'README.md', detail: '2003 lines', output: '' });
    expect(written.change).toMatch(/^\+# Shop\n\+How to run it\.\n\+more\n/);
    expect(written.change?.length).toBeLessThan(2700);
    expect(
      entryOf('NotebookEdit', { notebook_path: 'a.ipynb', new_source: 'x = 1', cell_id: 'c3' }),
    ).toMatchObject({ cmd: 'a.ipynb', detail: 'c3', change: '+x = 1' });
  });

  it('L1b M18 holds no secret, whether it is in a changed line, named before it, or began before', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const told = (before: string, after: string) =>
      edit(before, after, { clean: redact }).change ?? '';
    expect(told('token = x', `token = ${key}`)).not.toContain('ghp_');
    expect(told('', `${'a'.repeat(395)} ${key}`)).not.toContain('ghp_');
    expect(told('password:\n  x', 'password:\n  "Tr0ub4dor&3xyz"')).not.toContain('Tr0ub4dor');
    expect(
      told('password:\n  "Tr0ub4dor&3xyz"\nx', 'password:\n  "Tr0ub4dor&3xyz"\ny'),
    ).not.toContain('Tr0');
    const pem = (line: string) =>
      `-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n${line}\n-----END RSA PRIVATE KEY-----\nend`;
    const secret = 'q8Jx0mLkZt5vY2bN7cWd9eRfTgUhIjOp';
    expect(told(pem('old'), pem(secret))).not.toContain(secret);
    const long = 'x\n'.repeat(50_000);
    expect(told(long + pem('old'), long + pem(secret))).not.toContain(secret);
  });

  it('L1b takes no longer for huge texts than a few readings of them', () => {
    const [before, after] = ['a', 'b'].map((letter) => `${'line\n'.repeat(100_000)}${letter}`);
    const { change } = edit(before ?? '', after ?? '');
    expect(change).toBe(' line\n-a\n+b');
    expect(edit('a'.repeat(500_000), 'a'.repeat(500_001)).change?.length).toBeLessThan(3000);
    expect(
      entryOf('Write', { file_path: 'a', content: 'x'.repeat(1_000_000) }).change?.length,
    ).toBeLessThan(2500);
    const output = `<tool_use_error>${'x'.repeat(1_000_000)}`;
    expect(entryOf('Bash', { command: 'a' }, { output, isError: true }).output.length).toBeLessThan(
      1000,
    );
  });
});

describe('what a call was about', () => {
  it.each<[string, JsonRecord, Partial<ToolEntry>]>([
    ['Grep', { pattern: 'total\\(' }, { cmd: 'total\\(' }],
    [
      'Grep',
      { pattern: 'tax', path: `${ROOT}/src`, glob: '*.ts', type: 'ts', '-i': true, '-n': true },
      { cmd: 'tax', detail: 'in src, *.ts, type ts, any case' },
    ],
    ['Glob', { pattern: '**/*.sql', path: ROOT }, { cmd: '**/*.sql' }],
    [
      'Read',
      { file_path: `${ROOT}/a.ts`, offset: 40, limit: 20 },
      { cmd: 'a.ts', detail: 'lines 40-59' },
    ],
    ['Read', { file_path: `${ROOT}/a.ts`, offset: '7' }, { detail: 'from line 7' }],
    ['Read', { file_path: `${ROOT}shop2/a.ts` }, { cmd: `${ROOT}shop2/a.ts` }],
    [
      'Bash',
      { command: `cd ${ROOT} && npm test`, description: 'Run the tests' },
      { cmd: 'npm test' },
    ],
    ['Bash', { command: `cd ${ROOT}/api && make` }, { cmd: `cd ${ROOT}/api && make` }],
    [
      'Bash',
      { command: `git commit -m '${'words '.repeat(30)}'`, description: 'Commit the tax rates' },
      { detail: 'Commit the tax rates' },
    ],
    [
      'Agent',
      { description: 'Find callers', subagent_type: 'Explore', prompt: 'Who calls total()?' },
      { cmd: 'Find callers', detail: 'Explore: Who calls total()?' },
    ],
    [
      'WebFetch',
      { url: 'https://example.com/vat', prompt: 'Rates?' },
      { cmd: 'https://example.com/vat', detail: 'Rates?' },
    ],
    ['WebSearch', { query: 'VAT 2026' }, { cmd: 'VAT 2026' }],
    ['Skill', { skill: 'review', args: '--deep' }, { cmd: 'review --deep', output: '' }],
    [
      'TaskCreate',
      { subject: 'Fix tax', description: 'In cart.ts' },
      { cmd: 'Fix tax', detail: 'In cart.ts' },
    ],
    ['TaskUpdate', { taskId: '2', status: 'completed' }, { cmd: '#2 completed', output: '' }],
    [
      'TodoWrite',
      {
        todos: [
          { content: 'a', status: 'completed' },
          { content: 'b', status: 'in_progress' },
        ],
      },
      { cmd: '[x] a\n[ ] b (in progress)', isPlan: true, output: '' },
    ],
    ['ExitPlanMode', { plan: '1. measure\n2. cut' }, { cmd: '1. measure\n2. cut', isPlan: true }],
    [
      'AskUserQuestion',
      { questions: [{ question: 'Which?', options: [{ label: 'Net' }, { label: 'Gross' }] }] },
      { cmd: 'Which?', detail: 'Net | Gross' },
    ],
    [
      'mcp__tracker__create',
      { team: 'shop', title: 'Tax is wrong', labels: ['bug'], draft: false, note: null },
      { cmd: 'Tax is wrong', detail: 'team: shop, labels: ["bug"]' },
    ],
    ['mcp__tracker__get', { id: 'SHOP-7' }, { cmd: 'id: SHOP-7' }],
    ['Read', { command: 'not the Read that we know' }, { cmd: 'not the Read that we know' }],
    ['toString', {}, { cmd: '' }],
  ])('L1b %s is told by what matters in it', (name, input, expected) => {
    expect(entryOf(name, input)).toMatchObject(expected);
  });

  it('L1b M18 an argument is redacted with its name', () => {
    const input = { id: 7, password: 'Tr0ub4dor&3xyz' };
    expect(JSON.stringify(entryOf('mcp__db__open', input, { clean: redact }))).not.toContain(
      'Tr0ub',
    );
  });
});

describe('what came of a call', () => {
  const failed = (output: string, more: Answer = {}) =>
    entryOf('Bash', { command: 'npm test' }, { output, isError: true, ...more });

  it('L1b of a failure the lines that tell it are kept, wherever they stand', () => {
    const noise = (n: number) => `  building module number ${n}, nothing to see\n`.repeat(60);
    const { output, isError } = failed(
      `Exit code 2\n${noise(1)}src/cart.ts:12:5 - error TS2304: Cannot find name 'rate'.\n${noise(2)}AssertionError: expected 3 to be 4\n${noise(3)}2 failed, 40 passed`,
    );
    expect(isError).toBe(true);
    expect(output.split('\n').filter((line) => line !== '…')).toEqual([
      'Exit code 2',
      "src/cart.ts:12:5 - error TS2304: Cannot find name 'rate'.",
      'AssertionError: expected 3 to be 4',
      '2 failed, 40 passed',
    ]);
  });

  it('L1b of a traceback the error is kept with the place where it arose', () => {
    const frames = Array.from(
      { length: 40 },
      (_, n) => `  File "/usr/lib/x${n}.py", line ${n}\n    f${n}()`,
    );
    const { output } = failed(`Exit code 1\nTraceback:\n${frames.join('\n')}\nKeyError: 'tax'`);
    expect(output).toBe(
      `Exit code 1\nTraceback:\n…\n  File "/usr/lib/x39.py", line 39\n    f39()\nKeyError: 'tax'`,
    );
  });

  it('L1b a failure without such lines keeps its end; a short one is kept as it is', () => {
    const long = Array.from({ length: 300 }, (_, n) => `step ${n} done`).join('\n');
    expect(failed(`Exit code 1\n${long}`).output).toMatch(/^Exit code 1\n…\n[\s\S]*step 299 done$/);
    expect(failed('Exit code 1\nnothing\n\nto add').output).toBe('Exit code 1\nnothing\n\nto add');
  });

  it('L1b a long failure is not gone through without end, and holds no secret', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const huge = `Exit code 1\nError: no rights with ${key}\n${'x'.repeat(99)}\n`.padEnd(
      5_000_000,
      'y\n',
    );
    const { output } = failed(huge, { clean: redact });
    expect(output).toContain('Error: no rights with [redacted]');
    expect(output.length).toBeLessThan(3000);
  });

  it('L1b of a success the first and last lines are kept', () => {
    const lines = Array.from({ length: 60 }, (_, n) => `test ${n} passed`).join('\n');
    const { output } = entryOf(
      'Bash',
      { command: 'npm test' },
      { output: `> vitest run\n${lines}\n60 passed` },
    );
    expect(output).toMatch(/^> vitest run\n[\s\S]*…\n[\s\S]*test 59 passed\n60 passed$/);
    expect(output.length).toBeLessThanOrEqual(310);
  });

  it('L1b of a file that was read the first lines with code or words are kept', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const file = [
      '     1→/** Prices of a cart. */',
      "     2→import { rateOf } from './rates.ts';",
      '     3→',
      '     4→export function taxOf(cart: Cart): number {',
      `     5→  return rateOf(cart.country, '${key}');`,
      '     6→}',
      ...Array.from({ length: 99 }, (_, n) => `    ${n + 10}→const line${n} = ${n};`),
    ];
    const { output } = entryOf(
      'Read',
      { file_path: 'a.ts' },
      { output: file.join('\n'), clean: redact },
    );
    expect(output).toMatch(
      /^export function taxOf\(cart: Cart\): number \{\nreturn rateOf\(cart\.country, '\[redacted\]'\);\nconst line0 = 0;/,
    );
    expect(output.length).toBeLessThanOrEqual(401);
  });

  it.each([
    ['Read', '     1→import fs\n     2→'],
    ['Write', 'File created successfully at: /home/kim/shop/a.ts'],
    ['TodoWrite', 'Todos have been modified successfully.'],
    ['Bash', '(Bash completed with no output)'],
  ])('L1b what %s always says is dropped, but not an error', (name, output) => {
    expect(entryOf(name, { file_path: 'a', command: 'b' }, { output })).not.toHaveProperty(
      'isError',
    );
    expect(entryOf(name, { file_path: 'a', command: 'b' }, { output }).output).toBe('');
    const wrong = {
      output: '<tool_use_error>File does not exist.</tool_use_error>',
      isError: true,
    };
    expect(entryOf(name, { file_path: 'a' }, wrong)).toMatchObject({
      output: 'File does not exist.',
      isError: true,
    });
  });

  it('L1b paths are told from the project’s root, colours and reminders left out', () => {
    const output = `\x1b[31m${ROOT}/src/a.ts:3\x1b[0m fails, /mnt${ROOT}/b too\n<system-reminder>Be brief.</system-reminder>`;
    expect(entryOf('Bash', { command: 'x' }, { output }).output).toBe(
      `src/a.ts:3 fails, /mnt${ROOT}/b too`,
    );
  });

  it('L1b an edit that failed says why, not the text again', () => {
    const output =
      '<tool_use_error>String to replace not found in file.\nString: a\nb</tool_use_error>';
    expect(edit('a\nb', 'c', { output, isError: true })).toMatchObject({
      output: 'String to replace not found in file.',
      change: '-a\n-b\n+c',
    });
  });
});
