/** Names what an edit is about as people do (M19): "issue i004", not a position in a file. */
import { type Message, message } from '../../messages/message.ts';
import type { EditEvent } from '../log/journal.ts';
import { WHOLE } from './document-edits.ts';

const KINDS = {
  decisions: 'edit.decision',
  patterns: 'edit.pattern',
  issues: 'edit.issue',
  notes: 'edit.note',
  'permanent.rules': 'edit.rule',
  'permanent.solutions': 'edit.solution',
  'permanent.core_logic': 'edit.coreLogic',
  concepts: 'edit.concept',
} as const;

export function editedThing({
  document,
  part,
  id,
}: Pick<EditEvent, 'document' | 'part' | 'id'>): Message {
  if (document !== 'memory' && Object.hasOwn(KINDS, part) && id !== '')
    return message(KINDS[part as keyof typeof KINDS], { id });
  const file = `${document}.${document === 'memory' ? 'md' : 'json'}`;
  const names = [file, part === WHOLE ? '' : part, id].filter((name) => name !== '');
  return message('edit.place', { names });
}
