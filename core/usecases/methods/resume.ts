/** Conversations that were cleared, and how to go back to one (K9). Starts nothing itself. */
import * as v from 'valibot';
import { clearedConversations, wayBackTo } from '../../clear/resumable.ts';
import { claudeOnDisk } from '../../plugin/find-claude.ts';
import { inThread, project, sessionId } from './method.ts';

export const resumeMethods = {
  /** Newest first; of all projects if none is named. */
  'resume.list': inThread('activity', { project: v.optional(project) }, (context, args) =>
    clearedConversations(
      context.system.places,
      args.project === undefined ? undefined : [context.memoryOf(args.project)],
    ),
  ),
  'resume.wayBack': inThread('activity', { sessionId }, ({ system: { places } }, args) =>
    wayBackTo(places, args.sessionId),
  ),
  /** Where the `claude` program lies, for a command that starts it. */
  'resume.program': inThread('activity', {}, ({ system: { env } }) => claudeOnDisk(env)),
};
