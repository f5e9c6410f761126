import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readMemoryIndex } from '../../core/memory/log/memory-index.ts';
import { projectMemory } from '../../core/projects/project-memory.ts';
import { promptRow, replyRow } from '../../tests/bed/made-session.ts';
import { tempFolder } from '../../tests/bed/temp-folder.ts';

const KEEP = join(import.meta.dirname, '../../dist/plugin/hooks/keep.cjs');

it('M13 the session after a clear knows whose work it takes over, even if the end could not be kept any more', () => {
  const home = tempFolder();
  const project = join(home, 'project');
  mkdirSync(project);
  const claude = join(home, '.claude');
  const memory = projectMemory({ claude, home: join(claude, 'memory-keeper') }, project);
  const transcript = join(home, 'one.jsonl');
  const env = { HOME: home, CLAUDE_PROJECT_DIR: project, CLAUDE_PID: '4711' };
  const hook = (task: string, told: object) => {
    const input = JSON.stringify({ session_id: 'one', transcript_path: transcript, ...told });
    expect(spawnSync(process.execPath, [KEEP, task], { env, input }).status).toBe(0);
  };
  writeFileSync(
    transcript,
    `${promptRow('Which colour?')}\n${replyRow(1000, { text: 'Blue it is.' })}\n`,
  );
  hook('reply', { hook_event_name: 'Stop', last_assistant_message: 'Blue it is.' });
  const l1 = join(memory.sessions, readMemoryIndex(memory).sessions.one?.file ?? '');
  renameSync(l1, `${l1}.away`);
  mkdirSync(l1);
  hook('end', { hook_event_name: 'SessionEnd', reason: 'clear' });
  expect(readMemoryIndex(memory).cleared).toEqual({ 4711: 'one' });
});
