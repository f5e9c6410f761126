/** After how many days Claude Code deletes transcripts (L1d), from its own settings. */
import { join } from 'node:path';
import { parseJson } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { isRecord, numberAt } from '../../platform/text/json.ts';

export interface TranscriptDays {
  days: number;
  /** The user has not set another number. */
  isDefault: boolean;
}

const DEFAULT_DAYS = 30;
const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;

export function transcriptDays({ claude }: Places): TranscriptDays {
  const file = readSmallFile(join(claude, 'settings.json'), MAX_SETTINGS_BYTES);
  const settings = file.state === 'ok' ? parseJson(file.text) : undefined;
  const days = isRecord(settings) ? numberAt(settings, 'cleanupPeriodDays') : undefined;
  return { days: days ?? DEFAULT_DAYS, isDefault: days === undefined };
}
