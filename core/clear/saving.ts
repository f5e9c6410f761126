/**
 * Saves a session before it is cleared (A2): every word in L1, and a hand-over by the model where
 * the mod can ask it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionStatus } from '../claude/status/session-status.ts';
import { type L1Result, readL1Tail, saveL1 } from '../memory/log/l1-store.ts';
import { readMemoryIndex } from '../memory/log/memory-index.ts';
import { pendingDelta } from '../memory/model/delta.ts';
import { saveHandOver } from '../memory/model/jobs.ts';
import { tokensSpentToday } from '../memory/model/spend.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { asMessage, type Message, message } from '../messages/message.ts';
import type { Places } from '../platform/store/places.ts';
import { projectMemory } from '../projects/project-memory.ts';
import type { Settings } from '../settings/settings.ts';
import type { ClearTarget } from './delivery/driver.ts';
import { askMod } from './delivery/mod.ts';

/** A clear does not wait longer for a summary. */
const SUMMARY_WITHIN_MS = 60_000;

/**
 * Claude Code says that it is idle before its last reply stands in the transcript. One that was
 * interrupted never does.
 */
const REPLY_WITHIN_MS = 2000;
const LOOK_EVERY_MS = 25;

const HAND_OVER_PROMPT = `Write the hand-over for whoever goes on with this work in a fresh session and knows nothing of this conversation.
Plain text, at most 300 words, in the language that the user speaks. Say, each in a few lines and only as far as there is something to say:
what the user wants, what is done, what was decided and why, what is open or broken, and the very next step, with file names.
No passwords, keys or tokens, and nothing of what stands in <private> tags. No greeting, no heading, no remark about this request.`;

/** On disk when this returns, up to the last message; `added` tells how many entries were new. */
export function saveSession(
  places: Places,
  { sessionId, transcript, projectRoot }: SessionStatus,
): L1Result {
  if (transcript === null) throw new ExpectedError(message('clear.noTranscript'));
  const saved = saveL1(projectMemory(places, projectRoot), { sessionId, transcript });
  if (saved === undefined) throw new ExpectedError(message('clear.transcriptUnreadable'));
  return saved;
}

/**
 * The same, with the reply to the last request, if one comes. Gives back how many entries were new.
 */
export async function saveUpToReply(
  places: Places,
  session: SessionStatus,
  withinMs = REPLY_WITHIN_MS,
): Promise<number> {
  let entries = 0;
  for (const giveUpAt = Date.now() + withinMs; ; await sleep(LOOK_EVERY_MS)) {
    const { file, added } = saveSession(places, session);
    entries += added;
    const isAnswered =
      file === '' || (readL1Tail(file).at(-1)?.role ?? 'assistant') === 'assistant';
    if (isAnswered || Date.now() > giveUpAt) return entries;
  }
}

/**
 * Why there is no summary; undefined if there is one. The session's own L1 must be saved before.
 */
export async function summariseSession(
  places: Places,
  settings: Settings,
  { sessionId, projectRoot }: SessionStatus,
  target: ClearTarget,
): Promise<Message | undefined> {
  const work = { places, settings, memory: projectMemory(places, projectRoot) };
  if (!settings.autoClear.summary || settings.models.delta === 'none')
    return message('clear.summariesOff');
  if (tokensSpentToday(places) >= settings.budget.tokensPerDay) return message('clear.budgetSpent');
  if (pendingDelta(work.memory, readMemoryIndex(work.memory)) === undefined)
    return message('clear.nothingNew');
  const asked = await askMod(
    places,
    target,
    { action: 'summarise', prompt: HAND_OVER_PROMPT },
    SUMMARY_WITHIN_MS,
  );
  if (!asked.heard) return message('driver.modSilent');
  const { answer } = asked;
  if (answer?.state !== 'done' || answer.text === undefined)
    return answer?.reason === undefined ? message('clear.modelTooSlow') : asMessage(answer.reason);
  const outcome = saveHandOver(work, sessionId, {
    text: answer.text,
    ...(answer.usage && { usage: answer.usage }),
  });
  return outcome.saved ? undefined : outcome.reason;
}
