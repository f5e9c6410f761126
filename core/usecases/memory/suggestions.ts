/**
 * The user's decisions about what Claude has suggested (K8): accepting makes it the user's own edit,
 * which can be undone; refusing lets it never come again.
 */
import { EditLog } from '../../memory/edits/edit-log.ts';
import { addFact, forgetFact } from '../../memory/state/edits.ts';
import { readSuggestions, type Suggestion, settle } from '../../memory/suggestions/suggestions.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';

export function acceptSuggestion(memory: ProjectMemory, id: string): Suggestion {
  const wanted = readSuggestions(memory).find((one) => one.id === id);
  if (wanted === undefined) throw new ExpectedError(message('memory.noSuggestion', { id }));
  const { kind, text, fact } = wanted;
  if (kind === 'remember') addFact(memory, new EditLog(memory), 'notes', { content: text });
  // A fact that is gone meanwhile is what was wanted.
  else if (fact !== undefined) forgetFact(memory, fact);
  return settle(memory, id, { isRefused: false });
}

export function refuseSuggestion(memory: ProjectMemory, id: string): Suggestion {
  return settle(memory, id, { isRefused: true });
}
