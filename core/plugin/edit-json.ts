/**
 * Changes one thing in the text of a JSON file that belongs to somebody else (G4): everything else
 * in it, unknown keys, comments, order and spacing, stays byte for byte. Refuses a text that it does
 * not understand, and an edit that would change anything else.
 */
import { isDeepStrictEqual } from 'node:util';
import { ExpectedError } from '../messages/expected-error.ts';
import { message } from '../messages/message.ts';
import { parseJson } from '../platform/store/attempt.ts';
import { isRecord, type JsonRecord, recordAt } from '../platform/text/json.ts';

interface Token {
  text: string;
  from: number;
  to: number;
  /** How many brackets are open around it. */
  depth: number;
}

/** Where the name and the value of an entry begin among the tokens that are code, and its end. */
interface Entry {
  name: number;
  value: number;
  end: number;
}

const TOKEN = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"/]+/y;
const IS_SPACE_OR_COMMENT = /^(?:\s|\/[/*])/;
const IS_SPACE = /^\s/;

/** Allows comments and trailing commas; undefined if the text is no object even so. */
export function parseWithComments(text: string): JsonRecord | undefined {
  const code = codeOf(text);
  const isTrailingComma = (at: number) =>
    code[at]?.text === ',' && /^[}\]]$/.test(code[at + 1]?.text ?? '');
  const plain = code.filter((_, at) => !isTrailingComma(at)).map((token) => token.text);
  const json = parseJson(plain.join(' '));
  return isRecord(json) ? json : undefined;
}

/** As it is written, with its quotes and escapes; undefined unless it is a single word. */
export function literalAt(text: string, path: readonly string[]): string | undefined {
  const code = codeOf(text);
  const entry = entryAt(code, path);
  return entry !== undefined && entry.end === entry.value + 1 ? code[entry.value]?.text : undefined;
}

/** Replaces a single word, never a structure; a new name becomes the last entry of the file. */
export function withLiteral(text: string, path: readonly string[], literal: string): string {
  const before = parseWithComments(text);
  const wanted = before && withJson(before, path, parseJson(literal));
  return checked(edited(text, path, literal), wanted);
}

/** Leaves the text as it is if it has no such entry. */
export function withoutEntry(text: string, name: string): string {
  const before = parseWithComments(text);
  const { [name]: _, ...wanted } = before ?? {};
  return checked(before && cut(text, name), wanted);
}

function checked(text: string | undefined, wanted: JsonRecord | undefined): string {
  const isAsWanted =
    wanted !== undefined && isDeepStrictEqual(parseWithComments(text ?? ''), wanted);
  if (text === undefined || !isAsWanted) throw new ExpectedError(message('plugin.notUnderstood'));
  return text;
}

/** Undefined if the path leads through something that is no object. */
function withJson(
  json: JsonRecord,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): JsonRecord | undefined {
  if (rest.length === 0) return { ...json, [name]: value };
  const inner = recordAt(json, name);
  const changed = inner && withJson(inner, rest, value);
  return changed && { ...json, [name]: changed };
}

function edited(text: string, path: readonly string[], literal: string): string | undefined {
  const code = codeOf(text);
  const old = code[entryAt(code, path)?.value ?? -1];
  if (old !== undefined) return `${text.slice(0, old.from)}${literal}${text.slice(old.to)}`;
  return path.length === 1
    ? withNewLine(text, `${JSON.stringify(path[0])}: ${literal}`)
    : undefined;
}

/** The last entry of that name, which is the one that counts. */
function entryAt(
  code: readonly Token[],
  path: readonly string[],
  [from, to] = [0, code.length],
  depth = 1,
): Entry | undefined {
  const [name, ...rest] = path;
  const isName = ({ depth: own, text }: Token, at: number) =>
    at >= from &&
    at < to &&
    own === depth &&
    code[at + 1]?.text === ':' &&
    parseJson(text) === name;
  const at = code.findLastIndex(isName);
  if (at === -1) return undefined;
  const value = at + 2;
  const length = code
    .slice(value)
    .findIndex((token) => token.depth < depth || (token.depth === depth && token.text === ','));
  const end = length === -1 ? to : value + length;
  return rest.length === 0
    ? { name: at, value, end }
    : entryAt(code, rest, [value, end], depth + 1);
}

/** Adds the last entry, behind a comment that belongs to the one before. */
function withNewLine(text: string, entry: string): string {
  const tokens = tokensOf(text);
  const end = tokens.findLastIndex((token) => token.text === '}');
  const inside = tokens.slice(0, end);
  const last = inside.findLast(isCode);
  const lastShown = inside.findLast((token) => !IS_SPACE.test(token.text));
  if (last === undefined || lastShown === undefined) return text;
  const [, eol = '', indent = ''] = /(\r?\n)([ \t]+)\S/.exec(text) ?? /(\r?\n)/.exec(text) ?? [];
  const lead = eol === '' ? (last.text === '{' ? '' : ' ') : `${eol}${indent || '  '}`;
  const comma = last.text === '{' || last.text === ',' ? '' : ',';
  const isOneLine = eol === '' || !text.slice(lastShown.to, tokens[end]?.from).includes('\n');
  const tail = isOneLine && eol !== '' ? eol : '';
  return `${text.slice(0, last.to)}${comma}${text.slice(last.to, lastShown.to)}${lead}${entry}${tail}${text.slice(lastShown.to)}`;
}

/** Cuts the comma behind the entry too, or else the one before it; comments stay. */
function cut(text: string, name: string): string {
  const code = codeOf(text);
  const entry = entryAt(code, [name]);
  const [first, last, next] =
    entry === undefined ? [] : [code[entry.name], code[entry.end - 1], code[entry.end]];
  if (entry === undefined || first === undefined || last === undefined) return text;
  const isCommaBehind = next?.text === ',';
  const comma = isCommaBehind ? undefined : code[entry.name - 1];
  const lead = /\s*$/.exec(text.slice(0, first.from))?.[0].length ?? 0;
  const head = text.slice(0, first.from - lead);
  const kept = comma?.text === ',' ? `${head.slice(0, comma.from)}${head.slice(comma.to)}` : head;
  return `${kept}${text.slice(isCommaBehind ? next.to : last.to)}`;
}

const isCode = (token: Token) => !IS_SPACE_OR_COMMENT.test(token.text);

const codeOf = (text: string) => tokensOf(text).filter(isCode);

/** None if there is something in the text that JSON with comments does not have. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  let from = text.startsWith('\uFEFF') ? 1 : 0;
  while (from < text.length) {
    TOKEN.lastIndex = from;
    const [word] = TOKEN.exec(text) ?? [];
    if (word === undefined) return [];
    if (/^[}\]]$/.test(word)) depth--;
    tokens.push({ text: word, from, to: from + word.length, depth });
    if (/^[{[]$/.test(word)) depth++;
    from += word.length;
  }
  return tokens;
}
