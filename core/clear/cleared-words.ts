/**
 * Says what a clear led to and how to go back (K9): the one place that makes these words, for the
 * session, the card, Activity, the notification and the log.
 */
import { type Message, message } from '../messages/message.ts';

/** `briefing`: undefined if the plugin gave the new session none, empty if nothing was known. */
export function outcomeOf(
  { percent }: { percent?: number | undefined },
  briefing: string | undefined,
): Message {
  if (briefing === undefined) return message('clear.notRestored');
  if (briefing === '') return message('clear.nothingToRestore');
  const characters = briefing.length;
  return percent === undefined
    ? message('clear.restored', { characters })
    : message('clear.restoredAt', { percent, characters });
}

/** `session`: the one that was cleared. */
export function withWayBack(outcome: Message | string, session: string): Message {
  return message('clear.wayBack', { outcome, session });
}
