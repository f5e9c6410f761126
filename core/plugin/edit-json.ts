/**
 * Changes one thing in a JSON file that belongs to somebody else (G4): everything else in it,
 * unknown keys, comments, order and spacing, stays byte for byte. Text in, text out. What is not
 * understood is refused, and so is an edit that would change anything else.
 */
import { isDeepStrictEqual } from 'node:util';
import { ExpectedError } from '../messages/expected-error.ts';
import { message } from '../messages/message.ts';
import { attempt, parseJson } from '../platform/store/attempt.ts';

interface Token {
  text: string;
  from: number;
  to: number;
  /** How many brackets are open around it. */
  depth: number;
}

/**
 * An entry of an object: where its name and its value stand among the tokens that are code; the end
 * is that of the value.
 */
interface Entry {
  name: number;
  value: number;
  end: number;
}

type Json = Record<string, unknown>;

const TOKEN = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"/]+/y;
const IS_SPACE_OR_COMMENT = /^(?:\s|\/[/*])/;
const IS_SPACE = /^\s/;

/**
 * With comments and commas at the end of a list taken for what they are; undefined if it is no
 * object even so.
 */
export function parseWithComments(text: string): Json | undefined {
  const tokens = tokensOf(text)?.filter(isCode);
  const isLastComma = (at: number) =>
    tokens?.[at]?.text === ',' && /^[}\]]$/.test(tokens[at + 1]?.text ?? '');
  const plain = tokens?.filter((_, at) => !isLastComma(at)).map((token) => token.text);
  const json: unknown = plain && attempt(() => JSON.parse(plain.join(' ')), undefined);
  return isObject(json) ? json : undefined;
}

/**
 * As it is written there, quotes and escapes and all; undefined if it is not there, or more than
 * one word.
 */
export function literalAt(text: string, path: readonly string[]): string | undefined {
  const code = (tokensOf(text) ?? []).filter(isCode);
  const entry = entryAt(code, path);
  return entry !== undefined && entry.end === entry.value + 1 ? code[entry.value]?.text : undefined;
}

/**
 * What stands at the path becomes `literal`, or is added as the last entry of its object. Only a
 * single word is replaced, never a structure.
 */
export function withLiteral(text: string, path: readonly string[], literal: string): string {
  const before = parseWithComments(text);
  const wanted = before && withJson(before, path, parseJson(literal));
  return checked(edited(text, path, literal), wanted);
}

/** Without an entry of the file's own object; as it is if there is none. */
export function withoutEntry(text: string, name: string): string {
  const before = parseWithComments(text);
  const { [name]: _, ...wanted } = before ?? {};
  return checked(before && without(text, name), wanted);
}

function checked(text: string | undefined, wanted: Json | undefined): string {
  if (
    text === undefined ||
    wanted === undefined ||
    !isDeepStrictEqual(parseWithComments(text), wanted)
  )
    throw new ExpectedError(message('plugin.notUnderstood'));
  return text;
}

/** Undefined if the way there leads through something that is no object. */
function withJson(
  json: Json,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Json | undefined {
  if (rest.length === 0) return { ...json, [name]: value };
  const inner = json[name];
  const changed = isObject(inner) ? withJson(inner, rest, value) : undefined;
  return changed && { ...json, [name]: changed };
}

function edited(text: string, path: readonly string[], literal: string): string | undefined {
  const tokens = tokensOf(text) ?? [];
  const code = tokens.filter(isCode);
  const old = code[entryAt(code, path)?.value ?? -1];
  if (old !== undefined) return `${text.slice(0, old.from)}${literal}${text.slice(old.to)}`;
  return path.length === 1
    ? withNewLine(text, tokens, `${JSON.stringify(path[0])}: ${literal}`)
    : undefined;
}

/** The last of that name: it is the one that counts. */
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

/** As the last entry, behind a comment that belongs to the one before. */
function withNewLine(text: string, tokens: readonly Token[], entry: string): string {
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

/**
 * With the comma that parted it from the next entry, or else from the one before; comments stay
 * where they are.
 */
function without(text: string, name: string): string {
  const code = (tokensOf(text) ?? []).filter(isCode);
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

export const isObject = (json: unknown): json is Json =>
  typeof json === 'object' && json !== null && !Array.isArray(json);
const isCode = (token: Token) => !IS_SPACE_OR_COMMENT.test(token.text);

/** Undefined if there is something in it that JSON with comments does not have. */
function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  let depth = 0;
  let from = text.startsWith('\uFEFF') ? 1 : 0;
  while (from < text.length) {
    TOKEN.lastIndex = from;
    const [word] = TOKEN.exec(text) ?? [];
    if (word === undefined) return undefined;
    if (/^[}\]]$/.test(word)) depth--;
    tokens.push({ text: word, from, to: from + word.length, depth });
    if (/^[{[]$/.test(word)) depth++;
    from += word.length;
  }
  return tokens;
}
