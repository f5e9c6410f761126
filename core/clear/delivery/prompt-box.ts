/**
 * Reads Claude Code's prompt box from a terminal's screen: its content, or why none is visible.
 * Uses styles and the cursor where the terminal reports them. Only a box with the cursor in it
 * counts, and a suggestion of Claude Code (dim) is no content (A3, A5).
 */
import { type Message, message } from '../../messages/message.ts';

export interface Screen {
  /** From the top; they may contain SGR sequences. */
  lines: readonly string[];
  /** Whether styles are included: without them a suggestion looks like a draft. */
  isStyled: boolean;
  /** From 0. */
  cursor?: { row: number; column: number };
}

export interface PromptBox {
  mode: 'prompt' | 'shell';
  /** Its lines joined by newlines, without suggestions and without blanks at the end. */
  text: string;
  /** The text may be a suggestion. */
  isUncertain: boolean;
  /** Whether Claude Code holds a stashed draft; `hidden` if a list may cover the word for it. */
  stash: 'none' | 'there' | 'hidden';
  /** The command that Enter would complete to; its list comes a moment after the letters. */
  completion: string | undefined;
  /** The word that vim mode shows. It shows none in NORMAL mode, nor without vim mode. */
  vim: string | undefined;
  /** Whether the cursor stands behind the last character, if it is known. */
  isCursorAtEnd: boolean | undefined;
  /** The last command above the box that Claude Code says it does not know. */
  unknownCommand: string | undefined;
}

export type BoxReading =
  | { box: PromptBox; isSearch?: undefined }
  | { box?: undefined; why: Message; isSearch: boolean };

interface Cell {
  char: string;
  isDim: boolean;
  isInverse: boolean;
}

interface BoxRows {
  top: number;
  bottom: number;
}

