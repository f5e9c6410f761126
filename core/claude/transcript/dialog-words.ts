/**
 * Finds what the user typed or chose in a dialog. Claude Code stores it inside the tool's result,
 * so it is accepted only with fields that a tool cannot forge: a text that merely reads like a
 * refusal stays the tool's (M4, M11). Measured on three versions (docs/decisions/0004).
 */
import { parseJson } from '../../platform/store/attempt.ts';
import { isRecord, type JsonRecord, recordAt, stringAt } from '../../platform/text/json.ts';

export interface DialogWords {
  text: string;
  /** To questions of Claude. */
  isAnswer?: true;
  /** The rest of the result's text. */
  rest?: string;
  /** The words are the user's only if one of these tools was called: others could fake them. */
  onlyOf?: readonly string[];
  /** The words are the user's only if the call asked this: the text holds the questions too. */
  asked?: string;
}

const QUESTION_TOOL = ['AskUserQuestion'];
const PLAN_TOOL = ['ExitPlanMode'];

/** `blocks` is the content of the row's message. A row of Claude Code has one result. */
export function dialogWords(row: JsonRecord, blocks: readonly JsonRecord[]): DialogWords[] {
  const [result, second] = blocks.filter(({ type }) => type === 'tool_result');
  if (result === undefined || second !== undefined || row.isMeta === true) return [];
  if (result.is_error === true) return refusal(row, stringAt(result, 'content') ?? '');
  if (blocks.length === 1 && !isRecord(row.toolUseResult)) return []; // as nearly always
  return [...answers(row), ...editedPlan(row), ...amendments(row, blocks)];
}

const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n";
/** Claude Code may add this behind the words. */
const NOTE = "\n\nNote: The user's next message may contain a correction or preference.";
/** Claude Code words the errors of these tools; what an MCP server says is passed on as it is. */
const OWN_TOOLS = `AskUserQuestion Bash Edit EnterPlanMode ExitPlanMode Glob Grep MultiEdit
  NotebookEdit Read Skill WebFetch WebSearch Write`.split(/\s+/);

/** "No, and tell Claude what to do differently". */
function refusal(row: JsonRecord, result: string): DialogWords[] {
  if (row.toolDenialKind !== undefined) {
    const words =
      row.toolDenialKind === 'user-rejected' ? stringAt(row, 'userFeedback') : undefined;
    return words === undefined ? [] : refusedWith(words, result);
  }
  // Older versions have no such field, only the text.
  if (!result.startsWith(REFUSED) || row.toolUseResult !== `Error: ${result}`) return [];
  const note = result.lastIndexOf(NOTE);
  const words = result.slice(REFUSED.length, note < REFUSED.length ? undefined : note);
  const onlyOf = isHistory(row) ? undefined : OWN_TOOLS;
  return refusedWith(words, result).map((said) => ({ ...(onlyOf && { onlyOf }), ...said }));
}

/**
 * Hooks do not run in versions before 2.1.139: their transcripts were written before anybody could
 * think of speaking to us through them, and the words of a refused MCP call stand nowhere else.
 */
function isHistory({ version }: JsonRecord): boolean {
  const [major, minor, patch] = String(version).split('.').map(Number);
  if (major === undefined || minor === undefined || patch === undefined) return false;
  return major < 2 || (major === 2 && (minor < 1 || (minor === 1 && patch < FIRST_WITH_HOOKS)));
}

const FIRST_WITH_HOOKS = 139;

function refusedWith(words: string, result: string): DialogWords[] {
  if (words.startsWith(CLARIFY)) return halfAnswers(words);
  const at = result.indexOf(words);
  return [{ text: words, rest: at < 0 ? result : result.slice(0, at).trimEnd() }];
}

const CLARIFY = 'The user wants to clarify these questions.\n    This means they may have';
const QUESTIONS_ASKED = '\n\n    Questions asked:\n';
const HALF_ANSWER =
  /^(.*)"\n {2}(?:Answer: ([\s\S]*?)|\(No answer provided\))(?:\n {2}User notes: ([\s\S]*))?$/;

