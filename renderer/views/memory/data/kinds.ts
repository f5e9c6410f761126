/** The kinds of facts and what people call them. */
import type { FactPart } from '../../../../core/usecases/contract.ts';
import { t } from '../../../locale/locale.ts';

export type Scope = 'facts' | 'permanent';

export const PARTS: Record<Scope, readonly FactPart[]> = {
  facts: ['decisions', 'patterns', 'issues', 'notes'],
  permanent: ['permanent.rules', 'permanent.solutions', 'permanent.core_logic'],
};

export function isFactPart(part: string): part is FactPart {
  return PARTS.facts.includes(part as FactPart) || PARTS.permanent.includes(part as FactPart);
}

/** One of them: "Decision". */
export function kindName(part: FactPart): string {
  return t(`memory.kind_${kindKey(part)}`);
}

/** All of them: "Decisions". */
export function kindsName(part: FactPart): string {
  return t(`memory.kinds_${kindKey(part)}`);
}

type KindKey = 'decisions' | 'patterns' | 'issues' | 'notes' | 'rules' | 'solutions' | 'core_logic';

function kindKey(part: FactPart): KindKey {
  return part.replace('permanent.', '') as KindKey;
}
