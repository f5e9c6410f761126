/**
 * Past conversations of all projects on this machine (L1d): what an import would bring, the import,
 * its cancel and its undo. `backfill` events tell the progress.
 */
import * as v from 'valibot';
import {
  cancelImport,
  choiceToGoOn,
  importPast,
  liveSessions,
  preview,
  undoImport,
} from '../memory/backfill.ts';
import { anywhere, DONE, inThread } from './method.ts';

const folders = v.optional(
  v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(4096))), v.maxLength(10_000)),
  [],
);
/** Projects are named by the roots of `backfill.preview`, or by any folder of theirs. */
const choice = {
  only: folders,
  except: folders,
  /** A day or an ISO time: conversations that ended before it are left out. */
  since: v.optional(v.pipe(v.string(), v.maxLength(40))),
};

export const backfillMethods = {
  /** Changes nothing. */
  'backfill.preview': inThread('backfill', choice, async ({ system }, args) =>
    preview(system, args, await liveSessions(system.places)),
  ),
  /** Continues one that was cancelled or killed; `goOn`: with what that was begun with. */
  'backfill.run': inThread(
    'backfill',
    { ...choice, goOn: v.optional(v.boolean(), false) },
    ({ system, listeners, askedAt }, { goOn, ...args }) =>
      importPast(system, goOn ? choiceToGoOn(system.places, args) : args, {
        onProgress: listeners.onBackfill,
        askedAt,
      }),
  ),
  /**
   * Also one that runs in another process; it stops after the session that it is at. One that was
   * asked for and has not begun stops before the first.
   */
  'backfill.cancel': anywhere({}, ({ places }) => {
    cancelImport(places);
    return DONE;
  }),
  /** Takes the newest import back; what was said since stays. */
  'backfill.undo': inThread('backfill', {}, ({ system }) => undoImport(system.places)),
};
