/** What a repository brings (T1, T2): listed for a preview, adopted note by note, or refused. */
import * as v from 'valibot';
import {
  adoptForeignNotes,
  offerForeignNotes,
  refuseForeignNotes,
} from '../../memory/foreign/adopt.ts';
import { listForeignNotes } from '../../memory/foreign/foreign-notes.ts';
import { count, inThread, project } from './method.ts';

const MAX_NAMED = 50_000;
const noteId = v.pipe(v.string(), v.regex(/^[0-9a-f]{1,64}$/));
const named = { project, ids: v.pipe(v.array(noteId), v.minLength(1), v.maxLength(MAX_NAMED)) };

export const foreignMethods = {
  /** `isAll`: also those that were adopted or refused. */
  'foreign.list': inThread(
    'memory',
    { project, isAll: v.optional(v.boolean(), false), count },
    (context, { project: root, ...query }) =>
      listForeignNotes(context.system.places, context.memoryOf(root), query),
  ),
  'foreign.adopt': inThread('memory', named, (context, args) =>
    adoptForeignNotes(context.system.places, context.memoryOf(args.project), args.ids),
  ),
  'foreign.refuse': inThread('memory', named, (context, args) =>
    refuseForeignNotes(context.system.places, context.memoryOf(args.project), args.ids),
  ),
  /** Takes a refusal back. */
  'foreign.offer': inThread('memory', named, (context, args) =>
    offerForeignNotes(context.system.places, context.memoryOf(args.project), args.ids),
  ),
};
