/**
 * Finds what the user typed or chose in a permission or question dialog. Claude Code stores it
 * inside the tool's result, so it is accepted only with fields that a tool cannot forge: a text
 * that merely reads like a refusal stays the tool's (M4, M11). Measured on 2.1.150, 2.1.240 and
 * 2.1.325 (docs/decisions/0004).
 */
import { isRecord, type JsonRecord, recordAt, stringAt } from '../../platform/text/json.ts';

export interface DialogWords {
  text: string;
  /** To questions of Claude. */
  isAnswer?: true;
  /** What is left of the result's text without them. */
  rest?: string;
  /** They are the user's only if one of these was called: others can give back the same. */
  onlyOf?: readonly string[];
  /**
   * They are the user's only if this is what the call had asked: they were cut out of a text that
   * has the questions in it too.
   */
  asked?: string;
}

const QUESTION_TOOL = ['AskUserQuestion'];

/** `blocks`: the content of the row's message. A row of Claude Code has one result. */
export function dialogWords(row: JsonRecord, blocks: readonly JsonRecord[]): DialogWords[] {
  const [result, second] = blocks.filter(({ type }) => type === 'tool_result');
  if (result === undefined || second !== undefined || row.isMeta === true) return [];
  if (result.is_error === true) return refusal(row, stringAt(result, 'content') ?? '');
  return [...answers(row), ...amendments(row, blocks)];
}

const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n";
/** Claude Code may add this behind the words. */
const NOTE = "\n\nNote: The user's next message may contain a correction or preference.";
/**
 * Their errors are worded by Claude Code, which puts its own words before what a command printed.
 * What an MCP server says stands as it is.
 */
const OWN_TOOLS = [
  ...QUESTION_TOOL,
  ...[
    'Bash',
    'Edit',
    'EnterPlanMode',
    'ExitPlanMode',
    'Glob',
    'Grep',
    'MultiEdit',
    'NotebookEdit',
    'Read',
    'Skill',
    'WebFetch',
  ],
  ...['WebSearch', 'Write'],
];

/** "No, and tell Claude what to do differently". */
function refusal(row: JsonRecord, told: string): DialogWords[] {
  if (row.toolDenialKind !== undefined) {
    const said = row.toolDenialKind === 'user-rejected' ? stringAt(row, 'userFeedback') : undefined;
    return said === undefined ? [] : refusedWith(said, told);
  }
  // Versions before that field say it in the text alone.
  if (!told.startsWith(REFUSED) || row.toolUseResult !== `Error: ${told}`) return [];
  const note = told.lastIndexOf(NOTE);
  const said = told.slice(REFUSED.length, note < REFUSED.length ? undefined : note);
  return refusedWith(said, told).map((words) => ({ onlyOf: OWN_TOOLS, ...words }));
}

function refusedWith(said: string, told: string): DialogWords[] {
  if (said.startsWith(CLARIFY)) return halfAnswers(said);
  const at = told.indexOf(said);
  return [{ text: said, rest: at < 0 ? told : told.slice(0, at).trimEnd() }];
}

const CLARIFY = 'The user wants to clarify these questions.\n    This means they may have';
const QUESTIONS_ASKED = '\n\n    Questions asked:\n';
const HALF_ANSWER =
  /^(.*)"\n {2}(?:Answer: ([\s\S]*?)|\(No answer provided\))(?:\n {2}User notes: ([\s\S]*))?$/;

/**
 * "Chat about this": Claude Code's own words, with what the user had answered by then among the
 * questions.
 */
function halfAnswers(said: string): DialogWords[] {
  const list = said.slice(said.indexOf(QUESTIONS_ASKED) + QUESTIONS_ASKED.length);
  const parts = list.replace(/^- "/, '').split('\n- "');
  const matches = parts.map((part) => HALF_ANSWER.exec(part));
  const text = matches
    .flatMap((match) => match?.slice(2).filter((words) => words !== undefined) ?? [])
    .join('\n');
  if (text === '' || matches.includes(null)) return [];
  return [
    {
      text,
      isAnswer: true,
      onlyOf: QUESTION_TOOL,
      asked: matches.map((match) => match?.[1]).join('\n'),
    },
  ];
}

const NOTES_ONLY = '(notes only)';

/**
 * Answers to questions of Claude, each on a line of its own; the questions are not the user's
 * words.
 */
function answers(row: JsonRecord): DialogWords[] {
  const given = recordAt(row, 'toolUseResult');
  const chosen = given && recordAt(given, 'answers');
  if (chosen === undefined || !Array.isArray(given?.questions) || decidedBy(row) === 'hook')
    return [];
  const annotations = recordAt(given, 'annotations') ?? {};
  const lines = given.questions.filter(isRecord).flatMap((asked) => {
    const question = stringAt(asked, 'question') ?? '';
    const answer = Object.hasOwn(chosen, question)
      ? answerText(chosen[question], asked.multiSelect === true)
      : '';
    const notes = Object.hasOwn(annotations, question)
      ? stringAt(recordAt(annotations, question) ?? {}, 'notes')
      : undefined;
    return [answer === NOTES_ONLY ? '' : answer, notes ?? ''];
  });
  const text = [...lines, stringAt(given, 'response') ?? '']
    .filter((line) => line !== '')
    .join('\n');
  return text === '' ? [] : [{ text, isAnswer: true, rest: '', onlyOf: QUESTION_TOOL }];
}

function answerText(answer: unknown, isMultiple: boolean): string {
  if (Array.isArray(answer)) return answer.filter((one) => typeof one === 'string').join(', ');
  if (typeof answer !== 'string') return '';
  return isMultiple ? answer.replace(QUOTED_CHOICE, plainChoice) : answer;
}

/** Of several choices, those with a comma or a quote in them are written as JSON. */
const QUOTED_CHOICE = /(?<=^|, )"(?:[^"\\]|\\.)*"(?=, |$)/g;

function plainChoice(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json; // the user's own quotes
  }
}

/**
 * "Yes, and tell Claude what to do next": text beside the result. What a tool gives back, text or
 * not, stands inside of it.
 */
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
