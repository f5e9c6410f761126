/**
 * Nothing but the hardened reader opens what lies in a project (T4). The whole product runs here over
 * a project that attacks, hooks and methods alike, with a `node:fs` that notes who opens, lists or
 * changes something there: whatever does so by itself fails the test, also what is written later.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { ALONE, IN_FILES, plant, SESSION } from '../../../tests/bed/hostile-repository.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { moveAllEarlier } from '../../memory/portable/move-earlier.ts';
import { isExpected } from '../../messages/expected-error.ts';
import { projectStatusLines } from '../../plugin/status-line-bridge.ts';
import { createEngine } from '../../usecases/engine.ts';
import { saveAgentAnswer } from '../../usecases/hooks/due-work.ts';
import { enforceMemory } from '../../usecases/hooks/enforcement.ts';
import { parseHookInput } from '../../usecases/hooks/hook-input.ts';
import { workForMod } from '../../usecases/hooks/mod-work.ts';
import { allowOwnSteps } from '../../usecases/hooks/permission.ts';
import { addPromptContext } from '../../usecases/hooks/prompt-context.ts';
import { saveTurn } from '../../usecases/hooks/save-turn.ts';
import { briefSession } from '../../usecases/hooks/session-briefing.ts';
import { statusLine } from '../../usecases/hooks/status-line.ts';
import { tidyProject } from '../../usecases/hooks/tidy.ts';
import { METHODS } from '../../usecases/methods/all-methods.ts';
import { copyFromProject, listInProject, markInProject, readInProject } from './read-in-project.ts';

/**
 * What is opened below the root: by the reader, by the one writer, by the user's yes to long turns
 * (K6), and by anybody else.
 */
const seen = vi.hoisted(() => ({
  root: '/nowhere',
  byReader: [] as string[],
  byWriter: [] as string[],
  byLongTurns: [] as string[],
  byOthers: [] as string[],
}));

/** These only look: they open nothing, and never wait. */
const LOOKS = vi.hoisted(
  () => /^(?:l?stat|fstat|exists|access|realpath|readlink|_|constants|[A-Z])|^(?:un)?watch/,
);

function watched<T extends object>(real: T): T {
  const wrapped = Object.entries(real).map(([name, value]) => {
    if (typeof value !== 'function' || LOOKS.test(name)) return [name, value];
    return [
      name,
      (...args: unknown[]) => {
        // Not what is in a buffer to read into: it may hold anything.
        const paths = args.filter((arg, index) => index === 0 || typeof arg === 'string');
        const isBelow = paths.some((arg) => String(arg).startsWith(`${seen.root}/`));
        if (isBelow) note(`${name} ${args.map(String).join(' ').slice(0, 300)}`);
        return value.apply(real, args);
      },
    ];
  });
  return Object.fromEntries(wrapped);
}

function note(call: string): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  const stack = new Error().stack ?? '';
  Error.stackTraceLimit = stackTraceLimit;
  const isWriter = ['project-copy.ts', 'atomic-write.ts'].every((file) => stack.includes(file));
  const isLongTurns = stack.includes('/long-turns.ts') && call.includes('/.claude');
  if (stack.includes('/read-in-project.ts')) seen.byReader.push(call);
  else if (isWriter) seen.byWriter.push(call);
  else if (isLongTurns) seen.byLongTurns.push(call);
  else seen.byOthers.push(`${call}\n${stack}`);
}

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs')>();
  const all = { ...watched(real), promises: watched(real.promises) };
  return { ...all, default: all };
});
vi.mock('node:fs/promises', async (importOriginal) => {
  const real = watched(await importOriginal<typeof import('node:fs/promises')>());
  return { ...real, default: real };
});

