/** The built plugin inside the real Claude Code: what is said is kept, and a cleared session gets it back. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readL1 } from '../../core/memory/l1-store.ts';
import { projectMemory } from '../../core/memory/project-memory.ts';
import { ClaudeBed, type ClaudeSession } from '../bed/claude.ts';
import { MockApi } from '../bed/mock-api.ts';
import { run } from '../bed/run.ts';
import { tempFolder } from '../bed/temp-folder.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const PLUGIN = join(import.meta.dirname, '../../dist/plugin');

describeWith('the plugin in the real CLI', ['claude', 'tmux'], ({ claude }) => {
  let api: MockApi;
  let bed: ClaudeBed;
  let session: ClaudeSession;

  beforeAll(async () => {
    api = await MockApi.start();
    bed = new ClaudeBed(claude);
    writeFileSync(join(bed.project, 'login.ts'), 'export const login = () => undefined;\n');
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

  /** Everything that stood in the last request to the model. */
  const lastRequest = () => JSON.stringify(api.requests.at(-1)?.body.messages);

  async function savedWords(): Promise<string[]> {
    const { sessions } = projectMemory(bed.places, bed.project);
    const files = readdirSync(sessions).filter((name) => name.endsWith('.l1.jsonl'));
    const entries = await Promise.all(files.map((name) => readL1(join(sessions, name))));
    return entries.flat().map((entry) => ('text' in entry ? entry.text : `${entry.name} ${entry.cmd}`));
  }

  it('is what the plugin directory asks for', async () => {
    const env = { ...bed.environment(api) };
    expect(await run(claude, ['plugin', 'validate', PLUGIN, '--strict', '--profile', 'directory'], { env })).toContain(
      'Validation passed',
    );
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
      { text: 'Reading it.', toolUses: [{ name: 'Read', input: { file_path: join(bed.project, 'login.ts') } }] },
      { text: 'The login is empty.' },
    );
    await session.say('로그인 화면을 고쳐줘');
    await session.waitForScreen('The login is empty.');
    await waitFor('the words in L1', async () => (await savedWords()).includes('The login is empty.'));
    expect(await savedWords()).toEqual([
      'please help',
      'Happy to.',
      '로그인 화면을 고쳐줘',
      'Reading it.',
      `Read ${join(bed.project, 'login.ts')}`,
      'The login is empty.',
    ]);
    expect(
      await run('git', ['-C', bed.project, 'init', '-q']).then(() => run('git', ['-C', bed.project, 'status', '--short'])),
    ).not.toContain('.claude');
  });

  it('M13 after /clear the next request has the hand-over and memory.md, whole and within the limit', async () => {
    const memory = `## Core Decisions\n- PostgreSQL for everything\n\n## Recent Context\n\n### 2026-11-16_0900\n\n${'The cache was added. '.repeat(1000)}\n`;
    mkdirSync(projectMemory(bed.places, bed.project).folder, { recursive: true });
    writeFileSync(
      join(projectMemory(bed.places, bed.project).folder, 'memory.md'),
      `${memory}\n### 2026-11-16_1000\n\nThe newest note.\n`,
    );
    const before = session.registry()?.sessionId;
    await session.say('/clear');
    await waitFor('the new session', () => session.registry()?.sessionId !== before);
    await session.waitForState('idle');
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
    expect(request).toContain('Left out for want of room: Recent Context, 2026-11-16_0900');
    expect(request).toContain('</remembered-notes>'); // the end of it: nothing was cut off by the CLI
    expect(request).not.toContain('please help'); // of an earlier turn
  });

  it('C5 tells both when the context fills up, until it is cleared', async () => {
    api.enqueue({ text: 'Nearly full.', usage: { input_tokens: 10, cache_read_input_tokens: 145_000 } });
    await session.say('fill it');
    await session.waitForScreen('Nearly full.');
    api.enqueue({ text: 'I see.', usage: { input_tokens: 10, cache_read_input_tokens: 165_000 } });
    await session.say('and now');
    await session.waitForScreen('I see.');
    expect(lastRequest()).toContain('[CONTEXT_WARNING] Usage: 73%');
    await session.waitForScreen('[MEMORY KEEPER] Context 73% of 200,000 tokens');
    api.enqueue({ text: 'Understood.', usage: { input_tokens: 10, cache_read_input_tokens: 10_000 } });
    await session.say('more');
    await session.waitForScreen('[CRITICAL] Context 83%');
    expect(lastRequest()).toContain('[CONTEXT_WARNING] Usage: 83%. CRITICAL');
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
  const hook = (input: string, env: NodeJS.ProcessEnv = {}): Promise<{ code: number; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const home = tempFolder();
      const options = { cwd: home, env: { HOME: home, PATH: process.env.PATH, ...env } };
      const child = execFile(process.execPath, [join(PLUGIN, 'hooks/hook.cjs')], options, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      });
      child.stdin?.end(input);
    });

  it.each(['', 'null', '{}', '{"hook_event_name":5}', 'x'.repeat(100_000), '{"hook_event_name":"Stop","session_id":"../../x"}'])(
    'exits with 0 and without a word, whatever it is given',
    async (input) => {
      expect(await hook(input)).toEqual({ code: 0, stdout: '', stderr: '' });
    },
  );

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
    const { stdout } = await hook(JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 's1' }), {
      LANG: 'ko_KR.UTF-8',
    });
    expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toContain('파일을 지우지 않는다');
  });
});
