/**
 * `remember` and `propose_forget` (K8): what Claude wants kept or gone is written down as a
 * suggestion of Claude's, for the user to decide. A statement counts as verified only if the words
 * of the user that Claude quotes stand in L1 and say it; nobody else is believed.
 */
import type * as v from 'valibot';
import { addActivity } from '../../clear/activity.ts';
import { verifyFact } from '../../memory/l2-facts/l2-verify.ts';
import { redact } from '../../memory/redact/redact.ts';
import { searchMemory } from '../../memory/search/memory-search.ts';
import { type Suggestion, suggest } from '../../memory/suggestions/suggestions.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { around } from '../memory/conversation.ts';
import { hitTarget } from '../memory/hit-target.ts';
import type { SessionMemory } from './session-memory.ts';
import type { ProposeForgetArguments, RememberArguments } from './tool-arguments.ts';
import { inLine } from './tool-text.ts';

/** Among which hits the quote is looked for. */
const MAX_HITS = 20;
const SHOWN_CHARS = 120;
const DECIDE = 'The user decides: memory-keeper memory suggestions';

export function rememberTool(
  memory: SessionMemory,
  { statement, quote }: v.InferOutput<typeof RememberArguments>,
): string {
  const text = redact(statement);
  const support = quote === undefined ? undefined : userWords(memory, text, redact(quote));
  const { suggestion, isNew } = suggest(memory.project.memory, {
    kind: 'remember',
    text,
    ...(support !== undefined && { support }),
  });
  if (isNew) tell(memory, suggestion);
  const state =
    support === undefined
      ? `as your own statement, unverified${quote === undefined ? '' : ': the quote is not what the user said in this project, or does not say this'}`
      : 'as your own statement, verified by the words of the user';
  return `${isNew ? 'Noted' : 'Noted already'} as ${suggestion.id}, ${state}. It is no rule and is not restored by itself. ${DECIDE}`;
}

export function proposeForgetTool(
  memory: SessionMemory,
  { id, reason }: v.InferOutput<typeof ProposeForgetArguments>,
): string {
  const found = memory.project.facts.find(id);
  if (found === undefined)
    throw new ExpectedError(message('tools.noFact', { id: inLine(id, 100) }));
  const { suggestion, isNew } = suggest(memory.project.memory, {
    kind: 'forget',
    text: found.fact.content,
    fact: id,
    reason: redact(reason),
  });
  if (isNew) tell(memory, suggestion);
  return `${isNew ? 'Proposed' : 'Proposed already'} as ${suggestion.id}; ${inLine(id)} stays until the user agrees. ${DECIDE}`;
}

/** The entry of the user's in which the quote stands, if it says the statement. */
function userWords(
  { places, project }: SessionMemory,
  statement: string,
  quote: string,
): Suggestion['support'] {
  const hits = searchMemory(places, project.memory, quote, { layers: ['l1'], limit: MAX_HITS });
  for (const hit of hits) {
    const target = hitTarget(hit);
    if (hit.role !== 'user' || target.kind !== 'entry') continue;
    const { session, entry } = target;
    const { entries, index } = around(project.sessions, { session, entry, count: 0 });
    const said = entries[index];
    if (said === undefined) continue;
    const candidate = {
      ...({ kind: 'note', list: 'notes', content: statement, quote, entry: said.id } as const),
      ...{ files: [], keywords: [] },
      ...{ reason: undefined, status: undefined, resolution: undefined, conceptId: undefined },
      ...{ conceptName: undefined, supersedes: undefined, sameAs: undefined },
    };
    const verdict = verifyFact(candidate, session, new Map([[said.id, said]]));
    if (verdict.ok && verdict.evidence.role === 'user') {
      const { at } = verdict.evidence;
      return { session, entry, quote, at };
    }
  }
  return undefined;
}

/** In Activity, where the user sees what happens by itself. */
function tell({ places, project }: SessionMemory, { kind, text }: Suggestion): void {
  const words = inLine(text, SHOWN_CHARS);
  const note =
    kind === 'remember'
      ? message('memory.claudeRemembers', { words })
      : message('memory.claudeForgets', { words });
  addActivity(places, [{ what: 'note', note, project: project.memory.root }]);
}
