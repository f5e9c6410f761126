/**
 * Memory Keeper as the compactor (K4), inside Claude Code: when it is about to compact a session, the
 * mod answers with the briefing and the newest messages, at once and without a model. Whatever is in
 * doubt, Claude Code's own compaction runs. What the text says is decided in
 * core/usecases/hooks/compaction.ts. There is no Node in here; everything goes through `$`.
 */
/** How the text begins; no other text in the user's role does. */
const BEGINNING = '[MEMORY KEEPER] ';
/** `restore.maxChars` is at most 40,000; a longer text is none of ours. */
const MAX_TEXT_CHARS = 60_000;
const MIN_TEXT_CHARS = 100;
/** Of the newest messages, which are kept as they are. */
const MAX_KEPT_CHARS = 16_000;
const MAX_KEPT_MESSAGES = 30;
/** A short conversation is compacted too. */
const KEPT_SHARE = 0.25;
const NO_MESSAGE = { role: 'user', text: '', toolUses: [], toolResults: [] };

/** Where programs prepare texts; unknown until the first one has said so. */
let preparedFolder = '';
/** What the hooks before the compaction under way said; undefined until they have run. */
let hooksBefore;
/** The session whose compaction the mod answered last: it has its briefing. */
let answeredSession = '';

export function setPreparedFolder(folder) {
  if (typeof folder === 'string') preparedFolder = folder;
}

/** What was prepared for a session after its last turn; empty while nobody knows where. */
export function preparedPath(sessionId) {
  return preparedFolder === '' ? '' : `${preparedFolder}/${sessionId}.compact.json`;
}

/** What the program is told of a compaction. */
export function compactionInput({ trigger, instructions, messages }, { sessionId, root }) {
  const characters = conversationSize(messages);
  return { sessionId, root, trigger, instructions, characters };
}

/** Whether a session that starts after a compaction has been given its briefing in it. */
export function takeAnswered({ session_id: sessionId, source }) {
  const isAnswered = source === 'compact' && sessionId === answeredSession;
  answeredSession = '';
  return isAnswered;
}

/**
 * A result of a program or a prepared file: its text if it is sound and of this session, null if
 * Claude Code shall compact in its own way, undefined if it is of no use.
 */
export function readText(json, sessionId) {
  try {
    const { sessionId: of, text, isDeclined } = JSON.parse(json);
    if (isDeclined === true) return null;
    const isSound =
      of === sessionId &&
      typeof text === 'string' &&
      text.startsWith(BEGINNING) &&
      text.length >= MIN_TEXT_CHARS &&
      text.length <= MAX_TEXT_CHARS;
    return isSound ? text : undefined;
  } catch {
    return undefined;
  }
}

function sizeOf({ text = '', toolUses = [], toolResults = [] }) {
  const calls = toolUses.reduce((sum, { input }) => sum + JSON.stringify(input ?? '').length, 0);
  return toolResults.reduce((sum, result) => sum + (result.text ?? '').length, text.length + calls);
}

function conversationSize(messages) {
  return messages.reduce((sum, message) => sum + sizeOf(message), 0);
}

const hasResults = ({ toolResults = [] }) => toolResults.length > 0;
const hasCalls = ({ toolUses = [] }) => toolUses.length > 0;
/** Claude's thinking has neither text nor calls. */
const isThinking = (message) =>
  message.role === 'assistant' && (message.text ?? '') === '' && !hasCalls(message);

/**
 * The newest messages, as they are. They begin with a prompt or with the beginning of a reply: the
 * API takes no result without its call, and no call without the thinking before it. None if nothing
 * fits: the briefing tells the last steps too.
 */
export function newestMessages(messages, maxChars = MAX_KEPT_CHARS) {
  const hasThinking = messages.some(isThinking);
  const isBeginning = (message, at) => {
    if (message.role === 'user') return !hasResults(message);
    const isFirst = messages[at - 1]?.role === 'user';
    return isFirst && (!hasCalls(message) || !hasThinking);
  };
  let left = Math.min(maxChars, Math.floor(conversationSize(messages) * KEPT_SHARE));
  let from = messages.length;
  for (let at = messages.length - 1; at >= 0 && messages.length - at <= MAX_KEPT_MESSAGES; at--) {
    const message = messages[at];
    left -= sizeOf(message);
    // What stood in place of an earlier conversation is part of the new briefing.
    if (left < 0 || (message.role === 'user' && (message.text ?? '').startsWith(BEGINNING))) break;
    if (isBeginning(message, at)) from = at;
  }
  return messages.slice(from);
}

/** Notes that the hooks of everyone who is asked before a compaction have run, and what they say. */
export async function beforeCompact(_, e, next) {
  const result = await next(e);
  hooksBefore = { block: result?.block };
  return result;
}

/**
 * Everyone else's hooks run before it, and may forbid it. Claude Code runs them for any conversation,
 * also for one that is too short to be compacted: that is what it is handed, so that it asks no model.
 */
export async function answerWith(text, { e, next, sessionId, onAnswered }) {
  hooksBefore = undefined;
  try {
    const result = await next({ ...e, messages: [NO_MESSAGE] });
    if (result?.skip !== undefined) return result;
  } catch (error) {
    if (next.signal?.aborted) throw error; // the user pressed Esc
    if (hooksBefore === undefined) return next(e);
    if (hooksBefore.block !== undefined) return { skip: hooksBefore.block };
  }
  answeredSession = sessionId;
  onAnswered();
  return { messages: [{ ...NO_MESSAGE, text }, ...newestMessages(e.messages)] };
}

/** What the user sees of it: its first line. Claude Code shows the rest on ctrl+o. */
export function shownText({ text, isExpanded }) {
  const isOurs = text.startsWith(BEGINNING) && text.includes('<remembered-notes ');
  return isOurs && !isExpanded ? text.slice(0, text.indexOf('\n')) : text;
}