/** A project with every attack of `attacks`, and a session that is proven to be the user's own. */
function attacked(attacks: typeof IN_FILES, settings: object = {}) {
  const home = tempFolder();
  const project = join(home, 'app');
  const secrets = join(home, '.ssh');
  mkdirSync(secrets);
  writeFileSync(join(secrets, 'facts.json'), '{"secret":1}');
  writeFileSync(join(secrets, 'id_rsa'), 'secret');
  plant(attacks, { root: project, secrets, known: home, knownPlace: secrets });
  writeFileSync(join(project, '.git'), 'gitdir: ../.ssh\n');
  mkdirSync(join(project, '.claude'), { recursive: true });
  writeFileSync(join(project, '.claude', 'settings.json'), '{"statusLine":{}}');
  const transcripts = join(home, '.claude/projects/app');
  const transcript = join(transcripts, `${SESSION}.jsonl`);
  mkdirSync(transcripts, { recursive: true });
  writeFileSync(transcript, rowOf(project, 'Where is the walrus?'));
  mkdirSync(join(home, '.claude/memory-keeper'));
  writeFileSync(join(home, '.claude/memory-keeper/config.json'), JSON.stringify(settings));
  const env = { HOME: home, PATH: '/nowhere', CLAUDE_PROJECT_DIR: project, CLAUDE_PID: '4711' };
  Object.assign(seen, { root: project, byReader: [], byWriter: [], byLongTurns: [], byOthers: [] });
  return { home, project, transcript, env };
}

/** Of a transcript. */
function rowOf(cwd: string, content: string): string {
  const row = { type: 'user', cwd, sessionId: SESSION, timestamp: '2026-11-17T09:00:00.000Z' };
  const message = { role: 'user', content };
  return `${JSON.stringify({ ...row, uuid: randomUUID(), message })}\n`;
}

const EVENTS = ['PostToolUse', 'Stop', 'PreCompact', 'SessionEnd'];

type Attacked = ReturnType<typeof attacked>;

/** Everything that the plugin runs at the events of a session. */
async function runHooks({ project, transcript, env }: Attacked): Promise<void> {
  const stdin = (event: string, more = {}) =>
    JSON.stringify({
      ...{ session_id: SESSION, transcript_path: transcript, cwd: project },
      ...{ hook_event_name: event, prompt: 'Go on.', source: 'startup', ...more },
    });
  const input = (event: string, more = {}) => parseHookInput(stdin(event, more), env);
  await briefSession(input('SessionStart'));
  await tidyProject(input('SessionStart'));
  await addPromptContext(input('UserPromptSubmit'));
  for (const event of EVENTS) await saveTurn(input(event));
  enforceMemory(input('Stop'));
  saveAgentAnswer(input('SubagentStop', { agent_type: 'memory-keeper:delta-summarizer' }));
  allowOwnSteps(stdin('PermissionRequest'), env);
  await workForMod(JSON.stringify({ sessionId: SESSION, root: project, model: 'x' }), env);
  statusLine(stdin('Status'), env);
}

/** Changes the machine, or waits for somebody. */
const NOT_RUN = /^(?:plugin|app)\.|^doctor\.fix$/;

/** Arguments with which a method can be called, if any of these are enough. */
function argumentsFor(schema: v.GenericSchema, project: string): object | undefined {
  const more = [{}, { words: 'walrus' }, { id: 'd001' }, { ids: ['x'] }, { sessionId: SESSION }];
  const tries = more.flatMap((one) => [{ project, ...one }, one]);
  for (const args of tries) {
    const parsed = v.safeParse(schema, args);
    if (parsed.success) return parsed.output as object;
  }
  return undefined;
}

/** Every method that hosts can call and that needs no more than a project and a name. */
async function runMethods({ project, env }: Attacked): Promise<string[]> {
  const engine = createEngine({ env, run: () => Promise.reject(new Error('no programs here')) });
  const called: string[] = [];
  for (const [name, { runs, arguments: schema }] of Object.entries(METHODS)) {
    const args = argumentsFor(schema, project);
    if (runs === 'application' || NOT_RUN.test(name) || args === undefined) continue;
    called.push(name);
    try {
      await engine.call(name as never, args as never);
    } catch (error) {
      if (!isExpected(error)) throw new Error(`${name}: ${(error as Error).stack}`);
    }
  }
  // What methods do once the plugin is installed.
  moveAllEarlier(engine.places, env);
  projectStatusLines(engine.places, [project]);
  return called;
}

