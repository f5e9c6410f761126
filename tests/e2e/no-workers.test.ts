/** Hooks are run by the hundred in a day: whatever they start has ended when they have (B10). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { attempt } from '../../core/platform/store/attempt.ts';
import hooks from '../../hooks-plugin/hooks.json' with { type: 'json' };
import { promptRow, replyRow } from '../bed/made-session.ts';
import { PLUGIN } from '../bed/plugin-bed.ts';
import { tempFolder } from '../bed/temp-folder.ts';

const ROUNDS = 3;

/** Each command of hooks.json, as Claude Code would run it. */
const commands = Object.entries(hooks.hooks).flatMap(([event, groups]) =>
  groups.flatMap((group) => group.hooks.map(({ command }) => ({ event, command }))),
);

/** The processes that have this home; what has ended meanwhile has none. */
function processesOf(home: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const environment = (pid: string) =>
    attempt(() => readFileSync(`/proc/${pid}/environ`, 'utf8'), '').split('\0');
  return pids.filter((pid) => environment(pid).includes(`HOME=${home}`));
}

it.runIf(process.platform === 'linux')(
  'B10 when the hooks of a session have ended, no process of theirs is left',
  async () => {
    const home = tempFolder();
    const transcript = join(home, 'transcript.jsonl');
    writeFileSync(
      transcript,
      `${promptRow('How many attempts?')}\n${replyRow(150_000, { text: 'Three.' })}\n`,
    );
    const env = {
      HOME: home,
      PATH: process.env.PATH,
      CLAUDE_PLUGIN_ROOT: PLUGIN,
      CLAUDE_PROJECT_DIR: home,
      CLAUDE_PID: String(process.pid),
    };

    const run = async ({ event, command }: (typeof commands)[number]) => {
      const stdio = ['pipe', 'ignore', 'ignore'] as const;
      const child = spawn('/bin/sh', ['-c', command], { cwd: home, env, stdio: [...stdio] });
      child.stdin.on('error', () => undefined); // not everything that is sent must be read
      child.stdin.end(
        JSON.stringify({
          hook_event_name: event,
          session_id: 'b10',
          transcript_path: transcript,
          cwd: home,
          source: 'startup',
          reason: 'other',
          prompt: 'go on',
          tool_name: 'Bash',
        }),
      );
      return once(child, 'exit');
    };
    for (let round = 0; round < ROUNDS; round++) await Promise.all(commands.map(run));
    expect(commands.length).toBeGreaterThan(8);
    expect(processesOf(home)).toEqual([]);
  },
);
