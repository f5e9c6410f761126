/**
 * Reads Claude Code's prompt box from a terminal's screen: its content, or why none is visible.
 * Uses styles and the cursor where the terminal reports them. Only a box with the cursor in it
 * counts, and a suggestion of Claude Code (dim) is no content (A3, A5).
 */
import { type Message, message } from '../../messages/message.ts';

export interface Screen {
  /** From the top; they may carry SGR sequences. */
  lines: readonly string[];
  /** Whether styles are told: without them a suggestion cannot be told from a draft. */
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
  /**
   * Whether Claude Code keeps an older draft aside (Ctrl+S); `hidden` if a list of suggestions may
   * cover the word for it.
   */
  stash: 'none' | 'there' | 'hidden';
  /**
   * The command that Enter would complete to: the list of commands comes a moment after the
   * letters.
   */
  completion?: string;
  /** The word that vim mode shows. It shows none in NORMAL mode, nor without vim mode. */
  vim?: string;
  /** Whether the cursor stands behind the last character, if it is known. */
  isCursorAtEnd?: boolean;
  /** The last command above the box that Claude Code says it does not know. */
  unknownCommand?: string;
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
/**
 * Behind the sign stands a no-break space; some terminals give back a plain one, or none at the end
 * of a line.
 */
const FIRST_ROW = /^[❯!](?:[\u00a0 ]|$)/u;
const TEXT_COLUMN = 2;
const STASHED = '› stashed';
const SEARCH_LINE = /^\s*(?:search prompts:|no matching prompt:)/;
const SEARCH_VIEW = /^\s*(?:Search prompts\b|│ ⌕ )/;
const VIM_WORD = /^\s*-- ([A-Z][A-Z -]*[A-Z]) --/;
const UNKNOWN_COMMAND = /^\s*\S?\s*Unknown (?:slash )?(?:command|skill): \/?(\S+)/;
/** What Claude Code completes while it is typed: commands, files, channels, signs. */
const COMPLETED_WORD = /(?:^|\s)[/@#:]/;
/** A command in the list; the chosen one may bear a sign, else it is the first. */
const LISTED_COMMAND = /^ {2,4}(?:❯ )?(\/[\w:.-]+)(?: {2,}.*)?$/u;
const CHOSEN_COMMAND = /^ {2}❯ (\/[\w:.-]+)/u;
/** One line of a list of completions. */
const LIST_LINE = /^ {2,4}(?:❯ )?[/@#:*+◇]/u;

export function readPromptBox(screen: Screen): BoxReading {
  const rows = cellsOf(screen.lines);
  const lines = rows.map((cells) => textOf(cells).trimEnd());
  const { cursor } = screen;
  const boxes = boxesIn(lines);
  const own =
    cursor === undefined
      ? boxes
      : boxes.filter(({ top, bottom }) => cursor.row > top && cursor.row < bottom);
  const [rowsOfBox, another] = own;
  if (another !== undefined) return { why: message('driver.boxesSeveral'), isSearch: false };
  const below = lines.slice((rowsOfBox ?? boxes.at(-1))?.bottom ?? lines.length);
  if (below.some((line) => SEARCH_LINE.test(line)))
    return { why: message('driver.boxSearch'), isSearch: true };
  if (rowsOfBox === undefined) return noBox(lines, boxes.length > 0);
  return { box: boxAt(rowsOfBox, rows, lines, screen) };
}

function noBox(lines: readonly string[], isElsewhere: boolean): BoxReading {
  if (lines.some((line) => SEARCH_VIEW.test(line)))
    return { why: message('driver.boxSearch'), isSearch: true };
  if (lines.some((line) => line.includes('Showing detailed transcript')))
    return { why: message('driver.boxTranscript'), isSearch: false };
  const why = message(isElsewhere ? 'driver.boxNoCursor' : 'driver.boxHidden');
  return { why, isSearch: false };
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
  const vim = below.map((line) => VIM_WORD.exec(line)?.[1]).find((word) => word !== undefined);
  const completion = completionIn([...aboveBox(lines, top), ...below]);
  const lastRow = content.findLastIndex((line) => line !== '');
  const unknown = lines
    .slice(0, top)
    .map((line) => UNKNOWN_COMMAND.exec(line)?.[1])
    .findLast((command) => command !== undefined);
  return {
    mode: lines[top + 1]?.startsWith('!') ? 'shell' : 'prompt',
    text,
    isUncertain: !isStyled && text !== '' && (cursor === undefined || isAtStart),
    stash: stashBeside(text, lines[top - 1] ?? '', below),
    ...(vim !== undefined && { vim }),
    ...(completion !== undefined && { completion }),
    ...(unknown !== undefined && { unknownCommand: `/${unknown}` }), // older versions leave the slash out
    ...(cursor !== undefined && {
      isCursorAtEnd:
        cursor.row === top + 1 + Math.max(lastRow, 0) &&
        cursor.column === TEXT_COLUMN + (content[lastRow]?.length ?? 0),
    }),
  };
}

/** The lines up to the next empty one. */
function aboveBox(lines: readonly string[], top: number): readonly string[] {
  const above = lines.slice(0, top);
  return above.slice(above.lastIndexOf('') + 1);
}

function completionIn(list: readonly string[]): string | undefined {
  const found = (pattern: RegExp) =>
    list.map((line) => pattern.exec(line)?.[1]).find((command) => command !== undefined);
  return found(CHOSEN_COMMAND) ?? found(LISTED_COMMAND);
}

/**
 * The word stands right above the box or below it, depending on how Claude Code draws; so does a
 * list of completions, which covers it.
 */
function stashBeside(text: string, above: string, below: readonly string[]): PromptBox['stash'] {
  if (above.includes(STASHED) || below.some((line) => line.includes(STASHED))) return 'there';
  const isListPossible =
    COMPLETED_WORD.test(text) &&
    (above.trim() !== '' || below.some((line) => LIST_LINE.test(line)));
  return isListPossible ? 'hidden' : 'none';
}

/**
 * Without what is dim. The first letter of a suggestion lies under the cursor and is drawn inverse
 * instead.
 */
function writtenText(cells: readonly Cell[]): string {
  return cells
    .filter(({ isDim, isInverse }, index) => {
      const next = cells.slice(index + 1).find(({ char }) => char !== ' ');
      return !isDim && !(isInverse && next?.isDim === true);
    })
    .map(({ char }) => char)
    .join('');
}

function textOf(cells: readonly Cell[]): string {
  return cells.map(({ char }) => char).join('');
}

const SGR = /^\[([0-9;:]*)m/;
const OTHER_SEQUENCE = /^(?:\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])/;

/** A style holds on over the end of a line: tmux names only what changes. */
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

/**
 * The length of a sequence that changes no style. One that names a link or a title ends with a
 * bell, or with the next escape.
 */
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
