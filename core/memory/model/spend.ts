/**
 * Records what was spent on models, by day and kind, in `spend.json` of our own folder (M16, B11).
 * The daily budget is the user's: ten projects together may not spend more than one.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { type DocumentKind, readDocument, updateDocument } from '../../platform/store/document.ts';
import type { Places } from '../../platform/store/places.ts';
import { dayStamp } from '../../platform/text/stamp.ts';

const Spent = v.looseObject({ calls: v.number(), input: v.number(), output: v.number() });
const SpendFile = v.looseObject({
  days: v.fallback(v.record(v.string(), v.record(v.string(), Spent)), {}),
});

export type Spent = v.InferOutput<typeof Spent>;
type SpendFile = v.InferOutput<typeof SpendFile>;

const KEPT_DAYS = 90;
const spendFile: DocumentKind<SpendFile> = {
  version: 1,
  schema: SpendFile,
  empty: () => ({ days: {} }),
};

function spendPath(places: Places): string {
  return join(places.home, 'spend.json');
}

export function addSpending(
  places: Places,
  kind: string,
  tokens: { input: number; output: number },
): void {
  updateDocument(spendPath(places), spendFile, (file) => {
    const day = dayStamp(new Date());
    const { calls, input, output } = file.days[day]?.[kind] ?? { calls: 0, input: 0, output: 0 };
    const spent = { calls: calls + 1, input: input + tokens.input, output: output + tokens.output };
    const days = Object.entries({
      ...file.days,
      [day]: { ...file.days[day], [kind]: spent },
    }).sort();
    return { ...file, days: Object.fromEntries(days.slice(-KEPT_DAYS)) };
  });
}

/** By kind of work; empty if nothing was spent today. */
export function spentToday(places: Places): Record<string, Spent> {
  const reading = readDocument(spendPath(places), spendFile);
  return reading.state === 'ok' ? (reading.value.days[dayStamp(new Date())] ?? {}) : {};
}

export function tokensSpentToday(places: Places): number {
  const spent = Object.values(spentToday(places));
  return spent.reduce((sum, { input, output }) => sum + input + output, 0);
}
