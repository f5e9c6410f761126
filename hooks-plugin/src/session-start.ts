/** SessionStart: the new session is given what was known (M13). */
import { basename, join } from 'node:path';
import { type HandOver, handOver } from '../../core/memory/hand-over.ts';
import { readL1 } from '../../core/memory/l1-store.ts';
import { memoryIndexFile } from '../../core/memory/memory-index.ts';
import type { ProjectMemory } from '../../core/memory/project-memory.ts';
import { restoreText } from '../../core/memory/restore.ts';
import { readDocument } from '../../core/store/document.ts';
import { readSmallFile } from '../../core/store/read-file.ts';
import type { HookInput } from './hook-input.ts';
import { memoryOf } from './keep.ts';

const MAX_MEMORY_BYTES = 4 * 1024 * 1024;

export async function onSessionStart(input: HookInput): Promise<object | undefined> {
  const memory = await memoryOf(input);
  const file = await readSmallFile(join(memory.folder, 'memory.md'), MAX_MEMORY_BYTES);
  const additionalContext = restoreText({
    projectName: basename(memory.root),
    handOver: await handOverFor(memory, input),
    memory: file.state === 'ok' ? file.text : undefined,
  });
  if (additionalContext === '') return undefined;
  return { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext } };
}

/** After a clear from the session before it in the same process, after a compaction from the session itself. */
async function handOverFor(memory: ProjectMemory, { source, claudePid, sessionId }: HookInput): Promise<HandOver | undefined> {
  if (source !== 'clear' && source !== 'compact') return undefined;
  const reading = await readDocument(memory.index, memoryIndexFile);
  if (reading.state !== 'ok') return undefined;
  const { cleared, sessions } = reading.value;
  const from = source === 'clear' ? cleared?.[claudePid] : sessionId;
  const file = from === undefined ? '' : (sessions[from]?.file ?? '');
  return file === '' ? undefined : handOver(await readL1(join(memory.sessions, file)));
}
