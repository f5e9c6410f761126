/**
 * Says what went wrong in a trial, from what was seen of it alone: keys, registry, requests, L1,
 * boxes. Nothing that Memory Keeper tells is asked.
 */
import { FIXED_TEXTS } from '../../core/clear/delivery/driver.ts';
import type { RecordedRequest } from '../bed/mock-api.ts';
import { type Conversation, typedTexts } from './conversation.ts';
import type { TrialPlan } from './plan.ts';
import type { TrialSession } from './trial-session.ts';
import type { Clear } from './witness.ts';

/**
 * Between the last look at a session and a key of ours lies a call of tmux; what the user does in
 * this time nobody can know. Such keys are counted and told, and what they do is judged like all
 * others.
 */
const REACTION_MS = 300;

export interface Verdict {
  wrongTargets: string[];
  keysOutsideIdle: string[];
  draftsLost: string[];
  unsavedClears: string[];
  /** What reached the model or the shell and was not sent by the user. */
  sent: string[];
  /** Keys that were sent just after the session stopped being idle. */
  near: string[];
}

export function emptyVerdict(): Verdict {
  return {
    wrongTargets: [],
    keysOutsideIdle: [],
    draftsLost: [],
    unsavedClears: [],
    sent: [],
    near: [],
  };
}

export function failuresOf({ near: _, ...verdict }: Verdict): string[] {
  return Object.entries(verdict).flatMap(([kind, failures]) =>
    failures.map((failure: string) => `${kind}: ${failure}`),
  );
}

/** Who may be cleared, and when the test did it by hand. */
export interface Allowed {
  isMeant: boolean;
  ownClears: readonly string[];
}

export function judgeSession(
  session: TrialSession,
  allowed: Allowed,
  talk: Conversation,
  verdict: Verdict,
): void {
  const { trace, name } = session;
  const keys = trace.foreign.map(({ key }) => key).join(' ');
  if (!allowed.isMeant && keys !== '')
    verdict.wrongTargets.push(`${name} was not meant and got the keys ${keys}`);
  if (trace.ownKeys !== session.sentKeys)
    verdict.wrongTargets.push(
      `${name} got ${trace.ownKeys - session.sentKeys} keys in a way that nobody uses`,
    );
  for (const { key, at } of trace.foreign) {
    const late = trace.notIdleFor(at);
    if (late > REACTION_MS)
      verdict.keysOutsideIdle.push(
        `${name} got ${key} when it had not been idle for ${Math.round(late)} ms`,
      );
    else if (late > 0)
      verdict.near.push(`${name} got ${key} ${Math.round(late)} ms after it stopped being idle`);
  }
  for (const clear of trace.clears.filter(({ from }) => !allowed.ownClears.includes(from))) {
    if (!allowed.isMeant) verdict.wrongTargets.push(`${name} was not meant and was cleared`);
    judgeClear(session, clear, talk, verdict);
  }
  if (session.hasRunForbidden) verdict.sent.push(`${name} ran a command that nobody had allowed`);
}

function judgeClear(
  { name }: TrialSession,
  clear: Clear,
  talk: Conversation,
  verdict: Verdict,
): void {
  const said = talk.prompts
    .filter(({ sessionId }) => sessionId === clear.from)
    .flatMap((prompt) => prompt.said);
  if (clear.l1 === undefined)
    verdict.unsavedClears.push(`${name} was cleared, and neither a key nor a request was seen`);
  const missing = said.filter((text) => clear.l1?.includes(text) !== true);
  if (missing.length > 0)
    verdict.unsavedClears.push(`${name} was cleared without "${missing.join('", "')}" in L1`);
}

export function judgeDrafts(
  session: TrialSession,
  found: readonly string[],
  verdict: Verdict,
): void {
  const { name, drafts } = session;
  const all = found.map(plain);
  for (const draft of drafts)
    if (!all.some((text) => text.includes(plain(draft))))
      verdict.draftsLost.push(`${name} had "${draft}", and now has ${JSON.stringify(found)}`);
}

/** A line that is too long is broken at a blank. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

export function judgeRequests(
  requests: readonly RecordedRequest[],
  talk: Conversation,
  plan: TrialPlan,
  verdict: Verdict,
): void {
  const mark = new RegExp(`\\bd${plan.seed}t${plan.index}s`);
  for (const request of requests) {
    if (mark.test(JSON.stringify(request.body))) verdict.sent.push('a draft reached the model');
    if ((request.body.tools?.length ?? 0) <= 1) continue;
    for (const text of typedTexts(request))
      if (isOurs(text) || !talk.prompts.some((prompt) => prompt.text === text))
        verdict.sent.push(`"${text.slice(0, 200)}" reached the model`);
  }
}

function isOurs(text: string): boolean {
  return Object.values(FIXED_TEXTS).some((fixed) => text.includes(fixed));
}
