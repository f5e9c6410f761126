/** What Claude asks the user to keep or to forget (K8): listed, accepted or refused by the user. */
import { readSuggestions } from '../../memory/suggestions/suggestions.ts';
import { itemId } from '../memory/items.ts';
import { acceptSuggestion, refuseSuggestion } from '../memory/suggestions.ts';
import { inThread, project } from './method.ts';

const named = { project, id: itemId };

export const suggestionMethods = {
  'suggestions.list': inThread('memory', { project }, (context, args) =>
    readSuggestions(context.memoryOf(args.project)),
  ),
  'suggestions.accept': inThread('memory', named, (context, args) =>
    acceptSuggestion(context.memoryOf(args.project), args.id),
  ),
  'suggestions.refuse': inThread('memory', named, (context, args) =>
    refuseSuggestion(context.memoryOf(args.project), args.id),
  ),
};
