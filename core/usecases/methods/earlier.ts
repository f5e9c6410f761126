/** What 0.1.0 left in a project and nothing proves to be the user's (M1, T1): shown, taken over, refused. */
import * as v from 'valibot';
import { ADOPTABLE } from '../../memory/portable/adopt-earlier.ts';
import {
  adoptOffered,
  listEarlier,
  offerAgain,
  previewOffered,
  refuseOffered,
} from '../memory/earlier.ts';
import { DONE, inThread, project } from './method.ts';

/** The folder of one that `earlier.list` has named; others are refused. */
const path = v.pipe(v.string(), v.minLength(1), v.maxLength(4096));
const one = { project, path };

export const earlierMethods = {
  /** First moves what moves by itself. */
  'earlier.list': inThread('work', { project }, (context, args) =>
    listEarlier(context.system, context.memoryOf(args.project)),
  ),
  'earlier.preview': inThread('work', one, (context, args) =>
    previewOffered(context.system, context.memoryOf(args.project), args.path),
  ),
  'earlier.adopt': inThread(
    'work',
    { ...one, parts: v.pipe(v.array(v.picklist(ADOPTABLE)), v.minLength(1)) },
    (context, args) => {
      adoptOffered(context.system, context.memoryOf(args.project), args.path, args.parts);
      return DONE;
    },
  ),
  /** For good: it is not the user's. */
  'earlier.refuse': inThread('work', one, (context, args) => {
    refuseOffered(context.system, context.memoryOf(args.project), args.path);
    return DONE;
  }),
  /** Takes a refusal back. */
  'earlier.offer': inThread('work', one, (context, args) => {
    offerAgain(context.system, context.memoryOf(args.project), args.path);
    return DONE;
  }),
};
