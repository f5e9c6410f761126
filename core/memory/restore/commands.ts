/**
 * What kind of command was run, and what came of it (K2): a check of the work (test, build, lint)
 * that passed or failed, something that stays (a commit, a pull request), or only a look around.
 */
import { shorten } from '../../platform/text/sentences.ts';
import type { ToolEntry } from '../log/l1-refine.ts';
import { callLine, inOneLine } from './work-lines.ts';

export type CheckKind = 'test' | 'lint' | 'build';

export interface Check {
  kinds: CheckKind[];
  /** Without what only shortens its output. */
  command: string;
  hasPassed: boolean;
  /** It was piped, and nothing in what is known of its output says how it ended. */
  isUnsure?: true;
}

const KINDS: readonly (readonly [CheckKind, RegExp])[] = [
  [
    'test',
    /\b(?:tests?|spec|vitest|jest|pytest|mocha|playwright|cypress|phpunit|rspec|test:\S+)\b/,
  ],
  [
    'lint',
    /\b(?:lint|eslint|biome|ruff|mypy|clippy|vet|golangci-lint|fmt|format|prettier|shellcheck|check)\b/,
  ],
  ['build', /\b(?:build|tsc|compile|typecheck|assemble|bundle|make)\b/],
];
/** `grep test`, `cat build.log`: these look, they check nothing. */
const LOOKS =
  /^(?:git|gh|ls|cat|head|tail|grep|rg|find|sed|awk|echo|wc|which|stat|cd|pwd|tree|file|jq|diff|sort|ps|pgrep|kill|sleep|mkdir|rm|mv|cp|touch|chmod|export|source|curl|open|du|env|printf|test|for|while|if)\b/;
/** In front of the command itself. */
const BEFORE_COMMAND =
  /^(?:\w+=\S+\s+|(?:time|nice|timeout\s+\S+|sudo|npx|uv run|poetry run|bunx?)\s+)+/;
