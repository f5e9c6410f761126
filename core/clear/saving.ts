/**
 * Saves a session before a clear (A2): every word in L1, and where there is a mod a summary by the
 * session's model for memory.md.
 */
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
import { askMod } from './delivery/mod.ts';
import { poll } from './delivery/poll.ts';

/** 1,500 words take a slow model a minute and a half. */
const SUMMARY_TIMEOUT_MS = 120_000;

/** Claude Code reports idle before its last reply is in the transcript. */
const REPLY_TIMEOUT_MS = 2000;
const POLL_INTERVAL_MS = 25;

/** Headings that models know: an answer with others, or with none, is used all the same (K3). */
const HAND_OVER_PROMPT = `Write the hand-over for whoever goes on with this work in a fresh session and knows nothing of this conversation.
Use these headings, and leave out those with nothing to say:
## Goal
What the user wants now, in the user's own words where they matter.
## Constraints
What the user asked to keep to or forbade, at any time, and what the system does not allow.
## Done
What is finished, by file: what was changed in it.
## Decisions
What was decided, each with its reason; also what was tried and given up, and why.
## Open
What fails, with the command and its error; what is half done; questions that wait for an answer.
## Next step
The very next action, with the file and the command.
Headings in English, the text in the language that the user speaks. At most 1,500 words, and fewer where that is enough. Exact names of files, functions, commands and errors.
Where you are not sure, say so. No passwords, keys or tokens, and nothing that the user marked as private.
Call no tool and do not go on with the work: answer with the hand-over alone, without a greeting or a question.`;

/** Everything up to the last message is on disk when this returns. */
export function saveSession(
  places: Places,
  { sessionId, transcript, projectRoot }: SessionStatus,
): L1Result {
  if (transcript === null) throw new ExpectedError(message('clear.noTranscript'));
  const saved = saveL1(projectMemory(places, projectRoot), { sessionId, transcript });
  if (saved === undefined) throw new ExpectedError(message('clear.transcriptUnreadable'));
  return saved;
}

/** Also saves the reply to the last request, if one comes. Returns how many entries were new. */
export async function saveUpToReply(
  places: Places,
  session: SessionStatus,
  timeoutMs = REPLY_TIMEOUT_MS,
): Promise<number> {
  let entries = 0;
  const saveNow = () => {
    const { file, added } = saveSession(places, session);
    entries += added;
    return file === '' || (readL1Tail(file).at(-1)?.role ?? 'assistant') === 'assistant';
  };
  await poll(saveNow, Boolean, { timeoutMs, intervalMs: POLL_INTERVAL_MS });
  return entries;
}

/** Why there is no summary; undefined if there is one. The session must be in L1 already. */
export async function summariseSession(
  places: Places,
  settings: Settings,
  session: SessionStatus,
): Promise<Message | undefined> {
  const work = { places, settings, memory: projectMemory(places, session.projectRoot) };
  if (!settings.autoClear.summary || settings.models.delta === 'none')
    return message('clear.summariesOff');
  if (tokensSpentToday(places) >= settings.budget.tokensPerDay) return message('clear.budgetSpent');
  if (pendingDelta(work.memory, readMemoryIndex(work.memory)) === undefined)
    return message('clear.nothingNew');
  const request = { action: 'summarise', prompt: HAND_OVER_PROMPT } as const;
  const reply = await askMod(places, session, request, SUMMARY_TIMEOUT_MS);
  if (!reply.heard) return message('driver.modSilent');
  const { state, reason, text, usage } = reply.answer ?? {};
  if (state !== 'done' || text === undefined)
    return reason === undefined ? message('clear.modelTooSlow') : asMessage(reason);
  const outcome = saveHandOver(work, session.sessionId, { text, ...(usage && { usage }) });
  return outcome.saved ? undefined : outcome.reason;
}
