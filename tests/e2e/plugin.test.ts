/**
 * The built plugin inside the real Claude Code: what is said is kept, and a cleared session gets it
 * back.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readL1 } from '../../core/memory/log/l1-store.ts';
import { MAX_PAGE_CHARS } from '../../core/memory/restore/briefing-pages.ts';
import { projectMemory } from '../../core/projects/project-memory.ts';
import { ClaudeBed, type ClaudeSession } from '../bed/claude.ts';
import { MockApi } from '../bed/mock-api.ts';
import { PLUGIN, PluginBed } from '../bed/plugin-bed.ts';
import { run } from '../bed/run.ts';
import { tempFolder } from '../bed/temp-folder.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

describeWith('the plugin in the real CLI', ['claude', 'tmux'], ({ claude }) => {
  let api: MockApi;
  let bed: ClaudeBed;
  let session: ClaudeSession;

  beforeAll(async () => {
    api = await MockApi.start();
    bed = new ClaudeBed(claude);
    writeFileSync(join(bed.project, 'login.ts'), 'export const login = () => undefined;\n');
    // A hook of the user beside ours, which is told the same.
    const hook = { type: 'command', command: `cat >> ${told()}` };
    writeFileSync(
      join(bed.configDir, 'settings.json'),
      JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [hook] }] } }),
    );
    session = await bed.start({
      api,
      model: 'claude-sonnet-4-5',
      args: ['--plugin-dir', PLUGIN, '--allowedTools', 'Read', 'Bash'],
    });
  });

  afterAll(async () => {
    await bed?.remove();
    await api?.stop();
  });

  const told = () => join(bed.root, 'told.jsonl');
  /** Everything that stood in the last request of the conversation. */
  const lastRequest = () =>
    JSON.stringify(
      api.requests.findLast(({ body }) => (body.tools?.length ?? 0) > 1)?.body.messages,
    );

  async function savedWords(): Promise<string[]> {
    const { sessions } = projectMemory(bed.places, bed.project);
    if (!existsSync(sessions)) return [];
    const files = readdirSync(sessions).filter((name) => name.endsWith('.l1.jsonl'));
    const entries = await Promise.all(files.map((name) => readL1(join(sessions, name))));
    return entries
      .flat()
      .map((entry) => ('text' in entry ? entry.text : `${entry.name} ${entry.cmd}`));
  }

  it('is what the plugin directory asks for', async () => {
    const env = { ...bed.environment(api) };
    expect(
      await run(claude, ['plugin', 'validate', PLUGIN, '--strict', '--profile', 'directory'], {
        env,
      }),
    ).toContain('Validation passed');
  });

  it('M14 sends the rules along and tells the user in two words', async () => {
    api.enqueue({ text: 'Happy to.' });
    await session.say('please help');
    await session.waitForScreen('Happy to.');
    expect(lastRequest()).toContain("Never delete files without the user's explicit permission");
    expect(await session.screen()).toContain('[rules injected]');
  });

  it('M4 M5 writes down what was said and done, as work goes on', async () => {
    api.enqueue(
      {
        text: 'Reading it.',
        toolUses: [{ name: 'Read', input: { file_path: join(bed.project, 'login.ts') } }],
      },
      { text: 'The login is empty.' },
    );
    await session.say('로그인 화면을 고쳐줘');
    await session.waitForScreen('The login is empty.');
    await waitFor('the words in L1', async () =>
      (await savedWords()).includes('The login is empty.'),
    );
    expect(await savedWords()).toEqual([
      'please help',
      'Happy to.',
      '로그인 화면을 고쳐줘',
      'Reading it.',
      'Read login.ts',
      'The login is empty.',
    ]);
    expect(
      await run('git', ['-C', bed.project, 'init', '-q']).then(() =>
        run('git', ['-C', bed.project, 'status', '--short']),
      ),
    ).not.toContain('.claude');
  });

  it('M13 B6 after /clear the next request has the hand-over and memory.md, whole and within the limit', async () => {
    const memory = `## Core Decisions\n- PostgreSQL for everything\n\n## Recent Context\n\n### 2026-11-16_0900\n\n${'The cache was added. '.repeat(1000)}\n`;
    mkdirSync(projectMemory(bed.places, bed.project).folder, { recursive: true });
    writeFileSync(
      join(projectMemory(bed.places, bed.project).folder, 'memory.md'),
      `${memory}\n### 2026-11-16_1000\n\nThe newest note.\n`,
    );
    await session.clear();
    api.enqueue({ text: 'Where were we: the login.' });
    await session.say('go on');
    await session.waitForScreen('Where were we');
    const request = lastRequest();
    for (const known of [
      '로그인 화면을 고쳐줘',
      'The login is empty.',
      'login.ts',
      'PostgreSQL for everything',
      'The newest note.',
    ])
      expect(request, known).toContain(known);
    expect(request).toContain('Left out for want of room: Recent Context before 2026-11-16_1000');
    expect(request).toContain('</remembered-notes>'); // the end of it: nothing was cut off by the CLI
    // K2: what is wanted now, then all that was asked
    expect(request.indexOf('로그인')).toBeLessThan(request.indexOf('please help'));
  });

  it('C5 F4 tells both when the context fills up, until it is cleared', async () => {
    api.enqueue({
      text: 'Nearly full.',
      usage: { input_tokens: 10, cache_read_input_tokens: 145_000 },
    });
    await session.say('fill it');
    await session.waitForScreen('Nearly full.');
    api.enqueue({ text: 'I see.', usage: { input_tokens: 10, cache_read_input_tokens: 165_000 } });
    await session.say('and now');
    await session.waitForScreen('I see.');
    expect(lastRequest()).toContain('[CONTEXT_WARNING] Usage: 73%');
    await session.waitForScreen('[MEMORY KEEPER] Context 73% of 200,000 tokens');
    api.enqueue({
      text: 'Understood.',
      usage: { input_tokens: 10, cache_read_input_tokens: 10_000 },
    });
    await session.say('more');
    await session.waitForScreen('[CRITICAL] Context 83%');
    await session.waitForScreen('Understood.');
    expect(lastRequest()).toContain('[CONTEXT_WARNING] Usage: 83%. CRITICAL');
    const inputs = [
      ...readFileSync(told(), 'utf8').matchAll(/"memory_keeper_context":(\{[^}]*\})/g),
    ];
    expect(JSON.parse(inputs.at(-1)?.[1] ?? ''), 'the mod tells the hook').toEqual({
      tokens: 165_010,
      window: 200_000,
      percent: 83,
    });
  });

  it('M14 a broken config still sends the rules, and says that it is broken', async () => {
    writeFileSync(join(projectMemory(bed.places, bed.project).folder, 'config.json'), '{ broken');
    await session.waitForState('idle');
    api.enqueue({ text: 'Still here.' });
    await session.say('are you there');
    await session.waitForScreen('Still here.');
    expect(lastRequest()).toContain('Never delete files');
    await session.waitForScreen('[rules injection error:');
  });
});

