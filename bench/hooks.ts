/**
 * A hook stands between the user and Claude, so it should cost nearly nothing. All entries that
 * hooks.json has for an event and that are waited for are started at once, as Claude Code does, with
 * a long transcript and thousands of facts; the limit is `node -e 0`, side by side. Where the mod
 * runs, its own code is measured along with them: the real register.js, with this node in the place
 * of Claude Code around it, which answers what it asks for. What nobody waits for is measured too.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type Fact, factsFile } from '../core/memory/l2-facts/facts-file.ts';
import { conceptsFile } from '../core/memory/l3-concepts/concepts-file.ts';
import { addRecentContext, newMemoryMd } from '../core/memory/memory-md/memory-md.ts';
import { writeDigest } from '../core/memory/state/digest.ts';
import { factsPath, memoryMdPath } from '../core/projects/memory-paths.ts';
import { type ProjectMemory, projectMemory } from '../core/projects/project-memory.ts';
import { promptRow, replyRow } from '../tests/bed/made-session.ts';
import { ModHost } from '../tests/bed/mod-host.ts';
import { type Bench, figure, interleave, type Result, ratio, timed } from './harness.ts';
import { turns, writeTranscript } from './transcript-file.ts';

const PLUGIN = join(import.meta.dirname, '../dist/plugin');
const MB = 1024 * 1024;
const TRANSCRIPT_BYTES = 250 * MB;
const NOTES = 1500;
const FACTS = 5000;
const ROUNDS = 150;

interface Contest {
  event: string;
  about: string;
  /** How many times `node -e 0` it may take; null where nobody waits for it. */
  most: number | null;
  hasMod?: boolean;
  /** The entries that nobody waits for, in place of the others. */
  isAsync?: boolean;
  /** A turn is added to the transcript each time. */
  isNews?: boolean;
}

const CONTESTS: Contest[] = [
  { event: 'UserPromptSubmit', about: 'UserPromptSubmit with the mod', most: 0.3, hasMod: true },
  { event: 'SessionStart', about: 'SessionStart with the mod', most: 0.3, hasMod: true },
  { event: 'UserPromptSubmit', about: 'UserPromptSubmit without mods', most: 1.1 },
  { event: 'SessionStart', about: 'SessionStart without mods', most: 1.25 },
  { event: 'Stop', about: 'Stop, the part that is waited for', most: 1.15 },
  { event: 'Stop', about: 'Stop, not waited for', most: null, isAsync: true },
  {
    event: 'Stop',
    about: 'Stop with a new turn to keep, not waited for',
    most: null,
    isAsync: true,
    isNews: true,
  },
];

