/**
 * The messages of core for every host, the window included: what happened, and its text in the
 * user's language.
 */
export { waitingForMessage } from '../clear/delivery/waiting-for.ts';
export { renderMessage } from '../messages/all-messages.ts';
export { ExpectedError, isExpected, messageOf } from '../messages/expected-error.ts';
export { languageFrom } from '../messages/language.ts';
export { type Message, type MessageCode, type MessageValue, message } from '../messages/message.ts';
