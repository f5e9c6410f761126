/**
 * For places whose prompt box cannot be read: the desktop, and consoles that do not give their
 * screen. `/clear` may meet a draft there, so a guard stands until the outcome is known, and the
 * prompt hook keeps any prompt with the typed text from being sent (guard.ts, A5).
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SessionRegistry } from '../../claude/sessions/registry.ts';
import { readBriefing } from '../../memory/restore/briefing-file.ts';
import { type Message, message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import {
  type ClearTarget,
  type Delivery,
  type DeliveryTools,
  FIXED_TEXTS,
  untouched,
} from './driver.ts';
import { lowerGuard, raiseGuard, takeBlockedPrompt } from './guard.ts';
import { poll } from './poll.ts';
import { KEYS, type Sent } from './typed-delivery.ts';

/** The CLI takes letters and an Enter that come together for a paste. */
export const SETTLE_MS = 400;
const OUTCOME = { timeoutMs: 15_000, intervalMs: 50 };
const MAX_SETTINGS_BYTES = 16 * 1024 * 1024;
const TEXT = FIXED_TEXTS.clear;

/** In vim's NORMAL mode letters are commands; a paste is a paste in every mode. */
export function usesVimKeys({ claude }: Places): boolean {
  const names = ['settings.json', '.claude.json', '../.claude.json'];
  return names.some((name) => {
    const file = readSmallFile(join(claude, name), MAX_SETTINGS_BYTES);
    return file.state === 'ok' && /"editorMode"\s*:\s*"vim"/.test(file.text);
  });
}

/** Why no guard would stand: the plugin, whose hook is the guard, is not in the session. */
export function noGuardReason(places: Places, sessionId: string): Message | undefined {
  return readBriefing(places, sessionId) === undefined
    ? message('driver.desktopNoPlugin')
    : undefined;
}

/** Waits until the session is another one, or the hook has blocked a prompt: then its words. */
export async function blockedPrompt(
  { places }: Pick<DeliveryTools, 'places'>,
  target: ClearTarget,
): Promise<string | undefined> {
  const registry = new SessionRegistry(places.claude);
  const read = async () => {
    const { sessions } = await registry.read();
    const blocked = takeBlockedPrompt(places, target);
    const now = sessions.find((session) => session.pid === target.pid);
    const isCleared = now !== undefined && now.sessionId !== target.sessionId;
    return { blocked, isKnown: isCleared || blocked !== undefined };
  };
  const { blocked, isKnown } = await poll(read, (outcome) => outcome.isKnown, OUTCOME);
  if (isKnown) lowerGuard(places, target);
  return blocked;
}

/** The user's own words of a prompt that was blocked. */
export function wordsBeside(prompt: string): string {
  return prompt.endsWith(TEXT) ? prompt.slice(0, -TEXT.length) : prompt;
}

type Send = (keys: string) => Promise<Sent>;

export async function typeGuarded(
  tools: DeliveryTools,
  target: ClearTarget,
  send: Send,
): Promise<Delivery> {
  const { places } = tools;
  const refusal = (await tools.refusal(target)) ?? noGuardReason(places, target.sessionId);
  if (refusal !== undefined) return untouched(refusal);
  if (usesVimKeys(places)) return untouched(message('driver.consoleVim'));
  if (!attempt(() => raiseGuard(places, target, TEXT) ?? true, false))
    return untouched(message('driver.noGuard'));
  const typed = await typeKeys(tools, target, send);
  if (typed.failure === undefined) {
    const blocked = await blockedPrompt(tools, target);
    if (blocked === undefined) return { done: true };
    const reason = message('driver.otherWordsInHistory', { words: wordsBeside(blocked) });
    return { done: false, reason, touched: true };
  }
  // Once Enter may have arrived, the guard stands until it expires.
  if (!typed.isEntered) lowerGuard(places, target);
  if (!typed.isTouched) return untouched(typed.failure);
  const reason = message('driver.leftMaybeDraft', { reason: typed.failure });
  return { done: false, reason, touched: true };
}

/**
 * Escape after the stash: in shell mode, which a stash may not end, `/clear` would be run by the
 * shell. Escape also closes what hides the box: the transcript, the search, the rewind dialog.
 */
async function typeKeys(tools: DeliveryTools, target: ClearTarget, send: Send) {
  let isTouched = false;
  for (const keys of [KEYS.stash, KEYS.escape, TEXT, KEYS.enter]) {
    const isEntered = keys === KEYS.enter;
    if (isTouched) await sleep(SETTLE_MS);
    const failure = await tools.refusal(target);
    if (failure !== undefined) return { failure, isTouched, isEntered: false };
    const sent = await send(keys);
    isTouched = true; // even a failed attempt may have had an effect
    if (!sent.ok) return { failure: sent.reason, isTouched, isEntered };
  }
  return { failure: undefined, isTouched, isEntered: true };
}