describe('what lies in a project', () => {
  it.each([
    ['files of all kinds', IN_FILES, {}],
    ['files of all kinds, with a copy of the memory', IN_FILES, { storage: 'project' }],
    ['nothing but a copy of the memory', {}, { storage: 'project' }],
    ['links', { links: ALONE['files that are links to secrets'] ?? expect.fail() }, {}],
    ['folders', { folders: ALONE['folders in the place of files'] ?? expect.fail() }, {}],
  ])('T4 is opened by the hardened reader alone: %s', async (_, attacks, settings) => {
    const made = attacked(attacks, { ...settings, enforcement: 'remind', quietStop: false });
    await runHooks(made);
    const called = await runMethods(made);
    for (const words of ['And where is the heron?', 'And the otter?']) {
      appendFileSync(made.transcript, rowOf(made.project, words));
      await runHooks(made);
    }
    expect(called).toEqual(expect.arrayContaining(['foreign.list', 'doctor.run', 'memory.show']));
    expect(called.length).toBeGreaterThan(30);
    expect(seen.byOthers).toEqual([]);
    expect(seen.byReader.length).toBeGreaterThan(0);
    expect(seen.byWriter.length > 0).toBe('storage' in settings);
    const written = seen.byLongTurns.filter((call) => /^(?:rename|chmod|write)/.test(call));
    for (const call of written) expect(call).toContain('/.claude/settings.local.json');
  });

  it('T4 is seen here by whoever else opens it', async () => {
    const { project } = attacked(IN_FILES);
    readFileSync(join(project, '.claude/memory/rules.md'));
    const { readFile } = await import('node:fs/promises');
    await readFile(join(project, '.claude/memory/rules.md'));
    expect(seen.byOthers).toHaveLength(2);
  });
});

describe('the hardened reader', () => {
  function folder() {
    const root = tempFolder();
    const project = join(root, 'app');
    mkdirSync(join(project, 'inside'), { recursive: true });
    writeFileSync(join(root, 'secret'), 'secret');
    writeFileSync(join(project, 'inside/plain'), 'plain');
    return { root, project };
  }

  it('T4 reads a plain file, also by a link that stays inside', () => {
    const { project } = folder();
    symlinkSync('inside/plain', join(project, 'link'));
    for (const name of ['inside/plain', 'link'])
      expect(readInProject(project, name, 100)).toEqual({ state: 'ok', text: 'plain' });
    expect(readInProject(project, 'inside/plain', 4)).toMatchObject({ state: 'refused' });
    expect(readInProject(project, 'nothing', 100)).toEqual({ state: 'missing' });
    const listing = { files: ['plain'], folders: [], isCut: false };
    expect(listInProject(project, 'inside', 9)).toEqual(listing);
  });

  it('T4 reads nothing that lies outside, never ends, or is no file, and waits for nothing', () => {
    const { root, project } = folder();
    const secret = join(root, 'secret');
    symlinkSync(secret, join(project, 'away'));
    symlinkSync(root, join(project, 'above'));
    symlinkSync('/dev/zero', join(project, 'zero'));
    symlinkSync('loop', join(project, 'loop'));
    symlinkSync('gone', join(project, 'dangling'));
    execFileSync('mkfifo', [join(project, 'pipe')]);
    const names = [
      'away',
      'above/secret',
      '../secret',
      'zero',
      'loop',
      'dangling',
      'pipe',
      'inside',
    ];
    for (const name of names) {
      expect(readInProject(project, name, 100).state, name).not.toBe('ok');
      expect(copyFromProject(project, name, join(root, 'copy'), 100), name).toBeUndefined();
      expect(markInProject(project, name), name).toBe('none');
    }
    expect(listInProject(project, 'above', 9).files).toEqual([]);
  });
});
