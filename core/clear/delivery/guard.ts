/**
 * The desktop driver cannot read the prompt box, so `/clear` could be sent together with a draft.
 * While a guard file exists, the prompt hook blocks such a prompt and saves it for the user (A5).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import type { Places } from '../../platform/store/places.ts';
import type { ClearTarget } from './driver.ts';

/** Longer than any delivery. Matters only if the driver ended before it could lower its guard. */
const MAX_AGE_MS = 60_000;

type Process = Pick<ClearTarget, 'pid'>;

export const guardPath = ({ home }: Places, pid: number | string) =>
  join(home, 'guard', `${pid}.json`);
const blockedPath = ({ home }: Places, pid: number | string) =>
  join(home, 'guard', `${pid}.words.json`);

export function raiseGuard(
  places: Places,
  { pid, sessionId }: Pick<ClearTarget, 'pid' | 'sessionId'>,
  text: string,
): void {
  // Left by a delivery that ended too early; the text is in the CLI's history.
  removeFile(blockedPath(places, pid));
  const guard = { sessionId, text, until: Date.now() + MAX_AGE_MS };
  writeFileAtomic(guardPath(places, pid), JSON.stringify(guard), { durable: false });
}

export function lowerGuard(places: Places, { pid }: Process): void {
  removeFile(guardPath(places, pid));
}

/** Called for every prompt, so it costs one system call while no guard stands. */
export function isPromptGuarded(places: Places, claudePid: string, prompt: string): boolean {
  const path = guardPath(places, claudePid);
  if (claudePid === '' || !existsSync(path)) return false;
  const guard = attempt(() => JSON.parse(readFileSync(path, 'utf8')), undefined); // lowered just now
  const leftMs = guard?.until - Date.now();
  const isCurrent = leftMs > 0 && leftMs <= MAX_AGE_MS; // more: the clock was set back
  const text = isCurrent && typeof guard.text === 'string' ? guard.text : '';
  return text !== '' && prompt.includes(text);
}

export function saveBlockedPrompt(places: Places, claudePid: string, prompt: string): void {
  writeFileAtomic(blockedPath(places, claudePid), JSON.stringify({ prompt }));
}

/** Empty if a prompt was blocked but its text cannot be read. */
export function takeBlockedPrompt(places: Places, { pid }: Process): string | undefined {
  const path = blockedPath(places, pid);
  if (!existsSync(path)) return undefined;
  const blocked = attempt(() => JSON.parse(readFileSync(path, 'utf8')), undefined);
  removeFile(path);
  return typeof blocked?.prompt === 'string' ? blocked.prompt : '';
}