/** The upper line may carry a name. */
const UPPER_LINE = /^─{3,}( [^─]+ ─+)?$/;
const LOWER_LINE = /^─{3,}$/;
/** The sign and a no-break space; some terminals return a plain one, or none at the line's end. */
const FIRST_ROW = /^[❯!](?:[\u00a0 ]|$)/u;
const TEXT_COLUMN = 2;
const STASHED = '› stashed';
const SEARCH_LINE = /^\s*(?:search prompts:|no matching prompt:)/;
const SEARCH_VIEW = /^\s*(?:Search prompts\b|│ ⌕ )/;
const VIM_WORD = /^\s*-- ([A-Z][A-Z -]*[A-Z]) --/;
/** Older versions leave the slash out. */
const UNKNOWN_COMMAND = /^\s*\S?\s*Unknown (?:slash )?(?:command|skill): \/?(\S+)/;
/** What Claude Code offers completions for: commands, files, channels, emoji. */
const COMPLETED_WORD = /(?:^|\s)[/@#:]/;
/** A command in the list; the selected one may have a sign, else it is the first. */
const LISTED_COMMAND = /^ {2,4}(?:❯ )?(\/[\w:.-]+)(?: {2,}.*)?$/u;
const SELECTED_COMMAND = /^ {2}❯ (\/[\w:.-]+)/u;
/** One line of a list of completions. */
const LIST_LINE = /^ {2,4}(?:❯ )?[/@#:*+◇]/u;

export function readPromptBox(screen: Screen): BoxReading {
  const rows = cellsOf(screen.lines);
  const lines = rows.map((cells) => textOf(cells).trimEnd());
  const { cursor } = screen;
  const boxes = boxesIn(lines);
  const [own, another] = boxes.filter(
    ({ top, bottom }) => cursor === undefined || (cursor.row > top && cursor.row < bottom),
  );
  if (another !== undefined) return { why: message('driver.boxesSeveral'), isSearch: false };
  const below = lines.slice((own ?? boxes.at(-1))?.bottom ?? lines.length);
  const isSearch =
    below.some((line) => SEARCH_LINE.test(line)) ||
    (own === undefined && lines.some((line) => SEARCH_VIEW.test(line)));
  if (isSearch) return { why: message('driver.boxSearch'), isSearch };
  if (own !== undefined) return { box: boxAt(own, rows, lines, screen) };
  const isTranscript = lines.some((line) => line.includes('Showing detailed transcript'));
  const code = boxes.length > 0 ? 'driver.boxNoCursor' : 'driver.boxHidden';
  return { why: message(isTranscript ? 'driver.boxTranscript' : code), isSearch };
}

function boxesIn(lines: readonly string[]): BoxRows[] {
  return lines.flatMap((line, top) => {
    if (!UPPER_LINE.test(line) || !FIRST_ROW.test(lines[top + 1] ?? '')) return [];
    const bottom = lines.findIndex((other, row) => row > top + 1 && LOWER_LINE.test(other));
    const isWhole =
      bottom > 0 && lines.slice(top + 2, bottom).every((row) => row === '' || row.startsWith('  '));
    return isWhole ? [{ top, bottom }] : [];
  });
}

function boxAt(
  { top, bottom }: BoxRows,
  rows: Cell[][],
  lines: readonly string[],
  { cursor, isStyled }: Screen,
): PromptBox {
  const content = rows
    .slice(top + 1, bottom)
    .map((cells) => writtenText(cells.slice(TEXT_COLUMN)).trimEnd());
  const written = content.join('\n').trimEnd();
  const isAtStart = cursor !== undefined && cursor.row === top + 1 && cursor.column === TEXT_COLUMN;
  // Nothing but blanks, which only the cursor betrays.
  const text = written === '' && cursor !== undefined && !isAtStart ? ' ' : written;
  const below = lines.slice(bottom + 1);
  const above = lines.slice(0, top);
  const list = [...above.slice(above.lastIndexOf('') + 1), ...below];
  const [completion] = [...matches(SELECTED_COMMAND, list), ...matches(LISTED_COMMAND, list)];
  const unknown = matches(UNKNOWN_COMMAND, above).at(-1);
  const lastRow = content.findLastIndex((line) => line !== '');
  const endRow = top + 1 + Math.max(lastRow, 0);
  const endColumn = TEXT_COLUMN + (content[lastRow]?.length ?? 0);
  return {
    mode: lines[top + 1]?.startsWith('!') ? 'shell' : 'prompt',
    text,
    isUncertain: !isStyled && text !== '' && (cursor === undefined || isAtStart),
    stash: stashBeside(text, above.at(-1) ?? '', below),
    vim: matches(VIM_WORD, below)[0],
    completion,
    unknownCommand: unknown && `/${unknown}`,
    isCursorAtEnd: cursor && cursor.row === endRow && cursor.column === endColumn,
  };
}

/** What the pattern's group matches in each line. */
function matches(pattern: RegExp, lines: readonly string[]): string[] {
  return lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
}

/** The word is right above the box or below it; so is a list, which covers it. */
function stashBeside(text: string, above: string, below: readonly string[]): PromptBox['stash'] {
  if (above.includes(STASHED) || below.some((line) => line.includes(STASHED))) return 'there';
  const isListPossible =
    COMPLETED_WORD.test(text) &&
    (above.trim() !== '' || below.some((line) => LIST_LINE.test(line)));
  return isListPossible ? 'hidden' : 'none';
}

/** Without what is dim. The first letter of a suggestion is under the cursor: drawn inverse. */
function writtenText(cells: readonly Cell[]): string {
  const written = cells.filter(({ isDim, isInverse }, index) => {
    const next = cells.slice(index + 1).find(({ char }) => char !== ' ');
    return !isDim && !(isInverse && next?.isDim === true);
  });
  return textOf(written);
}

function textOf(cells: readonly Cell[]): string {
  return cells.map(({ char }) => char).join('');
}

const SGR = /^\[([0-9;:]*)m/;
const OTHER_SEQUENCE = /^(?:\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])/;

/** A style continues on the next line: tmux prints only what changes. */
function cellsOf(lines: readonly string[]): Cell[][] {
  let style = { isDim: false, isInverse: false };
  return lines.map((line) => {
    const [plain = '', ...styled] = line.split('\x1b');
    const cells = [...plain].map((char) => ({ char, ...style }));
    for (const part of styled) {
      const [sequence, codes] = SGR.exec(part) ?? [];
      if (codes !== undefined) style = styleAfter(style, codes.split(';'));
      for (const char of part.slice(sequence?.length ?? otherSequence(part)))
        cells.push({ char, ...style });
    }
    return cells;
  });
}

/** The length of a sequence that changes no style. A link or title ends with a bell or escape. */
function otherSequence(part: string): number {
  if (!part.startsWith(']')) return OTHER_SEQUENCE.exec(part)?.[0].length ?? 0;
  const bell = part.indexOf('\x07');
  return bell < 0 ? part.length : bell + 1;
}

type Style = Pick<Cell, 'isDim' | 'isInverse'>;

const STYLE_CHANGES: Record<string, Partial<Style>> = {
  '': { isDim: false, isInverse: false },
  '0': { isDim: false, isInverse: false },
  '2': { isDim: true },
  '22': { isDim: false },
  '7': { isInverse: true },
  '27': { isInverse: false },
};

function styleAfter(style: Style, codes: readonly string[]): Style {
  const [code = '', kind, ...others] = codes;
  // A colour brings numbers of its own: 38;5;n or 38;2;r;g;b.
  const isColour = (code === '38' || code === '48' || code === '58') && kind !== undefined;
  const rest = isColour ? others.slice(kind === '2' ? 3 : 1) : codes.slice(1);
  const changed = isColour ? style : { ...style, ...STYLE_CHANGES[code] };
  return rest.length === 0 ? changed : styleAfter(changed, rest);
}
