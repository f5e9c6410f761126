/**
 * Finds the words in a prompt that the user typed (V2): takes off code, quotes, logs, diffs, terminal
 * output, tables, reviews, plans and prompts of other tools, and splits the rest into sentences. Every
 * pattern looks at one line of bounded length, so a pasted file takes no longer than reading it.
 */

/** A sentence of the user, and where it stands in the prompt. */
export interface OwnSentence {
  text: string;
  /** Sentences of one line belong together. */
  line: number;
}

/** What somebody types in one go; longer prose was written elsewhere. */
const MAX_TYPED_CHARS = 900;
const MAX_LINE_CHARS = 420;
const MAX_PROMPT_CHARS = 100_000;
/** A line of this length in which nobody speaks was written elsewhere. */
const MAX_IMPERSONAL_CHARS = 160;
const MAX_HEADINGS = 1;

const CODE_BLOCK = /```[\s\S]*?(?:```|$)/g;
const HEADING = /^\s{0,3}#{1,6}\s+\S|^\s*\*\*[^*]+\*\*:?\s*$/;
/** A plan, a hand-over or another tool's prompt: whatever stands in it, nobody typed it here. */
const WRITTEN_ELSEWHERE =
  /^\s*(?:implement the following plan|you are (?:an?|the)\s|this session is being continued|caveat:|<[a-z][\w-]*>|다음 계획(?:을|대로) 구현|당신은 .{1,60}(?:입니다|이다))/i;
/** How review tools write, and people do not. */
const REVIEW =
  /\b(?:low|medium|high|critical) severity\b|\bconsider (?:\w+ly )?\w+ing\b|^\s*(?:nit|suggestion|issue \(.+\)):|\bsuggested (?:change|fix)\b|\bposted by\b|심각도\s*[:：]/im;
const SPEAKS =
  /\b(?:i|i['’](?:d|m|ve|ll)|we|we['’](?:d|re|ve|ll)|you|let['’]?s|please|pls|my|our|us|me|don['’]?t)\b|[가-힣]/i;

const PASTED_LINE = [
  /^\s*(?:>|\||<\/?[a-z]|@@|diff --|index [0-9a-f]{6}|[{}[\]()]+[,;]?\s*$|"[^"]*":|\d+\s*[→|│])/i,
  /^\s*(?:[+-](?:\s{2,}|\t|[A-Za-z_]\w*[(.=])|\$ |% |❯|⎿|⏺|●|✓|✔|✗|✘|×|│|╭|╰|├|└|=== |--- |>>> )/,
  /[⎿⏺❯│╭╰├└]/,
  // Times, levels and key=value pairs of logs.
  /\b\d{1,2}:\d{2}:\d{2}\b|\d{4}-\d{2}-\d{2}T\d{2}|\|(?:DEBU|INFO|WARN|ERRO)|^\s*\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b[\]: ]/,
  /(?:^|\s)[\w.]+=\S+(?:\s+[\w.]+=\S+)/,
  /^\s*(?:fatal|error|warning|panic|exception|traceback|note|go|npm err!|usage|caused by)\b[:!]/i,
  /^\s+at\s\S|^\s*File "|\.\w{1,5}:\d+(?::\d+)?[:\s)]|^\S+@\S+ \S+ [%$#] /,
  // Code: ends like a statement, or begins like one.
  /[;{]\s*$|=>|:=|^\s*(?:func|import|export|const|let \w+ =|var|return|class|def|public|private|package|SELECT|if \(|for \(|\/\/|\/\*|\*\/)\b/,
  /^\s*(?:create mode|Running \[|Building |Built: |Keeping |Found |Looking for )/,
  /\s{6,}\S|^\s{2,}(?![-*•]|\d{1,2}[.)])\S/,
  /^\s*https?:\/\/\S+\s*$/,
];

/** Empty for a prompt that was written elsewhere. */
export function ownSentences(prompt: string): OwnSentence[] {
  const text = prompt.slice(0, MAX_PROMPT_CHARS).replace(CODE_BLOCK, '\n>\n');
  if (WRITTEN_ELSEWHERE.test(text.slice(0, 200))) return [];
  const lines = typedLines(text.split('\n'));
  const prose = lines.map(({ text: line }) => line).join('\n');
  if (prose.length > MAX_TYPED_CHARS || REVIEW.test(prose)) return [];
  return lines.flatMap(({ text: line, at }) =>
    sentencesIn(line).map((sentence) => ({ text: sentence, line: at })),
  );
}

interface TypedLine {
  text: string;
  at: number;
}

/** People write before and behind what they paste, not inside it. */
function typedLines(lines: readonly string[]): TypedLine[] {
  if (lines.filter((line) => HEADING.test(line.slice(0, MAX_LINE_CHARS))).length > MAX_HEADINGS)
    return [];
  const first = lines.findIndex(isPasted);
  const last = lines.findLastIndex(isPasted);
  // What follows terminal output without a gap still belongs to it; a quote ends with its line.
  const gap = lines.findIndex((line, at) => at > last && line.trim() === '');
  const end = /^\s*>/.test(lines[last] ?? '') ? last : gap < 0 ? lines.length : gap;
  return lines
    .map((text, at) => ({ text, at }))
    .filter(({ text, at }) => (first < 0 || at < first || at > end) && text.trim() !== '');
}

function isPasted(line: string): boolean {
  return (
    line.length > MAX_LINE_CHARS ||
    (line.length > MAX_IMPERSONAL_CHARS && !SPEAKS.test(line)) ||
    PASTED_LINE.some((pattern) => pattern.test(line.trimEnd()))
  );
}

/** Not behind the letter of a choice ("A. is fine") and not behind "e.g.". */
const SENTENCE_END = /(?<=[^\s.][^\s.][.!?。]["')\]]?)\s+(?![a-z]{1,3}\.\s)/;
const BULLET = /^\s*(?:[-*•]|\d{1,2}[.)]|#\d+:?|Q:)\s+/;

export function sentencesIn(line: string): string[] {
  return line
    .replace(BULLET, '')
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
