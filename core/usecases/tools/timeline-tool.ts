/** `timeline` (K8): the sessions of the project, or what the user asked in one of them. */
import type * as v from 'valibot';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { firstSentence } from '../../platform/text/sentences.ts';
import { entriesOf } from '../memory/conversation.ts';
import type { SavedSession } from '../memory/session-files.ts';
import type { SessionMemory } from './session-memory.ts';
import { meantBy, saidId, sessionShownId } from './shown-ids.ts';
import type { TimelineArguments } from './tool-arguments.ts';
import { cut, fencedAnswer, inLine, MAX_LIST_CHARS, timeOf } from './tool-text.ts';

const LINE_CHARS = 160;
/** Of one session; what is longer is found by `search`. */
const MAX_ENTRIES = 20_000;

export function timelineTool(
  memory: SessionMemory,
  { session, limit, since, until }: v.InferOutput<typeof TimelineArguments>,
): string {
  if (session !== undefined) return requestsIn(memory, session, limit);
  const all = memory.project.sessions.list();
  const within = all.filter(
    ({ firstAt, lastAt }) =>
      (since === undefined || lastAt >= since) && (until === undefined || firstAt <= until),
  );
  if (within.length === 0) return 'No session is kept of that time.';
  const shown = within.slice(0, limit);
  return fencedAnswer(
    `${shown.length} of ${within.length} sessions, newest first.`,
    shown.map(sessionLine),
    MAX_LIST_CHARS,
    '`timeline` with a session shows what was asked in it.',
  );
}

function sessionLine({ file, firstAt, entries, title }: SavedSession): string {
  return `${sessionShownId(file)} · ${timeOf(firstAt)} · ${entries} entries\n  ${inLine(title, LINE_CHARS)}`;
}

function requestsIn({ project: { sessions } }: SessionMemory, id: string, limit: number): string {
  const meant = meantBy(id);
  const file = sessions.names().find((name) => meant.kind === 'session' && name === meant.session);
  if (file === undefined) throw new ExpectedError(message('tools.noEntry', { id: inLine(id) }));
  const { entries } = entriesOf(sessions, { session: file, from: 0, count: MAX_ENTRIES });
  const requests = entries.filter(({ role }) => role === 'user');
  const shown = requests.slice(-limit);
  const lines = shown.map((entry) => {
    const text = 'text' in entry ? cut(firstSentence(entry.text), LINE_CHARS) : '';
    return `${saidId(file, entry.id)} · ${timeOf(entry.ts)}\n  ${text}`;
  });
  if (lines.length === 0) return 'The user said nothing in that session.';
  return fencedAnswer(
    `The last ${shown.length} of ${requests.length} requests of the user, in order.`,
    lines,
    MAX_LIST_CHARS,
    '`get` with an id shows it with the answer.',
  );
}
