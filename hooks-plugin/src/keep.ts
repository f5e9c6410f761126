/**
 * Stop, PostToolUse, PreCompact and SessionEnd: writes what was said to L1 before anything can lose
 * it (M5). Also writes the clear signal, and starts work that is due.
 */
import { signalIfDue } from '../../core/clear/write-signal.ts';
import { saveL1 } from '../../core/memory/log/l1-store.ts';
import {
  readWorkMarks,
  savedProgress,
  updateMemoryIndex,
} from '../../core/memory/log/memory-index.ts';
import { isWorkDue } from '../../core/memory/model/delta-due.ts';
import type { ProjectMemory } from '../../core/projects/project-memory.ts';
import { readSettings, type Settings } from '../../core/settings/settings.ts';
import { contextOf } from './context.ts';
import type { HookInput } from './hook-input.ts';
import { hookProgram } from './hook-program.ts';
import { keepAnswer } from './keep-answer.ts';
import { isModAtWork, ownMemoryOf } from './project.ts';

function onWork(input: HookInput): undefined | Promise<undefined> {
  const memory = ownMemoryOf(input);
  keepAnswer(memory, input);
  // Where a mod is at work, it sees to the rest.
  if (isModAtWork(input)) return undefined;
  const { settings } = readSettings(input.places, memory.root);
  if (input.event === 'Stop') tellThreshold(input, settings);
  if (!isWorkDue(readWorkMarks(memory), settings.saveInterval)) return undefined;
  return import('./work.ts').then(({ workWithoutModel }) => workWithoutModel(input));
}

/** After a reply the context has grown (A1). */
function tellThreshold(input: HookInput, { thresholds, autoClear }: Settings): void {
  const { sessionId, claudePid, places } = input;
  const reading = contextOf(input, thresholds);
  if (reading === undefined || claudePid === '') return;
  const { tokens, window } = reading;
  signalIfDue(places, autoClear, { sessionId, pid: Number(claudePid), tokens, window });
}

/**
 * Claude Code ends this hook after a second and a half: what the next session cannot do without
 * comes first.
 */
function onSessionEnd(input: HookInput): undefined {
  const memory = ownMemoryOf(input);
  const isCleared = input.reason === 'clear' && input.claudePid !== '';
  const isKnown = savedProgress(memory, input.sessionId) !== undefined;
  if (isCleared && isKnown) rememberCleared(memory, input);
  const saved = saveL1(memory, input, { isOver: true });
  if (isCleared && !isKnown && saved !== undefined) rememberCleared(memory, input);
}

/**
 * So that the session which follows in the same process knows whose work it takes over, however
 * many others run meanwhile.
 */
function rememberCleared(memory: ProjectMemory, { claudePid, sessionId }: HookInput): void {
  updateMemoryIndex(memory, (index) => ({
    ...index,
    cleared: { ...index.cleared, [claudePid]: sessionId },
  }));
}

export const run = hookProgram((input) =>
  input.event === 'SessionEnd' ? onSessionEnd(input) : onWork(input),
);
