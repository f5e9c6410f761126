/**
 * Makes hooks start sooner. Node keeps a program compiled (`NODE_COMPILE_CACHE`), but only those
 * functions that V8 compiles at once; all others it compiles when they are first called, in every
 * run anew. V8 compiles at once what stands in parentheses. So the hooks are run here once as
 * Claude Code runs them, and the functions that were called are put in parentheses, before
 * everything else.
 */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { factsFile } from '../core/memory/l2-facts/facts-file.ts';
import { conceptsFile } from '../core/memory/l3-concepts/concepts-file.ts';
import { addRecentContext, newMemoryMd } from '../core/memory/memory-md/memory-md.ts';
import { writeDigest } from '../core/memory/state/digest.ts';
import { memoryMdPath } from '../core/projects/memory-paths.ts';
import { projectMemory } from '../core/projects/project-memory.ts';

interface Step {
  program: 'session-start' | 'prompt' | 'keep' | 'status-line';
  task: string;
  input: object;
}

/** Two sessions with a `/clear` between them. */
const DAY: Step[] = [
  {
    program: 'session-start',
    task: 'start',
    input: { hook_event_name: 'SessionStart', source: 'startup' },
  },
  {
    program: 'status-line',
    task: 'status-line',
    input: { model: { id: 'a' }, context_window: { context_window_size: 200_000 } },
  },
  {
    program: 'prompt',
    task: 'prompt',
    input: { hook_event_name: 'UserPromptSubmit', prompt: 'which limit' },
  },
  { program: 'keep', task: 'tool', input: { hook_event_name: 'PostToolUse', tool_name: 'Read' } },
  { program: 'keep', task: 'reply', input: { hook_event_name: 'Stop' } },
  {
    program: 'prompt',
    task: 'prompt',
    input: { hook_event_name: 'UserPromptSubmit', prompt: 'and why' },
  },
  { program: 'keep', task: 'reply', input: { hook_event_name: 'Stop' } },
  { program: 'keep', task: 'end', input: { hook_event_name: 'SessionEnd', reason: 'clear' } },
  {
    program: 'session-start',
    task: 'start',
    input: { hook_event_name: 'SessionStart', source: 'clear', session_id: 'next' },
  },
  {
    program: 'prompt',
    task: 'prompt',
    input: { hook_event_name: 'UserPromptSubmit', prompt: 'go on', session_id: 'next' },
  },
];

export function compileAtOnce(hooksFolder: string): void {
  const home = mkdtempSync(join(tmpdir(), 'memory-keeper-build-'));
  try {
    const called = runDay(hooksFolder, home);
    for (const [path, starts] of called)
      writeFileSync(path, withParentheses(readFileSync(path, 'utf8'), starts));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Where the functions that were called begin, by the path of their program. */
function runDay(hooksFolder: string, home: string): Map<string, Set<number>> {
  const project = join(home, 'project');
  const transcript = join(home, 'session.jsonl');
  const coverage = join(home, 'coverage');
  prepareMemory(home, project);
  const called = new Map<string, Set<number>>();
  const env = {
    HOME: home,
    USERPROFILE: home,
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_PID: '1',
    NODE_V8_COVERAGE: coverage,
  };
  for (const { program, task, input } of DAY) {
    if (task === 'reply') appendFileSync(transcript, turn());
    const path = resolve(hooksFolder, `${program}.cjs`);
    const told = JSON.stringify({
      session_id: 'first',
      transcript_path: transcript,
      cwd: project,
      ...input,
    });
    const { status, stderr } = spawnSync(process.execPath, [path, task], {
      env,
      cwd: project,
      input: told,
    });
    if (status !== 0) throw new Error(`${basename(path)} ${task} failed: ${stderr}`);
    const starts = called.get(path) ?? new Set();
    for (const start of calledIn(coverage, basename(path))) starts.add(start);
    called.set(path, starts);
  }
  const log = join(home, '.claude/memory-keeper/hooks.log'); // a hook that goes wrong exits with 0, too
  if (existsSync(log)) throw new Error(`a hook failed: ${readFileSync(log, 'utf8')}`);
  return called;
}

function prepareMemory(home: string, project: string): void {
  mkdirSync(project);
  const claude = join(home, '.claude');
  const memory = projectMemory({ claude, home: join(claude, 'memory-keeper') }, project);
  mkdirSync(memory.folder, { recursive: true });
  writeFileSync(
    memoryMdPath(memory),
    addRecentContext(newMemoryMd('project'), '2026-01-01_0900', 'The limit is three.'),
  );
  writeDigest(memory, factsFile.empty(), conceptsFile.empty());
}

/** A prompt and its reply, as Claude Code writes them down. */
function turn(): string {
  const row = (type: string, message: object) => {
    const timestamp = new Date().toISOString();
    return `${JSON.stringify({ type, uuid: crypto.randomUUID(), isSidechain: false, timestamp, message })}\n`;
  };
  const usage = { input_tokens: 50_000, output_tokens: 5 };
  const reply = {
    role: 'assistant',
    model: 'claude-opus-4-1',
    content: [{ type: 'text', text: 'Three.' }],
    usage,
  };
  return row('user', { role: 'user', content: 'which limit' }) + row('assistant', reply);
}

interface Coverage {
  result: { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] }[];
}

function calledIn(folder: string, program: string): number[] {
  const reports = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage,
  );
  rmSync(folder, { recursive: true });
  const functions = reports.flatMap(({ result }) =>
    result.filter(({ url }) => url.endsWith(`/${program}`)).flatMap((script) => script.functions),
  );
  if (functions.length === 0) throw new Error(`which functions ${program} calls is not known`);
  return functions.flatMap(({ ranges: [whole] }) =>
    whole !== undefined && whole.count > 0 ? [whole.startOffset] : [],
  );
}

/**
 * As `var`, a function is known in the whole program like a declared one; and it has its value
 * before anything is called.
 */
function withParentheses(program: string, starts: Set<number>): string {
  let [first, rest, at] = ['', '', 0];
  for (const { type, start, end, ...node } of parseAst(program).body) {
    if (type !== 'FunctionDeclaration' || !starts.has(start)) continue;
    first += `var ${(node as { id: { name: string } }).id.name}=(${program.slice(start, end)});`;
    rest += program.slice(at, start);
    at = end;
  }
  return `${first}${rest}${program.slice(at)}`;
}
