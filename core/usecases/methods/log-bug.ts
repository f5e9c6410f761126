/** Writes what should not have happened to our own log, freed of secrets (M18). */
import { join } from 'node:path';
import { redact } from '../../memory/redact/redact.ts';
import { appendLog } from '../../platform/store/append-log.ts';
import { attempt } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';

export function logBug(places: Places, where: string, error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  attempt(() => appendLog(join(places.home, 'app.log'), redact(`${where}: ${stack}`)), undefined); // with a full disk nobody is helped by a second error
}
