/**
 * The desktop driver cannot read the prompt box, so `/clear` could be appended to a draft and sent
 * with it. While a guard file exists, the prompt hook blocks such a prompt and saves its text, so
 * that it can be returned to the user (A5).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { removeFile } from '../../platform/store/prune.ts';

/** Longer than any delivery. It only matters if whoever raised it has ended before lowering it. */
const STANDS_MS = 60_000;

interface Guarded {
  sessionId: string;
  pid: number;
}

export function raiseGuard(places: Places, { pid, sessionId }: Guarded, text: string): void {
  // of a delivery that ended before it could take them; they stand in the CLI's history
  removeFile(wordsPath(places, pid));
  writeFileAtomic(
    guardPath(places, pid),
    JSON.stringify({ sessionId, text, until: Date.now() + STANDS_MS }),
    { durable: false },
  );
}

export function lowerGuard(places: Places, { pid }: Pick<Guarded, 'pid'>): void {
  removeFile(guardPath(places, pid));
}

/** Asked for every prompt, so it costs one look while no guard stands. */
export function guardedPrompt(places: Places, claudePid: string, prompt: string): boolean {
  const path = guardPath(places, claudePid);
  if (claudePid === '' || !existsSync(path)) return false;
  const guard = attempt(() => JSON.parse(readFileSync(path, 'utf8')), undefined); // lowered just now
  const left = guard?.until - Date.now(); // more than it ever stands: the clock was set back
  return (
    typeof guard?.text === 'string' &&
    guard.text !== '' &&
    left > 0 &&
    left <= STANDS_MS &&
    prompt.includes(guard.text)
  );
}

/** Words that were held back, for whoever is typing. */
export function keepBlockedPrompt(places: Places, claudePid: string, prompt: string): void {
  writeFileAtomic(wordsPath(places, claudePid), JSON.stringify({ prompt }));
}

export function takeBlockedPrompt(
  places: Places,
  { pid }: Pick<Guarded, 'pid'>,
): string | undefined {
  const path = wordsPath(places, pid);
  if (!existsSync(path)) return undefined;
  const kept = attempt(() => JSON.parse(readFileSync(path, 'utf8')), undefined);
  removeFile(path);
  return typeof kept?.prompt === 'string' ? kept.prompt : '';
}

function guardPath({ home }: Places, pid: number | string): string {
  return join(home, 'guard', `${pid}.json`);
}

function wordsPath({ home }: Places, pid: number | string): string {
  return join(home, 'guard', `${pid}.words.json`);
}
