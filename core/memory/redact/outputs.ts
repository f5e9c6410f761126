/**
 * Values that stand away from their name: on the line below a command that prints them, or in the
 * rows below a header, of a table, a CSV file or a dump of a database (M18, L1c).
 */
import { argumentsAt } from './calls.ts';
import type { Scan } from './scan.ts';
import {
  isAssuredPassword,
  isChosen,
  isMadeUp,
  isPlaceholder,
  isPlaceOrCode,
  isRandom,
  isUuid,
} from './values.ts';

const MIN_DRAWN = 16;

/** Drawn by lot, or surely a password. */
function isSure(value: string): boolean {
  if (isAssuredPassword(value) || isUuid(value)) return true;
  return value.length >= MIN_DRAWN && !isMadeUp(value) && isRandom(value) && !isPlaceOrCode(value);
}

// ---- `$ cat config/master.key`, and on the next line nothing but its value ----

const LINE_BEFORE = 140;
const LINE_BEHIND = /[^\n]{0,160}\n/y;
const ALONE = /[ \t#>]{0,8}["'`]?([^\s"'`<>|]{8,512})["'`]?[ \t]{0,8}(?:\r?\n|$)/y;
/** A prompt, or a command that prints secrets. */
const PRINTS =
  /^(?:[^\n]{0,60}?[$%❯➜#>] [ \t]?\S|(?:sudo |docker exec [^\n]{0,40})?(?:cat|kubectl|terraform|tofu|vault|op|aws|gcloud|az|heroku|rails|bin\/rails|security|argocd|bw|doppler|chamber|sops|pulumi|helm|oc|nomad|consul|gh|printenv) )/;
/** Print hashes, names, all kinds of lines. */
const PRINTS_OTHERS = /\b(?:git|grep|rg|find|ls|sha\d{0,3}sum|md5\w{0,3}|shasum|uuidgen|wc|diff)\b/;

export function judgeOutput(scan: Scan, start: number, end: number): void {
  const { text } = scan;
  const before = text.slice(Math.max(0, start - LINE_BEFORE), start);
  const lineStart = before.lastIndexOf('\n') + 1;
  if (lineStart === 0 && start > LINE_BEFORE) return;
  const command = before.slice(lineStart);
  if (command === '' || !PRINTS.test(command) || PRINTS_OTHERS.test(command)) return;
  LINE_BEHIND.lastIndex = end;
  if (!LINE_BEHIND.test(text)) return;
  scan.spend(100);
  ALONE.lastIndex = LINE_BEHIND.lastIndex;
  const found = ALONE.exec(text);
  const value = found?.[1] ?? '';
  if (found === null || !isSure(value)) return;
  const from = found.index + found[0].indexOf(value);
  scan.withhold(from, from + value.length);
}

const LABEL = /[^\n:]{0,100}:[ \t]{0,4}\r?\n(?:[ \t]{0,8}\r?\n)?[ \t]{0,8}/y;

/** "Copy this token now, it is shown only once:", and below it nothing but its value. */
export function judgeLabel(scan: Scan, end: number, isPassword: boolean): void {
  const { text } = scan;
  LABEL.lastIndex = end;
  if (!LABEL.test(text)) return;
  scan.spend(60);
  ALONE.lastIndex = LABEL.lastIndex;
  const found = ALONE.exec(text);
  const value = found?.[1] ?? '';
  if (found === null || isUuid(value) || /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value)) return;
  if (/^[A-Za-z][a-z]+(?:\d{0,4}[A-Z][a-z]*\d{0,4})+$/.test(value) || !isSure(value)) return;
  if (!isPassword && (value.length < MIN_DRAWN || !isRandom(value))) return;
  const from = found.index + found[0].indexOf(value);
  scan.withhold(from, from + value.length);
}

// ---- Rows below a header ----

const MAX_ROWS = 24;
const MAX_LINE = 400;
const SEPARATOR = /^\s*[|+]?[-+=:| ]{3,}$/;
const HEADER_CELL = /^\s{0,40}["'`]?[A-Za-z가-힣][\w가-힣 .-]{0,30}["'`]?\s{0,40}$/;

/** The name of a column: what stands under it, in a table or a file of values. */
export function judgeColumn(scan: Scan, start: number, end: number): void {
  const { text } = scan;
  const delimiter = delimiterAt(text, start, end);
  if (delimiter === '') return;
  scan.spend(100);
  const before = text.slice(Math.max(0, start - MAX_LINE), start);
  const lineStart = before.lastIndexOf('\n') + 1;
  if (lineStart === 0 && start > MAX_LINE) return;
  const header = before.slice(lineStart) + text.slice(start, end) + lineAt(text, end);
  const cells = cellsOf(header, delimiter);
  if (cells.length < 2 || !cells.every((cell) => HEADER_CELL.test(cell))) return;
  const column = before.slice(lineStart).split(delimiter).length - 1;
  let from = end + lineAt(text, end).length + 1;
  for (let row = 0; row < MAX_ROWS; row++, from += lineAt(text, from).length + 1) {
    const line = lineAt(text, from);
    scan.spend(40 + line.length);
    if (SEPARATOR.test(line)) continue;
    if (line.split(delimiter).length < cells.length) return;
    judgeCell(scan, line.split(delimiter), column, from);
  }
}

/** `| name |`, `name,`, `"name";`, or one of them before a name that ends its line. */
function delimiterAt(text: string, start: number, end: number): string {
  const behind = /^["'`]?(?:([,;\t])|[ ]{0,40}(\|)|\r?\n)/.exec(text.slice(end, end + 44));
  if (behind === null) return '';
  const before = /(?:([,;\t])[ ]?|(\|) {0,40})["'`]?$/.exec(
    text.slice(Math.max(0, start - 44), start),
  );
  return behind[1] ?? behind[2] ?? before?.[1] ?? before?.[2] ?? '';
}

/** Tables have an empty cell at both ends. */
function cellsOf(line: string, delimiter: string): string[] {
  const cells = line.trim().split(delimiter);
  // Before the table may stand a number, a mark of a comment, the beginning of JSON.
  if (delimiter === '|' && !HEADER_CELL.test(cells[0] ?? '')) cells.shift();
  if (delimiter === '|' && cells.at(-1) === '') cells.pop();
  return cells;
}

function lineAt(text: string, from: number): string {
  const line = text.slice(from, from + MAX_LINE);
  const length = line.indexOf('\n');
  return length < 0 ? line : line.slice(0, length);
}

function judgeCell(scan: Scan, cells: readonly string[], column: number, from: number): void {
  const cell = cells[column] ?? '';
  const value = cell.trim().replace(/^["'`]|["'`]$/g, '');
  if (/\s/.test(value)) return;
  if (!isChosen(value) && (isPlaceholder(value) || !isRandom(value) || value.length < MIN_DRAWN))
    return;
  const at = from + cells.slice(0, column).join('|').length + (column > 0 ? 1 : 0);
  const start = at + cell.indexOf(value);
  scan.withhold(start, start + value.length);
}

// ---- Dumps: the columns stand in brackets ----

const COLUMNS_BEFORE = /(?:insert\s{1,4}into|copy)\s{1,4}[^\s(]{1,80}\s{0,4}\(([^()]{0,300})$/i;
const VALUES_BEHIND = /[^()]{0,300}\)\s{0,8}values\s{0,8}\(/iy;
const STDIN_BEHIND = /[^()]{0,300}\)\s{1,4}from\s{1,4}stdin[^\n]{0,60}\n/iy;
const NEXT_ROW = /\)\s{0,4},\s{0,8}\(/y;

/** `INSERT INTO t (name, password) VALUES ('…', '…')`, `COPY t (name, password) FROM stdin`. */
export function judgeDump(scan: Scan, start: number, end: number): void {
  const { text } = scan;
  if (!/^["'`]?\s?[,)]/.test(text.slice(end, end + 3))) return;
  const columns = COLUMNS_BEFORE.exec(text.slice(Math.max(0, start - 400), start));
  if (columns === null) return;
  scan.spend(200);
  const column = (columns[1] as string).split(',').length - 1;
  STDIN_BEHIND.lastIndex = end;
  if (STDIN_BEHIND.test(text)) judgeTabs(scan, column, STDIN_BEHIND.lastIndex);
  VALUES_BEHIND.lastIndex = end;
  if (VALUES_BEHIND.test(text)) judgeTuples(scan, column, VALUES_BEHIND.lastIndex);
}

function judgeTabs(scan: Scan, column: number, start: number): void {
  let from = start;
  for (let row = 0; row < MAX_ROWS; row++) {
    const line = lineAt(scan.text, from);
    if (line === '\\.' || line === '') return;
    scan.spend(40 + line.length);
    judgeCell(scan, line.split('\t'), column, from);
    from += line.length + 1;
  }
}

function judgeTuples(scan: Scan, column: number, start: number): void {
  let from = start;
  for (let row = 0; row < MAX_ROWS; row++) {
    const values = argumentsAt(scan.text, from);
    scan.spend(200);
    const [first, last] = values[column] ?? [0, 0];
    const value = /^\s*N?'([^'\n]{6,200})'/.exec(scan.text.slice(first, last))?.[1] ?? '';
    if (value !== '' && isSure(value)) {
      const at = scan.text.indexOf(value, first);
      scan.withhold(at, at + value.length);
    }
    NEXT_ROW.lastIndex = values.at(-1)?.[1] ?? from;
    if (!NEXT_ROW.test(scan.text)) return;
    from = NEXT_ROW.lastIndex;
  }
}