describe('the hook program', () => {
  const hook = (
    input: string,
    env: NodeJS.ProcessEnv = {},
  ): Promise<{ code: number; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const home = tempFolder();
      const options = { cwd: home, env: { HOME: home, PATH: process.env.PATH, ...env } };
      const child = execFile(
        process.execPath,
        [join(PLUGIN, 'hooks/hook.cjs')],
        options,
        (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
        },
      );
      child.stdin?.on('error', () => undefined); // not everything that is sent must be read
      child.stdin?.end(input);
    });

  it.each([
    '',
    'null',
    '{}',
    '{"hook_event_name":5}',
    'x'.repeat(100_000),
    '{"hook_event_name":"Stop","session_id":"../../x"}',
  ])('exits with 0 and without a word, whatever it is given', async (input) => {
    expect(await hook(input)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each(['SessionStart', 'Stop', 'SessionEnd', 'PreCompact', 'PostToolUse', 'SomethingNew'])(
    '%s without a transcript is no error',
    async (event) => {
      const input = JSON.stringify({
        hook_event_name: event,
        session_id: 's1',
        transcript_path: '/nowhere/t.jsonl',
        source: 'clear',
      });
      expect(await hook(input)).toEqual({ code: 0, stdout: '', stderr: '' });
    },
  );

  it('M14 speaks Korean to Koreans', async () => {
    const { stdout } = await hook(
      JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 's1' }),
      {
        LANG: 'ko_KR.UTF-8',
      },
    );
    expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toContain(
      '파일을 지우지 않는다',
    );
  });
});

