/**
 * The mod driver (A4): no key is sent, no window is focused, a draft stays where it is. Writes a
 * request to `asks/<pid>-<sessionId>.json`; the mod inside Claude Code polls for it and answers in
 * a file beside it. The mod ignores a request that has expired, so another driver may be tried.
 */
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { briefedAt } from '../../memory/restore/briefing-file.ts';
import { asMessage, message, StoredMessage } from '../../messages/message.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { removeFile, removeFilesOlderThan } from '../../platform/store/file-changes.ts';
import { randomHex } from '../../platform/store/owner.ts';
import type { Places } from '../../platform/store/places.ts';
import { readOwnFile } from '../../platform/store/read-file.ts';
import { modMark } from '../../projects/mod-presence.ts';
import { type ClearTarget, FIXED_TEXTS, type MakeDriver, untouched } from './driver.ts';
import { parseAs } from './parse-as.ts';
import { poll } from './poll.ts';

/** The mod polls once a second, and more often when a clear is near. */
const REQUEST_EXPIRES_MS = 4000;
/** Between the mod's last check of the clock and its act. */
const MARGIN_MS = 1000;
const DELIVERY_TIMEOUT_MS = 20_000;
/** A model may write the summary, if nobody else does. */
const COMPACTION_TIMEOUT_MS = 5 * 60_000;
const POLL_INTERVAL_MS = 15;
const KEEP_MS = 24 * 60 * 60 * 1000;
const MAX_ANSWER_BYTES = 1024 * 1024;

const Answer = v.object({
  id: v.string(),
  state: v.picklist(['taken', 'done', 'failed']),
  reason: v.fallback(v.optional(StoredMessage), undefined),
  text: v.fallback(v.optional(v.string()), undefined),
  usage: v.fallback(v.optional(v.object({ input: v.number(), output: v.number() })), undefined),
});

type Answer = v.InferOutput<typeof Answer>;

type ModRequest =
  | { action: 'clear' | 'compact' | 'continue' }
  | { action: 'summarise'; prompt: string }
  | { action: 'tell'; text: string };

const ACTIONS = {
  [FIXED_TEXTS.clear]: 'clear',
  [FIXED_TEXTS.compact]: 'compact',
  [FIXED_TEXTS.continue]: 'continue',
} as const;

/** `heard` false: the mod has not acted on the request, and will not. */
type ModReply = { heard: false } | { heard: true; answer: Answer | undefined };

/** The start of a request's path; the session's id follows, which two processes may share. */
export function modRequestPrefix(places: Places, pid: number): string {
  return join(places.home, 'asks', `${pid}-`);
}

export const modDriver: MakeDriver = ({ places, refusal }) => ({
  name: 'mod',

  async certainty(target) {
    if (!isModIn(places, target)) return { certain: false, why: message('driver.modNotSeen') };
    return { certain: true, how: message('driver.modHow') };
  },

  async deliver(target, text) {
    const refused = await refusal(target);
    if (refused !== undefined) return untouched(refused);
    const action = ACTIONS[text];
    const timeoutMs = action === 'compact' ? COMPACTION_TIMEOUT_MS : DELIVERY_TIMEOUT_MS;
    const reply = await askMod(places, target, { action }, timeoutMs);
    if (!reply.heard) return untouched(message('driver.modSilent'));
    const { answer } = reply;
    if (answer?.state === 'done') return { done: true };
    const reason = asMessage(answer?.reason ?? message('driver.modUnconfirmed'));
    return { done: false, reason, touched: answer?.state !== 'failed' };
  },
});

/** Whether the mod was seen in this very process, as far as the system can tell. */
export function isModIn(places: Places, { pid, processStart }: ClearTarget): boolean {
  const mark = modMark(places, String(pid));
  return mark === '' || mark === processStart;
}

/** Whether the plugin is at work in a session: without it, nothing is restored after a clear (M13). */
export function hasPlugin(places: Places, session: ClearTarget): boolean {
  return isModIn(places, session) || briefedAt(places, session.sessionId) !== undefined;
}

/** Sends a request to the mod of a session and waits for its answer. */
export async function askMod(
  places: Places,
  { pid, sessionId }: ClearTarget,
  request: ModRequest,
  timeoutMs: number,
): Promise<ModReply> {
  const id = randomHex(16);
  const path = `${modRequestPrefix(places, pid)}${sessionId}.json`;
  const answerPath = `${modRequestPrefix(places, pid)}${sessionId}.answer.json`;
  const at = Date.now();
  const until = at + REQUEST_EXPIRES_MS;
  writeFileAtomic(path, JSON.stringify({ id, at, until, ...request }), { durable: false });
  removeFilesOlderThan(dirname(path), KEEP_MS); // answers that came too late
  const readAnswer = () => {
    const file = readOwnFile(answerPath, MAX_ANSWER_BYTES);
    const answer = file.state === 'ok' ? parseAs(Answer, file.text) : undefined;
    return answer?.id === id ? answer : undefined;
  };
  const waitFor = (isDone: (answer: Answer | undefined) => boolean, limitMs: number) =>
    poll(readAnswer, isDone, { timeoutMs: limitMs, intervalMs: POLL_INTERVAL_MS });
  try {
    const taken = await waitFor((answer) => answer !== undefined, until + MARGIN_MS - Date.now());
    if (taken === undefined) return { heard: false };
    const answer = await waitFor((now) => now !== undefined && now.state !== 'taken', timeoutMs);
    return { heard: true, answer: answer?.state === 'taken' ? undefined : answer };
  } finally {
    for (const file of [path, answerPath]) attempt(() => removeFile(file), undefined);
  }
}
