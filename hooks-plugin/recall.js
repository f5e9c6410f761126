/**
 * How the mod asks for notes that matter for a prompt (K7): over a private socket, on which the
 * plugin's own MCP server answers. It is asked only after it has answered once since it last failed,
 * so a server that is slow or gone delays one prompt for a moment, and no more. What the notes are
 * is decided in core/memory/recall. There is no Node in here; register.js holds the calls of `$`.
 */
/** A prompt waits no longer. */
export const RECALL_MS = 150;
/** To bring all up to date may take long the first time. */
export const READY_MS = 10_000;
/** The server starts beside the session. */
export const RETRY_MS = 1000;
export const RETRIES = 5;
/** A Claude Code that does not know sockets asks a port of this machine where nobody listens. */
export const RECALL_URL = 'http://127.0.0.1:1/';

/** What a prompt is about stands in its beginning, or behind what was pasted. */
const [HEAD_CHARS, TAIL_CHARS] = [3000, 1000];
const MAX_TEXT_CHARS = 10_000;
const BEGINNING = '<remembered-notes ';

let socket = '';
/** The session that the server is ready for. */
let readySession = '';
/** When a session was compacted last, as far as this process has seen it. */
let compaction = { sessionId: '', at: undefined };
/** The number of the last notes that a prompt has got. */
let given;

export function setSocket(path) {
  if (typeof path !== 'string') return;
  socket = path;
  if (path === '') readySession = '';
}

export function noteStart({ session_id: sessionId, source }) {
  if (source === 'compact') compaction = { sessionId, at: new Date().toISOString() };
}

/** What to ask when a session has begun or a turn has ended; undefined if there is nobody to ask. */
export function readyQuestion(sessionId) {
  return socket === '' ? undefined : asked(sessionId, {});
}

export function takeReady(sessionId, { ok, text }) {
  const isReady = ok && JSON.parse(text).isReady === true;
  readySession = isReady ? sessionId : '';
}

/** Undefined if the prompt does without. */
export function promptQuestion({ session_id: sessionId, prompt }) {
  const isWanted = socket !== '' && readySession === sessionId && prompt.trim() !== '';
  // Claude Code's own words.
  if (!isWanted || prompt.startsWith('<')) return undefined;
  const isLong = prompt.length > HEAD_CHARS + TAIL_CHARS;
  const text = isLong ? `${prompt.slice(0, HEAD_CHARS)}\n${prompt.slice(-TAIL_CHARS)}` : prompt;
  return asked(sessionId, { prompt: text });
}

/** The texts that a prompt gets: one or none. */
export function notesFrom(answer) {
  try {
    const { isReady, number, text } = answer.ok ? JSON.parse(answer.text) : {};
    if (isReady !== true) return none();
    const isSound =
      typeof text === 'string' && text.startsWith(BEGINNING) && text.length <= MAX_TEXT_CHARS;
    if (!isSound) return [];
    given = number;
    return [text];
  } catch {
    return none();
  }
}

/** It failed or is late: nobody is asked until it has answered again. */
export function none() {
  readySession = '';
  return [];
}

function asked(sessionId, question) {
  const compactedAt = compaction.sessionId === sessionId ? compaction.at : undefined;
  const body = JSON.stringify({ session: sessionId, compactedAt, given, ...question });
  return { method: 'POST', body, socketPath: socket };
}
