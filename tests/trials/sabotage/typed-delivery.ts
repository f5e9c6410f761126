/** Without the stash: the text is typed onto whatever stands in the box. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { deliverTyped as checked } from '../../../core/clear/delivery/typed-delivery.ts';

export * from '../../../core/clear/delivery/typed-delivery.ts';

const SHOWN_AFTER_MS = 300;

export const deliverTyped: typeof checked = async ({ terminal, text, refusal }) => {
  const reason = await refusal();
  if (reason !== undefined) return { done: false, reason, touched: false };
  await terminal.send(text);
  await sleep(SHOWN_AFTER_MS);
  await terminal.send('\r');
  return { done: true };
};