describeWith('a project with a long memory', ['claude', 'tmux'], ({ claude }) => {
  let plugin: PluginBed;
  let session: ClaudeSession;

  beforeAll(async () => {
    plugin = await PluginBed.start(claude);
    writeLongMemory(plugin.memory.folder);
    session = await plugin.start();
  });

  afterAll(() => plugin?.remove());

  /** The notes that the last request carries, page by page. */
  function pages(): string[] {
    const texts = plugin.conversation
      .at(-1)
      ?.body.messages.flatMap(({ content }) =>
        typeof content === 'string' ? [content] : content.map(({ text = '' }) => text),
      );
    return texts?.join('\n').match(/<remembered-notes [\s\S]*?<\/remembered-notes>/g) ?? [];
  }
  const notes = () => pages().join('\n');

  function expectWithinLimit(): void {
    expect(notes().length).toBeGreaterThan(10_000);
    expect(pages()).toHaveLength(2);
    for (const page of pages()) expect(page.length).toBeLessThanOrEqual(MAX_PAGE_CHARS);
    expect(JSON.stringify(plugin.conversation.at(-1)?.body)).not.toContain('<persisted-output>');
  }

  /** What is given back in any case, and a word on the rest. */
  function expectMostImportant(text: string): void {
    for (const known of ['Rule 40:', 'Entry 300:', 'Issue 60:', 'PostgreSQL for everything'])
      expect(text, known).toContain(known);
    for (const old of ['Entry 1:', 'Decision 1:', 'Solved 1:', 'Outdated 1:'])
      expect(text, old).not.toContain(old);
    expect(text).toMatch(/Left out for want of room: .*\d+ of /);
  }

  it('M13 B8 of 500 facts and 300 KB a new session gets what matters most, and is told what was left out', async () => {
    await plugin.turn(session, 'hello', 'Hello to you.');
    expectWithinLimit();
    expectMostImportant(notes());
    expect(notes()).toMatch(/Decision 320:/);
  });

  it('M13 K2 B8 after /clear the work stands before all of it: requests, plan, files, last steps', async () => {
    const call = (name: string, input: Record<string, unknown>) => ({
      toolUses: [{ name, input }],
    });
    await plugin.turn(session, '로그인 화면을 고쳐줘', 'The first half is done.', [
      ...plugin.reads(1),
      call('ToolSearch', { query: 'select:TaskCreate,TaskUpdate', max_results: 5 }),
      call('TaskCreate', { subject: 'Write the test', description: 'a test' }),
      call('TaskCreate', { subject: 'Mend the form', description: 'the form' }),
      call('TaskUpdate', { taskId: '1', status: 'completed' }),
    ]);
    await plugin.kept('The first half is done.');
    await session.clear();
    await plugin.turn(session, 'go on', 'I go on.');
    for (const known of [
      '로그인 화면을 고쳐줘',
      'The first half is done.',
      'login.ts',
      '[x] Write the test',
      '[ ] Mend the form',
    ])
      expect(notes(), known).toContain(known);
    expectWithinLimit();
    expectMostImportant(notes());
    expect(notes().indexOf('로그인 화면을 고쳐줘')).toBeLessThan(notes().indexOf('Rule 40:'));
  });
});

/** 500 facts, 40 of them permanent, and 300 KB of memory.md. */
function writeLongMemory(folder: string): void {
  const padding =
    'which was talked over at length and decided in the end by all of those who were there';
  const facts = (count: number, letter: string, name: string, more: object = {}) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${letter}${String(index + 1).padStart(3, '0')}`,
      date: '2026-11-01',
      content: `${name} ${index + 1}: number ${index + 1} of its kind, ${padding}`,
      session: 's0',
      evidence: [
        {
          session: 's0',
          entry: 'e1',
          quote: `number ${index + 1}`,
          role: 'user',
          at: '2026-11-01T10:00:00.000Z',
        },
      ],
      ...more,
    }));
  const file = {
    version: 1,
    _meta: { counter: { d: 330, p: 50, i: 70, n: 50, r: 40 }, journal: 0, forgotten: [] },
    decisions: [
      ...facts(320, 'd', 'Decision'),
      ...facts(10, 'x', 'Outdated', { supersededBy: 'd001' }),
    ],
    patterns: facts(50, 'p', 'Pattern'),
    issues: [
      ...facts(60, 'i', 'Issue', { status: 'open' }),
      ...facts(10, 'j', 'Solved', { status: 'resolved' }),
    ],
    notes: facts(50, 'n', 'Note'),
    permanent: { rules: facts(40, 'r', 'Rule'), solutions: [], core_logic: [] },
    retired: [],
  };
  const entries = Array.from({ length: 300 }, (_, index) => {
    const stamp = `2026-${String(1 + Math.floor(index / 28)).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')}_1000`;
    return `### ${stamp}\n\nEntry ${index + 1}: ${`the work went on. ${padding}. `.repeat(10)}\n`;
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'facts.json'), JSON.stringify(file));
  writeFileSync(
    join(folder, 'memory.md'),
    `# Project Memory\n\n## Core Decisions\n\n- PostgreSQL for everything\n\n## Recent Context\n\n${entries.join('\n')}`,
  );
}
