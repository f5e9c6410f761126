/**
 * What an edit is about, as people name it (M19): "issue i004" and not where it stands in which
 * file.
 */
import { WHOLE } from './document-edits.ts';
import type { EditEvent } from './journal.ts';

const KINDS: Record<string, string> = {
  decisions: 'decision',
  patterns: 'pattern',
  issues: 'issue',
  notes: 'note',
  'permanent.rules': 'rule',
  'permanent.solutions': 'solution',
  'permanent.core_logic': 'core logic',
  concepts: 'concept',
};

export function editedThing({
  document,
  part,
  id,
}: Pick<EditEvent, 'document' | 'part' | 'id'>): string {
  const kind = KINDS[part];
  if (document !== 'memory' && kind !== undefined && id !== '') return `${kind} ${id}`;
  const place = [part === WHOLE ? '' : part, id].filter((word) => word !== '');
  return [`${document}.${document === 'memory' ? 'md' : 'json'}`, ...place].join(', ');
}
