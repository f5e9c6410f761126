/**
 * Stop, PostToolUse, PreCompact and SessionEnd: saves what was said to L1 before anything can lose
 * it (M5), and writes down where that fails (T6). Where no mod runs, it also writes the clear signal at
 * Stop (A1), does due jobs that need no model, and prepares what the next hooks are to say.
 */
import { signalIfDue } from '../../clear/write-signal.ts';
import { type L1Result, saveL1 } from '../../memory/log/l1-store.ts';
import { readWorkMarks, savedProgress, updateMemoryIndex } from '../../memory/log/memory-index.ts';
import { isJobDue } from '../../memory/model/job-due.ts';
import { readSettingsAt, type Settings } from '../../settings/settings.ts';
import { type HookInput, isModRunning } from './hook-input.ts';
import { keepTurn } from './keeping-turn.ts';
import { loadPreparedAnswers } from './loaded-after-reply.ts';
import { loadDueWork } from './loaded-later.ts';
import { beginEnd, readyStart } from './ready-start.ts';
import { saveReply } from './save-reply.ts';
import { readSessionContext } from './session-context.ts';

export async function saveTurn(input: HookInput): Promise<undefined> {
  const { memory, places } = input;
  if (input.event === 'SessionEnd') {
    beginEnd(input);
    keepTurn(input, () => saveEnd(input));
    if (input.reason === 'clear') readyStart(input);
    return;
  }
  keepTurn(input, () => saveReply(input));
  // The mod does the rest where it runs.
  if (isModRunning(input)) return;
  const { settings } = readSettingsAt(places, memory);
  if (input.event === 'Stop') signalThreshold(input, settings);
  if (isJobDue(readWorkMarks(memory), settings.saveInterval))
    (await loadDueWork()).workWithoutModel(input);
  if (input.event === 'Stop') await (await loadPreparedAnswers()).prepareAfterReply(input);
}

function signalThreshold(input: HookInput, settings: Settings): void {
  const { sessionId, claudePid, places } = input;
  const reading = readSessionContext(input, settings);
  if (reading === undefined || claudePid === '') return;
  const { tokens, window } = reading;
  signalIfDue(places, settings.autoClear, { sessionId, pid: Number(claudePid), tokens, window });
}

/** Claude Code ends this hook after 1.5 seconds, so what the next session needs most comes first. */
function saveEnd(input: HookInput): L1Result | undefined {
  const { memory } = input;
  const isCleared = input.reason === 'clear' && input.claudePid !== '';
  const hadEntries = hasEntries(input);
  if (isCleared && hadEntries) rememberCleared(input);
  const saved = saveL1(memory, input, { isOver: true });
  if (isCleared && !hadEntries && hasEntries(input)) rememberCleared(input);
  return saved;
}

/** One in which nothing was said has none: then the session before it is still to be continued. */
function hasEntries({ memory, sessionId }: HookInput): boolean {
  return (savedProgress(memory, sessionId)?.file ?? '') !== '';
}

/** Tells the next session in the same process whose work it takes over (M13). */
function rememberCleared({ memory, claudePid, sessionId }: HookInput): void {
  updateMemoryIndex(memory, (index) => ({
    ...index,
    cleared: { ...index.cleared, [claudePid]: sessionId },
  }));
}
