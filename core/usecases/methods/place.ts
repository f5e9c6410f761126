/** Where a project's memory lies, and linking it again (M1). */
import * as v from 'valibot';
import { linkMemory, refuseOffer, whereMemoryIs } from '../memory/place.ts';
import { DONE, inThread, project } from './method.ts';

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(4096));

export const placeMethods = {
  'place.where': inThread('memory', { project }, (context, { project: root }) =>
    whereMemoryIs(context.system.places, context.memoryOf(root).root),
  ),
  /** Gives the project the memory of another whose checkout is gone. */
  'place.link': inThread('work', { project, name }, (context, args) =>
    linkMemory(context.system.places, context.memoryOf(args.project).root, args.name),
  ),
  'place.refuse': inThread('memory', { project, name }, (context, args) => {
    refuseOffer(context.system.places, context.memoryOf(args.project).root, args.name);
    return DONE;
  }),
};
