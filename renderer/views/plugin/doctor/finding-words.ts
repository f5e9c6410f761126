/** Findings of the doctor for a person in front of the window (G4): what needs them first. */
import type { Finding, FindingState } from '../../../../core/doctor/finding.ts';
import type { Message } from '../../../../core/usecases/messages.ts';
import { t } from '../../../locale/locale.ts';
import { messageText } from '../../../locale/message-text.ts';
import { shortPaths } from '../../../locale/short-path.ts';

const ORDER: readonly FindingState[] = ['problem', 'notice', 'unknown', 'well'];

/** In the user's language, with paths as people write them. */
export function doctorText(said: Message, ourHome: string | undefined): string {
  return shortPaths(messageText(said), ourHome);
}

/** Within a state they stay in the doctor's order: what other things depend on comes first. */
export function byUrgency(findings: readonly Finding[]): Finding[] {
  return ORDER.flatMap((state) => findings.filter((finding) => finding.state === state));
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