export const hooks: Bench = {
  name: 'hooks',
  about: 'what a hook costs, against starting node',
  promise:
    'with the mod UserPromptSubmit and SessionStart at most 0.3 ×, without mods 1.1 × and 1.25 ×',
  async run(scene, tell) {
    const home = scene.folder();
    const project = join(home, 'project');
    mkdirSync(project);
    const places = { claude: join(home, '.claude'), home: join(home, '.claude', 'memory-keeper') };
    fillMemory(projectMemory(places, project));
    const [transcript, growing] = [join(home, 'session.jsonl'), join(home, 'growing.jsonl')];
    tell('writing 250 MB');
    await writeTranscript(transcript, TRANSCRIPT_BYTES, turns(MB));
    writeFileSync(growing, '');
    const env: Environment = {
      HOME: home,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      CLAUDE_PID: '4712',
      CLAUDE_PROJECT_DIR: project,
      CLAUDE_PLUGIN_ROOT: PLUGIN,
      AI_AGENT: 'claude-code_2-1-326_harness',
    };
    const inputOf = (event: string, session_id: string) => ({
      hook_event_name: event,
      session_id,
      transcript_path: session_id === 'growing' ? growing : transcript,
      cwd: project,
      source: 'clear',
      reason: 'clear',
      prompt: 'go on',
    });
    let hooksAnswered = 0;
    const host = await ModHost.start({
      plugin: PLUGIN,
      project,
      env,
      run: async ([program = '', ...args], { stdin }) => ({
        stdout: await run(program, args, env, project, stdin),
      }),
      runHooks: async (input, given) => {
        const answers = await runHooks(input, given);
        hooksAnswered += answers.filter((text) => text !== '').length;
        return {};
      },
    });
    const withMod = ({ event }: Contest) => host.raise(inputOf(event, host.sessionId));
    const hook = (contest: Contest) => {
      if (contest.hasMod === true) return () => withMod(contest);
      const { event, isAsync = false, isNews = false } = contest;
      if (isNews)
        appendFileSync(
          growing,
          `${promptRow('and the next one')}\n${replyRow(50_000, { text: 'Done.' })}\n`,
        );
      const input = inputOf(event, isNews ? 'growing' : 'bench');
      return () => runHooks(input, { ...env, CLAUDE_CODE_SESSION_ID: input.session_id }, isAsync);
    };
    tell('reading it for the first time');
    await runHooks(inputOf('Stop', host.sessionId), env, true);
    await host.endTurn();
    await host.raise(inputOf('SessionEnd', host.sessionId));
    for (const contest of CONTESTS) await hook(contest)();
    tell('measuring');
    const samples = await interleave(
      {
        limit: { measure: timed(() => run(process.execPath, ['-e', '0'], env, project, '')) },
        ...Object.fromEntries(
          CONTESTS.map((contest) => [contest.about, { measure: () => timed(hook(contest))() }]),
        ),
      },
      { rounds: ROUNDS, warmUps: 3 },
    );
    if (hooksAnswered > 0) throw new Error('the mod left it to the command hooks');
    const limit = figure('node -e 0', 'limit', 'ms', samples.limit);
    return CONTESTS.map(({ about, most }): Result => {
      const product = figure(
        about,
        'product',
        'ms',
        (samples as Record<string, number[]>)[about] ?? [],
      );
      const over = ratio(product, limit);
      return {
        name: `hooks: ${about}`,
        promise: most === null ? null : `at most ${most} × the time of node -e 0`,
        figures: [product, limit],
        ratios: [over],
        holds: most === null ? null : over.value <= most,
      };
    });
  },
};

type Environment = Record<string, string>;

/** Starts all entries of an event at once, as Claude Code does, and waits for them. */
async function runHooks(
  input: { hook_event_name: string; cwd: string },
  env: Environment,
  isAsync = false,
): Promise<string[]> {
  const entries = HOOKS[input.hook_event_name]?.flatMap((group) => group.hooks) ?? [];
  const waitedFor = entries.filter((entry) => (entry.async === true) === isAsync);
  const stdin = JSON.stringify(input);
  return Promise.all(
    waitedFor.map(({ command }) => run('/bin/sh', ['-c', command], env, input.cwd, stdin)),
  );
}

const HOOKS: Record<string, { hooks: { command: string; async?: boolean }[] }[]> = JSON.parse(
  readFileSync(join(PLUGIN, 'hooks/hooks.json'), 'utf8'),
).hooks;

async function run(
  program: string,
  args: string[],
  env: Environment,
  cwd: string,
  stdin: string,
): Promise<string> {
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => undefined); // what needs no input does not read it
  child.stdin.end(stdin);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  await once(child, 'close');
  return stdout;
}

function fillMemory(memory: ProjectMemory): void {
  mkdirSync(memory.folder, { recursive: true });
  let text = newMemoryMd('project');
  for (let n = 0; n < NOTES; n++)
    text = addRecentContext(
      text,
      `2026-11-16_${String(n).padStart(4, '0')}`,
      `Note ${n}. ${'word '.repeat(35)}`,
    );
  writeFileSync(memoryMdPath(memory), text);
  const facts = factsFile.empty();
  facts.decisions = Array.from(
    { length: FACTS },
    (_, n): Fact => ({
      id: `d${n}`,
      date: '2026-11-16',
      content: `Decision number ${n} about part ${n % 97} of the project, in a sentence of ordinary length.`,
      session: `s${n % 50}`,
      files: [`src/part-${n % 97}.ts`],
      keywords: [`part-${n % 97}`],
      evidence: [
        {
          session: `s${n % 50}`,
          entry: `e${n}`,
          quote: `decision number ${n}`,
          role: 'user',
          at: '2026-11-16T09:00:00Z',
        },
      ],
    }),
  );
  writeFileSync(factsPath(memory), JSON.stringify(facts));
  writeDigest(memory, facts, conceptsFile.empty());
}
