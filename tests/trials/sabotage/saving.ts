/** Without the save. */
import type {
  saveSession as saved,
  summariseSession as summarised,
  saveUpToReply as upToReply,
} from '../../../core/clear/saving.ts';

export * from '../../../core/clear/saving.ts';

export const saveSession: typeof saved = () => ({ file: '', bytes: 0, added: 0 });

export const saveUpToReply: typeof upToReply = async () => 0;

export const summariseSession: typeof summarised = async () => ({
  code: 'clear.nothingNew',
});