const MAX_COMMAND_CHARS = 120;
/** A pipe hides the exit code. */
const FAILED_OUTPUT =
  /^\s*(?:---\s)?(?:FAIL|FAILED)\b|\b[1-9]\d* (?:failed|failures?|failing|errors?|problems?|issues?)\b|\berror TS\d|^error(?:\[|:)|^panic:|\bexit (?:code|status) [1-9]|✖ [1-9]|\bERROR\b|\b(?:task|build|tests?|command) failed\b/m;
const PASSED_OUTPUT =
  /^ok\s|\bPASS\b|\b(?:all|[1-9]\d*) (?:tests? )?pass(?:ed|ing)?\b|\b(?:0|no) (?:errors?|issues?|problems|failed|failures)\b|\bsuccess|✓/im;

/** Undefined if the command checks nothing, or was not run to its end. */
export function checkIn(entry: ToolEntry): Check | undefined {
  if (entry.name !== 'Bash' || entry.isRefused || isCutOff(entry)) return undefined;
  const [line = ''] = entry.cmd.split('<<');
  const steps = line
    .slice(0, 400)
    .split(/&&|;|\n|\|\|/)
    .flatMap(checkStep);
  if (steps.length === 0) return undefined;
  const command = shorten(steps.map(({ text }) => text).join(' && '), MAX_COMMAND_CHARS);
  const kinds = [...new Set(steps.flatMap((step) => step.kinds))];
  const hasPassed = !entry.isError && !FAILED_OUTPUT.test(entry.output);
  const isUnsure = hasPassed && /\|[^|]/.test(line) && !PASSED_OUTPUT.test(entry.output);
  return { kinds, command, hasPassed, ...(isUnsure && { isUnsure }) };
}

function checkStep(step: string): { text: string; kinds: CheckKind[] }[] {
  const [first = ''] = step.split(/\||\d?>/);
  const text = inOneLine(first.replace(/&$/, ''));
  const command = text.replace(BEFORE_COMMAND, '');
  if (command === '' || LOOKS.test(command)) return [];
  // Of `npm run build`, the words at the front; further back they are names of files.
  const front = command.split(' ').slice(0, 4).join(' ');
  const kinds = KINDS.flatMap(([kind, pattern]) => (pattern.test(front) ? kind : []));
  return kinds.length === 0 ? [] : [{ text, kinds }];
}

/** Called beside one that failed, or stopped by the user: it says nothing of the work. */
export function isCutOff({ output }: ToolEntry): boolean {
  return /^(?:Sibling tool call errored|Cancelled: parallel|\[Request interrupted|Interrupted by user)/.test(
    output,
  );
}

/** A look that found nothing is no failure of the work. */
export function isLook({ name, cmd }: ToolEntry): boolean {
  if (name !== 'Bash') return LOOKING_TOOLS.has(name);
  const command = cmd.replace(BEFORE_COMMAND, '').trimStart();
  return LOOKS.test(command) && !WRITES.test(command);
}

const LOOKING_TOOLS = new Set(
  'Read Grep Glob LS WebFetch WebSearch ToolSearch BashOutput TaskOutput TaskList TaskGet KillShell ExitPlanMode AskUserQuestion Skill'.split(
    ' ',
  ),
);
const WRITES =
  /^(?:git\s+(?:-C\s+\S+\s+)?(?:commit|push|merge|rebase|cherry-pick|revert|pull|apply|am|stash)|gh\s+\w+\s+(?:create|merge|comment|edit|close)|rm|mv|cp|mkdir|curl|source|for|while)\b/;

const MAX_OUTCOME_CHARS = 260;

/** What a step leaves behind outside the files: a commit, a pull request, an issue. */
export function outcomeOf(entry: ToolEntry): string | undefined {
  if (entry.isError || entry.isRefused) return undefined;
  if (entry.name === 'Bash') return outcomeOfCommand(entry);
  if (entry.name === 'Task' || entry.name === 'Agent') return reportOf(entry);
  if (!/^mcp__/.test(entry.name) || !CHANGES_ELSEWHERE.test(entry.name)) return undefined;
  const tool = entry.name.split('__').slice(1).join(' ');
  return outcome(`${tool}: ${entry.cmd} ${entry.detail ?? ''}`, entry.output);
}

const CHANGES_ELSEWHERE = /_(?:create|update|save|add|delete|remove|merge|send|post|close|publish)/;

const COMMIT = /\bgit\s+(?:-C\s+\S+\s+)?commit\b/;
/** What git answers: `[branch 1a2b3c4] subject`. */
const COMMITTED = /^\[(\S+(?: \([^)]*\))?) ([0-9a-f]{7,})\] (.+)$/m;
const MESSAGE = /-m\s+(?:"\$\(cat <<-?\s*'?"?\w+'?"?\s+|["'])([^\n"']+)/;
const OTHER_OUTCOMES: readonly (readonly [string, RegExp])[] = [
  ['Pull request', /\bgh pr (?:create|merge|comment|edit|close|ready|review)\b[^\n]{0,200}/],
  ['Issue', /\bgh issue (?:create|comment|edit|close)\b[^\n]{0,200}/],
  [
    'Request to the GitHub API',
    /\bgh api\b[^\n]{0,200}(?:-X|--method|-f|-F|--field|--raw-field|--input) [^\n]{0,120}/,
  ],
  ['Pushed', /\bgit\s+(?:-C\s+\S+\s+)?push\b[^\n&|;]{0,100}/],
  [
    'Merged or rebased',
    /\bgit\s+(?:-C\s+\S+\s+)?(?:merge|rebase|cherry-pick|revert)(?=\s|$)[^\n&|;]{0,100}/,
  ],
  [
    'New branch',
    /\bgit\s+(?:-C\s+\S+\s+)?(?:checkout -[bB]|switch -[cC]|worktree add)\b[^\n&|;]{0,100}/,
  ],
  ['Published', /\b(?:npm|cargo|twine) publish\b[^\n&|;]{0,60}/],
];

function commitOf({ cmd, output }: ToolEntry): string {
  const [, where, hash, subject = ''] = COMMITTED.exec(output) ?? [];
  const [, message = ''] = MESSAGE.exec(cmd) ?? [];
  // Of a long answer only the beginning is known.
  const title = inOneLine(message.startsWith(subject) ? message : subject);
  const what = hash === undefined ? 'Committed' : `Committed ${hash} on ${where}`;
  return title === '' ? what : `${what}: ${title}`;
}

function outcomeOfCommand(entry: ToolEntry): string | undefined {
  const { cmd, output, detail = '' } = entry;
  if (COMMIT.test(cmd)) return commitOf(entry);
  for (const [what, pattern] of OTHER_OUTCOMES) {
    const [found] = pattern.exec(cmd) ?? [];
    if (found !== undefined && !/--(?:abort|help|dry-run)\b/.test(found))
      return outcome(`${what}: ${detail === '' ? found : detail}`, output);
  }
  return undefined;
}

const MAX_REPORT_CHARS = 320;

/** Without its headings and greeting. */
function reportOf({ cmd, output }: ToolEntry): string | undefined {
  const lines = output.split('\n').filter((line) => /\w.*\s.*\w/.test(line.slice(0, 200)));
  const told = lines.filter(
    (line) => !/^\s*#|^(?:perfect|great|excellent|now i|i now|let me)\b/i.test(line),
  );
  if (told.length === 0) return undefined;
  return `An agent was asked: ${inOneLine(cmd)}. It reported: ${shorten(inOneLine(told.join(' ')), MAX_REPORT_CHARS)}`;
}

/** The last line of the output has the address or the number. */
function outcome(text: string, output: string): string {
  const address = /https?:\/\/\S+/.exec(output)?.[0] ?? output.trim().split('\n').at(-1) ?? '';
  const gave = address === '' ? '' : ` → ${shorten(inOneLine(address), MAX_OUTCOME_CHARS / 2)}`;
  return shorten(inOneLine(text), MAX_OUTCOME_CHARS / 2) + gave;
}

/** `callLine` without its details. */
export function shortCall(entry: ToolEntry): string {
  return shorten(callLine({ ...entry, detail: '' }), MAX_COMMAND_CHARS);
}
