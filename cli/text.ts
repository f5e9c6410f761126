/**
 * Text for a terminal: measured in columns, freed of what could steer the terminal, coloured only
 * where wanted.
 */
import { stripVTControlCharacters, styleText } from 'node:util';

const WIDE =
  /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60\u{1f300}-\u{1faff}]/u;
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

export function hasColours(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

export function painter(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Paint {
  const colours = hasColours(stream, env);
  return (style, text) => (colours ? styleText(style, text) : text);
}

/** Names of folders and sessions come from outside and may carry escape sequences. */
export function plain(text: string): string {
  return stripVTControlCharacters(text).replace(/\p{C}/gu, '�');
}

/** The same of a message that has several lines. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}

/** Control characters but for lines and tabs, and what turns the direction of reading. */
const STEERING = /(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu;

/**
 * A longer text from memory, such as memory.md: lines, tabs and joined emoji stay, and nothing is
 * left that could steer the terminal.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.replaceAll('\r\n', '\n')).replace(STEERING, '�');
}

/** How many columns a text takes; Korean and other wide characters take two. */
export function columns(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text))
    width += WIDE.test(character) ? 2 : ZERO_WIDTH.test(character) ? 0 : 1;
  return width;
}

/** Shortens in the middle: the beginning and the end of a name say most. */
export function shorten(text: string, width: number): string {
  if (columns(text) <= width) return text;
  const characters = [...text];
  // more cannot fit anyway
  if (characters.length > width) characters.splice(Math.ceil(width / 2), characters.length - width);
  while (characters.length > 0 && columns(characters.join('')) > width - 1)
    characters.splice(Math.floor(characters.length / 2), 1);
  characters.splice(Math.ceil(characters.length / 2), 0, '…');
  return characters.join('');
}

/**
 * `YYYY-MM-DD HH:MM:SS` where the user is, of a time as files have it. Text that is no time, or only a
 * day, stays as it is.
 */
export function localTime(at: string): string {
  const time = new Date(at.includes('T') ? at : Number.NaN);
  return Number.isNaN(time.getTime()) ? at : time.toLocaleString('sv'); // the locale that writes times like this
}

export function thousands(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 session`, `2,000 sessions`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${thousands(count)} ${count === 1 ? one : many}`;
}
