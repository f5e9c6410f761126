/** `memory suggestions`: what Claude asks to keep or to forget, for the user to decide. */

import type { Suggestion } from '../../../core/memory/suggestions/suggestions.ts';
import { UsageError } from '../../command.ts';
import { localTime, plain } from '../../text.ts';
import type { Action } from './action.ts';

const SEE = 'memory-keeper memory --help';

export const suggestionsAction: Action = {
  name: 'suggestions',
  usage: [
    ['suggestions', 'list what Claude asks to keep or to forget; nothing of it is used by itself'],
    ['suggestions --accept <id> | --refuse <id>', 'do it, or never see it again'],
  ],
  takesWords: true,
  options: ['accept', 'refuse'],
  async run({ engine, project }, [id, ...more], { accept = false, refuse = false }) {
    if (!accept && !refuse) {
      if (id !== undefined) throw new UsageError('To decide, add --accept or --refuse', SEE);
      const suggestions = await engine.call('suggestions.list', { project });
      const lines = suggestions.map(line).join('');
      const how = '\nTo decide: memory-keeper memory suggestions --accept <id>, or --refuse <id>\n';
      return {
        data: { suggestions },
        text: suggestions.length === 0 ? 'Claude suggests nothing.\n' : lines + how,
      };
    }
    if (id === undefined || more.length > 0 || (accept && refuse))
      throw new UsageError('Name one suggestion by its id, such as m001', SEE);
    const method = accept ? 'suggestions.accept' : 'suggestions.refuse';
    const decided = await engine.call(method, { project, id });
    return { data: { decided, isAccepted: accept }, text: outcome(decided, accept) };
  },
};

function line({ id, kind, text, at, fact, reason, support }: Suggestion): string {
  const what = kind === 'remember' ? 'keep' : `forget ${fact ?? ''}`;
  const marks = [localTime(at)];
  if (kind === 'remember') marks.push(support === undefined ? 'unverified' : 'you said it');
  if (reason !== undefined) marks.push(reason);
  const quote = support === undefined ? '' : `        “${plain(support.quote)}”\n`;
  return `  ${id}  ${plain(what)}: ${plain(text)} (${plain(marks.join(', '))})\n${quote}`;
}

function outcome({ kind, text }: Suggestion, isAccepted: boolean): string {
  if (!isAccepted) return `Refused: ${plain(text)}\n`;
  const done = kind === 'remember' ? 'Kept' : 'Removed';
  return `${done}: ${plain(text)}\nTo take it back: memory-keeper memory undo\n`;
}
