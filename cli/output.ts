/**
 * The one place where commands write (T3): whatever a text came from, nothing in it steers the
 * terminal, and where Claude runs the command nothing in it passes for a marker. Only what draws on
 * the screen itself writes past it.
 */
import { escapeMarkers } from '../core/usecases/escape-markers.ts';
import { hasColours, plainText } from './text.ts';

export interface PrintOptions {
  /** Its markers are ours, and what stands between them is escaped. */
  isForClaude?: boolean;
  /** JSON on one line, for a command that goes on. */
  isOneLine?: boolean;
}

/** A colour or style, as `painter` puts it around words. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are made of it
const STYLE = /(\x1b\[\d+(?:;\d+)*m)/;
/** What JSON does not escape by itself; the lines between values stay. */
const STEERING = /(?!\n)\p{Cc}|\p{Bidi_Control}/gu;

export function print(text: string, { isForClaude = false }: PrintOptions = {}): void {
  write(process.stdout, isForClaude || !isReadByClaude() ? text : escapeMarkers(text));
}

/** On stderr. */
export function printNote(text: string): void {
  write(process.stderr, isReadByClaude() ? escapeMarkers(text) : text);
}

export function printJson(data: unknown, options: PrintOptions = {}): void {
  const isEscaped = isReadByClaude() && options.isForClaude !== true;
  const shown = (_: string, value: unknown) =>
    isEscaped && typeof value === 'string' ? escapeMarkers(value) : value;
  const text = JSON.stringify(data, shown, options.isOneLine === true ? undefined : 2);
  process.stdout.write(`${text.replace(STEERING, asEscape)}\n`);
}

function write(stream: NodeJS.WriteStream, text: string): void {
  const pieces = hasColours(stream, process.env) ? text.split(STYLE) : [text];
  // A style that a text brought along was taken out of it where the text was put in.
  stream.write(pieces.map((piece, at) => (at % 2 === 1 ? piece : plainText(piece))).join(''));
}

/** Claude Code says so to the programs that Claude runs. */
function isReadByClaude(): boolean {
  return Boolean(process.env.CLAUDECODE);
}

function asEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
