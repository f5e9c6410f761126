/** Without the idle check: the right process and the right session, whatever they are doing. */
import { refusalNow as checked } from '../../../core/clear/delivery/refusal.ts';

export * from '../../../core/clear/delivery/refusal.ts';

const KEPT = ['clear.processEnded', 'clear.processReplaced', 'clear.sessionReplaced'];

export const refusalNow: typeof checked = async (finder, target) => {
  const reason = await checked(finder, target);
  return reason !== undefined && KEPT.includes(reason.code) ? reason : undefined;
};
