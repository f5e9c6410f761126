/**
 * The mod driver (A4): no key is sent, no window is focused, a draft stays where it is. Writes a
 * request to `asks/<pid>-<sessionId>.json`; the mod inside Claude Code polls for it and answers in
 * a file beside it. A request expires; after that the mod ignores it, so another driver may be
 * tried.
 */
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { message, StoredMessage } from '../../messages/message.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import { unlikelyName } from '../../platform/store/owner.ts';
import type { Places } from '../../platform/store/places.ts';
import { removeFile, removeFilesOlderThan } from '../../platform/store/prune.ts';
import { readOwnFile } from '../../platform/store/read-file.ts';
import { modMark } from '../../projects/mod-presence.ts';
import {
  type ClearTarget,
  type Delivery,
  FIXED_TEXTS,
  type FixedText,
  type MakeDriver,
} from './driver.ts';

/** The mod looks once a second, and more often where a clear is near. */
const HEARD_WITHIN_MS = 4000;
/** Between the mod's last look at the clock and its act. */
const MARGIN_MS = 1000;
const DONE_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 15;
const KEEP_MS = 24 * 60 * 60 * 1000;
const MAX_ANSWER_BYTES = 1024 * 1024;

const Answer = v.object({
  id: v.string(),
  state: v.picklist(['taken', 'done', 'failed']),
  reason: v.fallback(v.optional(StoredMessage), undefined),
  failure: v.fallback(v.optional(v.string()), undefined),
  text: v.fallback(v.optional(v.string()), undefined),
  usage: v.fallback(v.optional(v.object({ input: v.number(), output: v.number() })), undefined),
});

type Answer = v.InferOutput<typeof Answer>;

type Ask =
  | { action: 'clear' | 'continue' }
  | { action: 'summarise'; prompt: string }
  | { action: 'tell'; text: string };

/** `heard` false: nobody acted on it, and nobody will. */
type Asked = { heard: false } | { heard: true; answer: Answer | undefined };

/**
 * How the names of a process's asks begin; the session's id follows. Two processes may have the
 * same session resumed.
 */
export function asksOf(places: Places, pid: number): string {
  return join(places.home, 'asks', `${pid}-`);
}

export const modDriver: MakeDriver = ({ places, refusal }) => ({
  name: 'mod',

  async certainty(target) {
    if (!isModIn(places, target)) return { certain: false, why: message('driver.modNotSeen') };
    return { certain: true, how: message('driver.modHow') };
  },

  async deliver(target, text) {
    const reason = await refusal(target);
    if (reason !== undefined) return { done: false, reason, touched: false };
    return deliveryFrom(await askMod(places, target, askFor(text), DONE_WITHIN_MS));
  },
});

/**
 * Whether the mod has been at work in this very process, as far as the system can tell it from an
 * earlier one with its number.
 */
export function isModIn(places: Places, { pid, processStart }: ClearTarget): boolean {
  const mark = modMark(places, String(pid));
  return mark === '' || mark === processStart;
}

function askFor(text: FixedText): Ask {
  return { action: text === FIXED_TEXTS.clear ? 'clear' : 'continue' };
}

function deliveryFrom(asked: Asked): Delivery {
  if (!asked.heard) return { done: false, reason: message('driver.modSilent'), touched: false };
  if (asked.answer?.state === 'done') return { done: true };
  const said = asked.answer?.reason ?? message('driver.modUnconfirmed');
  const reason = typeof said === 'string' ? message('system.words', { words: said }) : said;
  return { done: false, reason, touched: asked.answer?.state !== 'failed' };
}

/** Puts a question to the mod of a session and waits for what it says. */
export async function askMod(
  places: Places,
  { pid, sessionId }: ClearTarget,
  ask: Ask,
  doneWithinMs: number,
): Promise<Asked> {
  const id = unlikelyName(16);
  const path = `${asksOf(places, pid)}${sessionId}.json`;
  const answerPath = `${asksOf(places, pid)}${sessionId}.answer.json`;
  const at = Date.now();
  const until = at + HEARD_WITHIN_MS;
  writeFileAtomic(path, JSON.stringify({ id, at, until, ...ask }), { durable: false });
  removeFilesOlderThan(dirname(path), KEEP_MS); // answers that came too late
  try {
    const taken = await waitForAnswer(answerPath, id, until + MARGIN_MS, () => true);
    if (taken === undefined) return { heard: false };
    const answer = await waitForAnswer(
      answerPath,
      id,
      Date.now() + doneWithinMs,
      ({ state }) => state !== 'taken',
    );
    return { heard: true, answer };
  } finally {
    for (const file of [path, answerPath]) attempt(() => removeFile(file), undefined);
  }
}

async function waitForAnswer(
  path: string,
  id: string,
  giveUpAt: number,
  isEnough: (answer: Answer) => boolean,
): Promise<Answer | undefined> {
  for (;;) {
    const file = readOwnFile(path, MAX_ANSWER_BYTES);
    const parsed = v.safeParse(Answer, file.state === 'ok' ? parseJson(file.text) : undefined);
    if (parsed.success && parsed.output.id === id && isEnough(parsed.output)) return parsed.output;
    if (Date.now() > giveUpAt) return undefined;
    await sleep(LOOK_EVERY_MS);
  }
}
