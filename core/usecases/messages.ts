/**
 * What hosts need to make and show messages (G6). The window bundles this file, so nothing behind it
 * may import from Node.
 */
export { compactionBy } from '../claude/context/compaction-words.ts';
export { withWayBack } from '../clear/cleared-words.ts';
export { waitingForMessage } from '../clear/delivery/refusal.ts';
export { renderMessage } from '../messages/all-messages.ts';
export { ExpectedError, isExpected, messageOf } from '../messages/expected-error.ts';
export { type Message, type MessageCode, type MessageValue, message } from '../messages/message.ts';
export { shortTokens } from '../messages/short-tokens.ts';
