/** Search over all layers (M17), in one project or in all. */
import * as v from 'valibot';
import { LAYERS } from '../../memory/search/entry-table.ts';
import { line } from '../memory/items.ts';
import { searchProjects } from '../memory/search.ts';
import { count, inThread, project, time } from './method.ts';

export const searchMethods = {
  'search.find': inThread(
    'search',
    {
      words: v.pipe(line, v.trim(), v.minLength(1)),
      /** Without one: all projects. */
      project: v.optional(project),
      layers: v.optional(v.array(v.picklist(LAYERS))),
      session: v.optional(line),
      since: v.optional(time),
      until: v.optional(time),
      count,
    },
    (context, { project: root, ...query }) =>
      searchProjects(
        context.system,
        root === undefined ? undefined : context.memoryOf(root),
        query,
      ),
  ),
};
