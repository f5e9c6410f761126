/**
 * A hook stands between the user and Claude, so it should cost hardly more than starting node. Each
 * is run as hooks.json says, with a long transcript that it has read before and thousands of facts,
 * in a Claude Code that runs the mod; the limit is `node -e 0`, side by side. The same for a prompt
 * in a Claude Code without mods. What nobody waits for (the reply that is kept) is measured too.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type Fact, factsFile } from '../core/memory/l2-facts/facts-file.ts';
import { conceptsFile } from '../core/memory/l3-concepts/concepts-file.ts';
import { addRecentContext, newMemoryMd } from '../core/memory/memory-md/memory-md.ts';
import { writeDigest } from '../core/memory/state/digest.ts';
import { factsPath, memoryMdPath } from '../core/projects/memory-paths.ts';
import { markModPresent } from '../core/projects/mod-presence.ts';
import { type ProjectMemory, projectMemory } from '../core/projects/project-memory.ts';
import { promptRow, replyRow } from '../tests/bed/made-session.ts';
import { type Bench, figure, interleave, type Result, ratio, timed } from './harness.ts';
import { turns, writeTranscript } from './transcript-file.ts';

const PLUGIN = join(import.meta.dirname, '../dist/plugin');
const MB = 1024 * 1024;
const TRANSCRIPT_BYTES = 250 * MB;
const NOTES = 1500;
const FACTS = 5000;
const ROUNDS = 150;
const CLAUDE_PID = '4711';
const CONTEXT = { tokens: 60_000, window: 200_000, percent: 30 };

interface Contest {
  event: string;
  /** The word behind `run.sh` in hooks.json. */
  task: string;
  about: string;
  /** How many times `node -e 0` it may take; null where nobody waits for it. */
  most: number | null;
  /** A turn is added to the transcript each time. */
  isNews?: boolean;
  /** As on versions that have no mods. */
  hasNoMod?: boolean;
}

const CONTESTS: Contest[] = [
  { event: 'UserPromptSubmit', task: 'prompt', about: 'UserPromptSubmit', most: 1.15 },
  { event: 'Stop', task: 'reply', about: 'Stop', most: 1.15 },
  { event: 'SessionStart', task: 'start', about: 'SessionStart', most: 1.4 },
  { event: 'Stop', task: 'enforce', about: 'Stop, the part that is waited for', most: 1.15 },
  {
    event: 'UserPromptSubmit',
    task: 'prompt',
    about: 'UserPromptSubmit without mods',
    most: 1.15,
    hasNoMod: true,
  },
  {
    event: 'Stop',
    task: 'reply',
    about: 'Stop with a new turn to keep, not waited for',
    most: null,
    isNews: true,
  },
];

export const hooks: Bench = {
  name: 'hooks',
  about: 'what a hook costs, against starting node',
  promise: 'UserPromptSubmit and Stop at most 1.15 ×, SessionStart at most 1.4 ×',
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
    const env = {
      HOME: home,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      CLAUDE_PID,
      CLAUDE_PROJECT_DIR: project,
      CLAUDE_PLUGIN_ROOT: PLUGIN,
      AI_AGENT: 'claude-code_2-1-326_harness',
    };
    markModPresent(places, CLAUDE_PID);
    const hook = ({ event, task, isNews = false, hasNoMod = false }: Contest) => {
      const input = {
        hook_event_name: event,
        session_id: isNews ? 'growing' : 'bench',
        transcript_path: isNews ? growing : transcript,
        cwd: project,
        source: 'clear',
        // as the mod passes it on
        ...(!hasNoMod && { memory_keeper_mod: true, memory_keeper_context: CONTEXT }),
      };
      if (isNews)
        appendFileSync(
          growing,
          `${promptRow('and the next one')}\n${replyRow(50_000, { text: 'Done.' })}\n`,
        );
      return () =>
        // As Claude Code starts what hooks.json says.
        spawnSync('/bin/sh', ['-c', `exec /bin/sh "$CLAUDE_PLUGIN_ROOT"/hooks/run.sh ${task}`], {
          input: JSON.stringify(input),
          cwd: project,
          env: hasNoMod ? { ...env, CLAUDE_PID: '4712' } : env,
        });
    };
    tell('reading it for the first time');
    for (const contest of CONTESTS) hook(contest)();
    tell('measuring');
    const samples = await interleave(
      {
        limit: {
          measure: timed(() => spawnSync(process.execPath, ['-e', '0'], { cwd: project, env })),
        },
        ...Object.fromEntries(
          CONTESTS.map((contest) => [contest.about, { measure: () => timed(hook(contest))() }]),
        ),
      },
      { rounds: ROUNDS, warmUps: 3 },
    );
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
