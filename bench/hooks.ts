/**
 * A hook stands between the user and Claude, so it should cost hardly more than starting node. The built hook program is run as Claude
 * Code runs it, with a long transcript that it has read before; the limit is `node -e 0`, side by side.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addRecentContext, newMemoryMd } from '../core/memory/memory-md.ts';
import { type Bench, figure, interleave, type Result, ratio, timed } from './harness.ts';
import { turns, writeTranscript } from './transcript-file.ts';

const HOOK = join(import.meta.dirname, '../dist/plugin/hooks/hook.cjs');
const MB = 1024 * 1024;
const TRANSCRIPT_BYTES = 250 * MB;
const NOTES = 1500;
const ROUNDS = 40;

/** How many times `node -e 0` each may take. */
const PROMISES = { UserPromptSubmit: 1.15, Stop: 1.15, SessionStart: 1.4 };
type Event = keyof typeof PROMISES;
const EVENTS = Object.keys(PROMISES) as Event[];

export const hooks: Bench = {
  name: 'hooks',
  about: 'what a hook costs, against starting node',
  promise: EVENTS.map((event) => `${event} at most ${PROMISES[event]} ×`).join(', '),
  async run(scene, tell) {
    const home = scene.folder();
    const project = join(home, 'project');
    const memory = join(project, '.claude', 'memory');
    mkdirSync(memory, { recursive: true });
    writeFileSync(join(memory, 'memory.md'), longMemory());
    const transcript = join(home, 'session.jsonl');
    tell('writing 250 MB');
    await writeTranscript(transcript, TRANSCRIPT_BYTES, turns(MB));
    const run = (args: string[], input: string) =>
      spawnSync(process.execPath, args, { input, cwd: project, env: { HOME: home, PATH: process.env.PATH, CLAUDE_PID: '4711' } });
    const event = (name: Event) =>
      JSON.stringify({ hook_event_name: name, session_id: 'bench', transcript_path: transcript, cwd: project, source: 'clear' });
    tell('reading it for the first time');
    run([HOOK], event('Stop'));
    tell('measuring');
    const samples = await interleave(
      {
        limit: { measure: timed(() => run(['-e', '0'], '')) },
        UserPromptSubmit: { measure: timed(() => run([HOOK], event('UserPromptSubmit'))) },
        Stop: { measure: timed(() => run([HOOK], event('Stop'))) },
        SessionStart: { measure: timed(() => run([HOOK], event('SessionStart'))) },
      },
      { rounds: ROUNDS, warmUps: 3 },
    );
    const limit = figure('node -e 0', 'limit', 'ms', samples.limit);
    return EVENTS.map((name): Result => {
      const product = figure(name, 'product', 'ms', samples[name]);
      const over = ratio(product, limit);
      return {
        name: `hooks: ${name}`,
        promise: `at most ${PROMISES[name]} × the time of node -e 0`,
        figures: [product, limit],
        ratios: [over],
        holds: over.value <= PROMISES[name],
      };
    });
  },
};

function longMemory(): string {
  let text = newMemoryMd('project');
  for (let n = 0; n < NOTES; n++)
    text = addRecentContext(text, `2026-11-16_${String(n).padStart(4, '0')}`, `Note ${n}. ${'word '.repeat(35)}`);
  return text;
}
