/**
 * The program that starts the hooks for bench/hooks.ts: a small process, as what it costs to start
 * another grows with the size of who does it. For the mod it stands in the place of Claude Code
 * around it: it runs the real register.js and answers what that asks for.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModHost } from '../tests/bed/mod-host.ts';
import { interleave, timed } from './harness.ts';

export interface Contest {
  event: string;
  about: string;
  /** How many times `node -e 0` it may take; null where nobody waits for it. */
  most: number | null;
  hasMod?: boolean;
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

function inputOf(event: string, session_id: string, source = 'clear') {
  return {
    hook_event_name: event,
    session_id,
    transcript_path: session_id === 'growing' ? growing : transcript,
    cwd: project,
    source,
    reason: 'clear',
    prompt: 'go on',
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

function hook({ event, hasMod, isAsync, isNews, isFirst }: Contest) {
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
process.stdout.write(JSON.stringify(samples));
