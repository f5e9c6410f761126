/**
 * Findings of the doctor for a person in front of the window (G4): what needs them first, and no
 * commands that a button stands for.
 */
import type { Finding, FindingState } from '../../../../core/doctor/finding.ts';
import { fullTime, t } from '../../../locale/locale.ts';
import { messageText } from '../../../locale/message-text.ts';
import { shortPaths } from '../../../locale/short-path.ts';

const ORDER: readonly FindingState[] = ['problem', 'notice', 'unknown', 'well'];
const FIX_COMMAND = /: `memory-keeper doctor --fix [\w-]+`(?=\.)/;

/** In the user's language, with paths and times as people write them. */
export function doctorWords(text: string, ourHome: string | undefined): string {
  return shortPaths(messageText(text), ourHome).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) =>
    fullTime(at),
  );
}

/** Within a state they stay in the doctor's order: what other things depend on comes first. */
export function byUrgency(findings: readonly Finding[]): Finding[] {
  return ORDER.flatMap((state) => findings.filter((finding) => finding.state === state));
}

/** Empty where the button says it all. */
export function mendWords({ mend, fix }: Finding): string {
  if (fix === undefined) return mend;
  const words = mend.replace(FIX_COMMAND, '');
  return words === `${fix.label}.` ? '' : words;
}

export function summaryWords(findings: readonly Finding[]): string {
  const count = (state: FindingState) =>
    findings.filter((finding) => finding.state === state).length;
  return ORDER.map((state) => ({ state, count: count(state) }))
    .filter((part) => part.count > 0)
    .map((part) => t(`plugin.count_${part.state}`, { count: part.count }))
    .join(' · ');
}

/** What the tab counts: what somebody should look at. */
export function worthALook(findings: readonly Finding[] | null): number | undefined {
  const count = findings?.filter(({ state }) => state === 'problem' || state === 'notice').length;
  return count === 0 ? undefined : count;
}
