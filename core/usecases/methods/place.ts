/** Where a project's memory lies, and linking it again (M1). */
import * as v from 'valibot';
import { linkMemory, refuseOffer, whereMemoryIs } from '../memory/place.ts';
import { DONE, inThread, project } from './method.ts';

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(4096));

export const placeMethods = {
  'place.where': inThread('memory', { project }, ({ system }, { project: root }) =>
    whereMemoryIs(system.places, root),
  ),
  /** Gives the project the memory of another whose checkout is gone. */
  'place.link': inThread('work', { project, name }, ({ system }, { project: root, name: of }) =>
    linkMemory(system.places, root, of),
  ),
  'place.refuse': inThread(
    'memory',
    { project, name },
    ({ system }, { project: root, name: of }) => {
      refuseOffer(system.places, root, of);
      return DONE;
    },
  ),
};
