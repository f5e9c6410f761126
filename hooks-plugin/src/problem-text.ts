/**
 * What is wrong, in the user's language: any message of core. The build puts it into a file of its
 * own, because it holds the whole catalogue and a hook loads it only when something is wrong.
 */
export { renderMessage as problemText } from '../../core/messages/all-messages.ts';
