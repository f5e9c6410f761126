/**
 * The program that starts the hooks for bench/hooks.ts: a small process, as what it costs to start
 * another grows with the size of who does it. For the mod it stands in the place of Claude Code
 * around it: it runs the real register.js and answers what that asks for.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { McpClient } from '../tests/bed/mcp-client.ts';
import { ModHost } from '../tests/bed/mod-host.ts';
import { interleave, timed } from './harness.ts';

export interface Contest {
  event: string;
  about: string;
  /** How many times `node -e 0` it may take; null where nobody waits for it. */
  most: number | null;
  hasMod?: boolean;
  /** The session's MCP server answers with notes for the prompt (K7). */
  hasNotes?: boolean;
  /** The entries that nobody waits for, in place of the others. */
  isAsync?: boolean;
  /** A turn is added to the transcript each time. */
  isNews?: boolean;
  /** Of a new session, for which nothing is ready. */
  isFirst?: boolean;
}

export interface Rounds {
  plugin: string;
  project: string;
  env: Environment;
  transcript: string;
  /** Another one, to which `news` is added. */
  growing: string;
  news: string;
  contests: Contest[];
  rounds: number;
}

type Environment = Record<string, string>;

const SERVER_LISTENS_MS = 1000;

const { plugin, project, env, transcript, growing, news, contests, rounds }: Rounds = JSON.parse(
  readFileSync(0, 'utf8'),
);
const HOOKS: Record<string, { hooks: { command: string; async?: boolean }[] }[]> = JSON.parse(
  readFileSync(join(plugin, 'hooks/hooks.json'), 'utf8'),
).hooks;

async function run(
  program: string,
  args: string[],
  variables: Environment,
  stdin: string,
): Promise<string> {
  const child = spawn(program, args, {
    cwd: project,
    env: variables,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined); // what needs no input does not read it
  child.stdin.end(stdin);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  await once(child, 'close');
  return stdout;
}

/** Starts all entries of an event at once, as Claude Code does, and waits for them. */
async function runHooks(
  input: { hook_event_name: string },
  variables: Environment,
  isAsync = false,
): Promise<string[]> {
  const entries = HOOKS[input.hook_event_name]?.flatMap((group) => group.hooks) ?? [];
  const waitedFor = entries.filter((entry) => (entry.async === true) === isAsync);
  const stdin = JSON.stringify(input);
  return Promise.all(
    waitedFor.map(({ command }) => run('/bin/sh', ['-c', command], variables, stdin)),
  );
}

/** Where no mod runs. A hook's parent is Claude Code itself. */
const withoutMods = { ...env, CLAUDE_PID: String(process.pid) };

const NOTED_PROMPT = 'Why was decision number 1234 about part 70 of the project made?';

function inputOf(event: string, session_id: string, source = 'clear', prompt = 'go on') {
  return {
    hook_event_name: event,
    session_id,
    transcript_path: session_id === 'growing' ? growing : transcript,
    cwd: project,
    source,
    reason: 'clear',
    prompt,
  };
}

let hooksAnswered = 0;
const host = await ModHost.start({
  plugin,
  project,
  env,
  // By a shell that stands for another Claude Code: the mod leaves a mark for whoever starts it.
  run: async (argv, { stdin }) => ({
    stdout: await run('/bin/sh', ['-c', '"$@"; exit', 'sh', ...argv], env, stdin),
  }),
  runHooks: async (input, given) => {
    const answers = await runHooks(input, given);
    hooksAnswered += answers.filter((text) => text !== '').length;
    return {};
  },
});

/** Another Claude Code, with its MCP server; both know the process by this number. */
const noting = { ...env, MEMORY_KEEPER_PARENT: '4713' };
const server = new McpClient(plugin, {
  cwd: project,
  env: noting,
  command: [process.execPath, join(plugin, 'hooks/mcp.cjs')],
});
const notingHost = await ModHost.start({
  plugin,
  project,
  env: noting,
  run: async (_, { stdin }) => ({
    stdout: await run(process.execPath, [join(plugin, 'hooks/hook.cjs'), 'mod'], noting, stdin),
  }),
  runHooks: async (input, given) => {
    await runHooks(input, given);
    return {};
  },
});
notingHost.sessionId = 'with-notes';

async function withNotes(event: string): Promise<void> {
  const input = inputOf(event, notingHost.sessionId, 'clear', NOTED_PROMPT);
  const { additionalContext = [] } = await notingHost.raise(input);
  if (!additionalContext.some((text) => text.includes('Decision number 1234 about')))
    throw new Error('the prompt was given no notes');
}

function hook({ event, hasMod, hasNotes, isAsync, isNews, isFirst }: Contest) {
  if (hasNotes) return () => withNotes(event);
  if (hasMod) return () => host.raise(inputOf(event, host.sessionId));
  if (isNews) appendFileSync(growing, news);
  const input = isFirst
    ? inputOf(event, 'first', 'startup')
    : inputOf(event, isNews ? 'growing' : 'bench');
  const variables = { ...withoutMods, CLAUDE_CODE_SESSION_ID: input.session_id };
  return () => runHooks(input, variables, isAsync);
}

await runHooks(inputOf('Stop', host.sessionId), env, true);
await host.endTurn();
await host.raise(inputOf('SessionEnd', host.sessionId));
await server.open();
await runHooks(inputOf('Stop', notingHost.sessionId), noting, true);
await setTimeout(SERVER_LISTENS_MS);
await notingHost.endTurn();
// The session that the others go on from.
await runHooks(inputOf('Stop', 'before'), withoutMods, true);
await runHooks(inputOf('SessionEnd', 'before'), withoutMods);
for (const contest of contests) await hook(contest)();
hooksAnswered = 0;
const samples = await interleave(
  {
    limit: { measure: timed(() => run(process.execPath, ['-e', '0'], env, '')) },
    ...Object.fromEntries(
      contests.map((contest) => [contest.about, { measure: () => timed(hook(contest))() }]),
    ),
  },
  { rounds, warmUps: 3 },
);
if (hooksAnswered > 0) throw new Error('the mod left it to the command hooks');
await server.close();
process.stdout.write(JSON.stringify(samples));