/** "Chat about this": Claude Code's own words, with the answers so far among the questions. */
function halfAnswers(said: string): DialogWords[] {
  const list = said.slice(said.indexOf(QUESTIONS_ASKED) + QUESTIONS_ASKED.length);
  const parts = list.replace(/^- "/, '').split('\n- "');
  const matches = parts.map((part) => HALF_ANSWER.exec(part));
  const text = matches
    .flatMap((match) => match?.slice(2).filter((words) => words !== undefined) ?? [])
    .join('\n');
  if (text === '' || matches.includes(null)) return [];
  const asked = matches.map((match) => match?.[1]).join('\n');
  return [{ text, isAnswer: true, onlyOf: QUESTION_TOOL, asked }];
}

const NOTES_ONLY = '(notes only)';

/** Answers to questions of Claude, one per line, without the questions. */
function answers(row: JsonRecord): DialogWords[] {
  const result = recordAt(row, 'toolUseResult') ?? {};
  const chosen = recordAt(result, 'answers');
  if (chosen === undefined || !Array.isArray(result.questions) || decidedBy(row) === 'hook')
    return [];
  const annotations = recordAt(result, 'annotations') ?? {};
  const lines = result.questions.filter(isRecord).flatMap((asked) => {
    const question = stringAt(asked, 'question') ?? '';
    const answer = answerText(ownField(chosen, question), asked.multiSelect === true);
    const note = ownField(annotations, question);
    const notes = isRecord(note) ? stringAt(note, 'notes') : undefined;
    // Mostly the notes repeat the answer.
    return [answer === NOTES_ONLY ? '' : answer, notes === answer ? '' : (notes ?? '')];
  });
  const text = [...lines, stringAt(result, 'response') ?? '']
    .filter((line) => line !== '')
    .join('\n');
  return text === '' ? [] : [{ text, isAnswer: true, rest: '', onlyOf: QUESTION_TOOL }];
}

/** A plan that the user changed in the editor before accepting it: which part is theirs is not told. */
function editedPlan(row: JsonRecord): DialogWords[] {
  const result = recordAt(row, 'toolUseResult') ?? {};
  const plan = result.planWasEdited === true ? stringAt(result, 'plan') : undefined;
  return plan === undefined ? [] : [{ text: plan, isAnswer: true, onlyOf: PLAN_TOOL }];
}

function ownField(record: JsonRecord, field: string): unknown {
  return Object.hasOwn(record, field) ? record[field] : undefined;
}

function answerText(answer: unknown, isMultiple: boolean): string {
  if (Array.isArray(answer)) return answer.filter((one) => typeof one === 'string').join(', ');
  if (typeof answer !== 'string') return '';
  return isMultiple ? answer.replace(QUOTED_CHOICE, plainChoice) : answer;
}

/** Among several choices, those with a comma or a quote are written as JSON. */
const QUOTED_CHOICE = /(?<=^|, )"(?:[^"\\]|\\.)*"(?=, |$)/g;

function plainChoice(json: string): string {
  return String(parseJson(json) ?? json); // not JSON: the user's own quotes
}

/** "Yes, and tell Claude what to do next": text beside the result; a tool's own text is inside. */
function amendments(row: JsonRecord, blocks: readonly JsonRecord[]): DialogWords[] {
  if (['hook', 'config', 'classifier'].includes(decidedBy(row) ?? '')) return []; // there was no dialog
  return blocks.flatMap((block) =>
    block.type === 'text' ? [{ text: stringAt(block, 'text') ?? '' }] : [],
  );
}

/** Who allowed the call, where Claude Code says so. */
function decidedBy(row: JsonRecord): string | undefined {
  return stringAt(recordAt(row, 'permissionDecision') ?? {}, 'source');
}
