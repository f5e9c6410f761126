/**
 * A hook stands between the user and Claude, so it should cost nearly nothing. All entries that
 * hooks.json has for an event and that are waited for are started at once, as Claude Code does, with
 * a long transcript and thousands of facts; the limit is `node -e 0`, side by side. Where the mod
 * runs, its own code is measured along with them (hook-rounds.ts). What nobody waits for is measured
 * too, and what a session's first hooks cost, for which nothing can be ready.
 */
import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type Fact, factsFile } from '../core/memory/l2-facts/facts-file.ts';
import { conceptsFile } from '../core/memory/l3-concepts/concepts-file.ts';
import { addRecentContext, newMemoryMd } from '../core/memory/memory-md/memory-md.ts';
import { writeDigest } from '../core/memory/state/digest.ts';
import { factsPath, memoryMdPath } from '../core/projects/memory-paths.ts';
import { type ProjectMemory, projectMemory } from '../core/projects/project-memory.ts';
import { promptRow, replyRow } from '../tests/bed/made-session.ts';
import { type Bench, figure, type Result, ratio } from './harness.ts';
import type { Contest, Rounds } from './hook-rounds.ts';
import { turns, writeTranscript } from './transcript-file.ts';

const PLUGIN = join(import.meta.dirname, '../dist/plugin');
const MB = 1024 * 1024;
const TRANSCRIPT_BYTES = 250 * MB;
const NOTES = 1500;
const FACTS = 5000;
const ROUNDS = 150;

const CONTESTS: Contest[] = [
  { event: 'UserPromptSubmit', about: 'UserPromptSubmit with the mod', most: 0.3, hasMod: true },
  {
    event: 'UserPromptSubmit',
    about: 'UserPromptSubmit with the mod and related notes',
    most: 0.3,
    hasMod: true,
    hasNotes: true,
  },
  { event: 'SessionStart', about: 'SessionStart with the mod', most: 0.3, hasMod: true },
  { event: 'UserPromptSubmit', about: 'UserPromptSubmit without mods', most: 1.1 },
  { event: 'SessionStart', about: 'SessionStart without mods', most: 1.25 },
  { event: 'Stop', about: 'Stop, the part that is waited for', most: 1.15 },
  {
    event: 'UserPromptSubmit',
    about: 'UserPromptSubmit without mods, nothing ready',
    most: null,
    isFirst: true,
  },
  {
    event: 'SessionStart',
    about: 'SessionStart without mods, at startup',
    most: null,
    isFirst: true,
  },
  {
    event: 'Stop',
    about: 'Stop with a new turn to keep, not waited for',
    most: null,
    isAsync: true,
    isNews: true,
  },
  // The last of a round: a prompt follows a reply of its own session.
  { event: 'Stop', about: 'Stop, not waited for', most: null, isAsync: true },
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
    const env = {
      HOME: home,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      CLAUDE_PID: '4712',
      CLAUDE_PROJECT_DIR: project,
      CLAUDE_PLUGIN_ROOT: PLUGIN,
      AI_AGENT: 'claude-code_2-1-326_harness',
    };
    const news = `${promptRow('and the next one')}\n${replyRow(50_000, { text: 'Done.' })}\n`;
    tell('reading it for the first time, and measuring');
    const samples = await measure({
      ...{ plugin: PLUGIN, project, env, transcript, growing, news },
      ...{ contests: CONTESTS, rounds: ROUNDS },
    });
    const limit = figure('node -e 0', 'limit', 'ms', samples.limit ?? []);
    return CONTESTS.map(({ about, most }): Result => {
      const product = figure(about, 'product', 'ms', samples[about] ?? []);
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

/** By a small process: this one has grown large, and to start another from it takes long. */
async function measure(rounds: Rounds): Promise<Record<string, number[]>> {
  const program = join(import.meta.dirname, 'hook-rounds.ts');
  const stdio: StdioOptions = ['pipe', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [program], { stdio });
  child.stdin?.end(JSON.stringify(rounds));
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error('the hooks could not be measured');
  return JSON.parse(stdout);
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
