/**
 * The briefing after a `/clear` for run.sh to print (K2): SessionEnd puts what the last reply's hook
 * prepared where the shell finds it, if it still holds. Without it SessionStart would start a node
 * for each page.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { recordPath } from '../../clear/clear-record-place.ts';
import { readWorkMarks } from '../../memory/log/memory-index.ts';
import { readBriefing, saveBriefing } from '../../memory/restore/briefing-file.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { isUnchanged } from '../../platform/store/file-states.ts';
import { clearedLine } from './cleared-line.ts';
import { type HookInput, isModRunning } from './hook-input.ts';
import { readPrepared } from './prepared-briefing.ts';
import {
  canBeReady,
  isStartReady,
  keepReady,
  removeReadyStart,
  START_TASKS,
  statesOf,
} from './ready-answers.ts';
import { hasRoom, startOutput } from './start-output.ts';

/** After a `/clear`, when the session is saved. */
export function readyStart(input: HookInput): void {
  if (!canBeReady(input) || isModRunning(input)) return;
  const { places, memory, claudePid, env } = input;
  const marks = readWorkMarks(memory);
  const from = marks.cleared?.[claudePid] ?? '';
  const made = readPrepared(places, marks, from);
  // What is told of a clear by Memory Keeper itself is up to the new session's id.
  if (made === undefined || existsSync(recordPath(places, from))) return;
  const l1 = join(memory.sessions, marks.sessions[from]?.file ?? '');
  const paths = [...made.files.map(({ path }) => path), l1];
  const states = statesOf(paths);
  if (!made.files.every(isUnchanged) || statSync(l1).size !== made.l1Bytes) return;
  const briefing = made.contexts.join('\n');
  const line = clearedLine({ places, env, cleared: from, session: '', briefing });
  for (const [n, task] of START_TASKS.entries()) {
    const page = made.contexts[n] ?? '';
    // There the program may ask for an agent.
    if (task === 'start' && hasRoom(page)) continue;
    const output = startOutput(page, task === 'start' ? line : undefined);
    keepReady(input, claudePid, task, { paths, states, output });
  }
}

/** The session that ends may be another's than what is ready. */
export function beginEnd(input: HookInput): void {
  if (input.claudePid !== '') removeReadyStart(input);
}

/** What the shell has given is written down for the user by the program that nobody waits for. */
export function noteGivenByShell(input: HookInput): void {
  const { source, places, memory, sessionId, claudePid } = input;
  if (source !== 'clear' || !isStartReady(input) || readBriefing(places, sessionId) !== undefined)
    return;
  const marks = readWorkMarks(memory);
  const made = readPrepared(places, marks, marks.cleared?.[claudePid] ?? '');
  if (made === undefined) return;
  attempt(() => saveBriefing(places, sessionId, made.contexts.join('\n')), undefined);
}
