/** Text that was typed in a window and not saved (M19), kept until it is saved or discarded. */
import * as v from 'valibot';
import { MOST_DRAFTS } from '../live/draft-limits.ts';
import { DRAFT_HOSTS, keepDrafts, openDrafts } from '../live/drafts.ts';
import { anywhere } from './method.ts';

const host = v.picklist(DRAFT_HOSTS);
/** A kind and a path. */
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(8192));

/** Not in a thread: what is typed must not wait behind a search, nor be lost when the host ends. */
export const draftMethods = {
  'drafts.open': anywhere({ host }, ({ places }, args) => openDrafts(places, args.host)),
  'drafts.keep': anywhere(
    {
      host,
      drafts: v.pipe(
        v.array(v.strictObject({ name, value: v.unknown() })),
        v.maxLength(2 * MOST_DRAFTS),
      ),
    },
    ({ places }, args) => ({ unkept: keepDrafts(places, args.host, args.drafts) }),
  ),
};
