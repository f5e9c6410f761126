/**
 * Connects Claude Code's status line (C2): versions without mods tell the exact window nowhere
 * else. Changes one word of the user's settings.json. Ours runs the user's own status line as
 * before, even if our program is gone, and gives it back as it was written. One that is no longer
 * ours is left alone.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../platform/store/attempt.ts';
import type { Places } from '../platform/store/places.ts';
import { literalAt, parseWithComments, withLiteral, withoutEntry } from './edit-json.ts';
import { copyFolder } from './plugin-copy.ts';
import {
  changeSettings,
  claudeSettingsPath,
  type Edit,
  parseProjectSettings,
  previewSettings,
  readSettingsFile,
} from './user-settings.ts';

const ENTRY = 'statusLine';
const COMMAND = [ENTRY, 'command'];
const SCRIPT = join('hooks', 'status-line.sh');
const OURS = /^(?:set -- ('(?:[^']|'\\'')*'); )?s=('(?:[^']|'\\'')*'); \[ -r /;
const BY_HAND = /\bmemory-keeper\b.*\bstatusline\b/s;

export type StatusLineState =
  | { kind: 'none' }
  /** The user's own, which we know nothing of. */
  | { kind: 'own'; command: string }
  /** `isWhole`: what it starts is there. `own`: what it runs for the user. */
  | { kind: 'connected'; own: string | undefined; isWhole: boolean }
  /** `memory-keeper statusline`, as its help tells to write it. */
  | { kind: 'by-hand' }
  | { kind: 'unknown'; reason: Message };

interface StatusLineOptions {
  places: Places;
  platform?: NodeJS.Platform;
}

/** The settings as they were before, so that they can come back to the byte. */
const beforePath = (places: Places) => join(places.home, 'status-line-before.json');

export function statusLineState({ places }: StatusLineOptions): StatusLineState {
  const path = claudeSettingsPath(places);
  const file = readSettingsFile(path);
  if (file.state === 'refused')
    return unknown(message('plugin.settingsUnreadable', { reason: file.reason }));
  if (file.state === 'missing' || file.text.trim() === '') return { kind: 'none' };
  const settings = parseWithComments(file.text);
  return settings === undefined
    ? unknown(message('plugin.statusLineInvalidJson', { path }))
    : stateIn(settings);
}

const unknown = (reason: Message): StatusLineState => ({ kind: 'unknown', reason });

function stateIn({ [ENTRY]: entry }: Record<string, unknown>): StatusLineState {
  if (entry === undefined) return { kind: 'none' };
  const { type, command } = (entry ?? {}) as { type?: unknown; command?: unknown };
  if (type !== 'command' || typeof command !== 'string')
    return unknown(message('plugin.statusLineNoCommand', { entry: ENTRY }));
  const ours = readCommand(command);
  if (ours !== undefined)
    return { kind: 'connected', own: ours.own, isWhole: existsSync(ours.script) };
  return BY_HAND.test(command) ? { kind: 'by-hand' } : { kind: 'own', command };
}

/** Returns what connecting would change, line by line. */
export function connectPreview(options: StatusLineOptions): Message[] {
  const lines = previewSettings(options.places, connecting(options));
  return statusLineState(options).kind === 'none'
    ? [...lines, message('plugin.statusLineAdded')]
    : lines;
}

/** Returns what it did, line by line. */
export function connectStatusLine(options: StatusLineOptions): Message[] {
  const { places } = options;
  const { kind } = statusLineState(options);
  const { before, isChanged, backup } = changeSettings(places, connecting(options));
  if (!isChanged) return [message('plugin.statusLineConnectedAlready')];
  if (kind !== 'connected') writeFileAtomic(beforePath(places), before);
  return [
    message('plugin.statusLineConnected', { entry: ENTRY, path: claudeSettingsPath(places) }),
    message(kind === 'none' ? 'plugin.statusLineAdded' : 'plugin.statusLineOwnShown'),
    ...backup,
  ];
}

/** Returns what disconnecting would change, line by line. */
export function disconnectPreview({ places }: StatusLineOptions): Message[] {
  return previewSettings(places, disconnecting(places));
}

/** Returns what it did: nothing, unless the status line is ours. */
export function disconnectStatusLine(options: StatusLineOptions): Message[] {
  const state = statusLineState(options);
  if (state.kind !== 'connected') return [message('plugin.statusLineNotConnected')];
  const { backup } = changeSettings(options.places, disconnecting(options.places));
  return [
    message(state.own === undefined ? 'plugin.statusLineRemoved' : 'plugin.statusLineRestored'),
    ...backup,
  ];
}

/** Settings of projects whose own status line hides the user's. They are never changed. */
export function projectStatusLines(places: Places, roots: readonly string[]): string[] {
  const others = [...new Set(roots)].filter((root) => join(root, '.claude') !== places.claude);
  return others.flatMap((root) =>
    ['.claude/settings.json', '.claude/settings.local.json']
      .filter((name) => parseProjectSettings(root, name)?.[ENTRY] !== undefined)
      .map((name) => join(root, name)),
  );
}

function connecting({ places, platform = process.platform }: StatusLineOptions): Edit {
  if (platform === 'win32') throw new ExpectedError(message('plugin.statusLineNotOnWindows'));
  const script = join(copyFolder(places), SCRIPT);
  if (!existsSync(script)) throw new ExpectedError(message('plugin.statusLineNeedsPlugin'));
  return (text) => {
    const state = stateIn(parseWithComments(text) ?? {});
    if (state.kind === 'unknown') throw new ExpectedError(state.reason);
    if (state.kind === 'by-hand') return text;
    if (state.kind === 'none')
      return withLiteral(text, [ENTRY], entryLiteral(commandFor(script, undefined)));
    const own = state.kind === 'own' ? state.command : state.own;
    return withLiteral(text, COMMAND, JSON.stringify(commandFor(script, own)));
  };
}

const entryLiteral = (command: unknown) =>
  `{ "type": "command", "command": ${JSON.stringify(command)} }`;

function disconnecting(places: Places): Edit {
  return (text) => {
    const state = stateIn(parseWithComments(text) ?? {});
    if (state.kind !== 'connected') return text;
    const file = readSettingsFile(beforePath(places));
    const before = file.state === 'ok' ? file.text : '';
    if (state.own === undefined)
      return isAddedTo(before, text) ? before : withoutEntry(text, ENTRY);
    const written = literalAt(before, COMMAND) ?? '';
    const isSame = parseJson(written) === state.own;
    return withLiteral(text, COMMAND, isSame ? written : JSON.stringify(state.own));
  };
}

/** Only our entry was added since: then what was there before comes back exactly. */
function isAddedTo(before: string, text: string): boolean {
  const entry = parseWithComments(text)?.[ENTRY] as { command?: unknown } | undefined;
  const literal = entryLiteral(entry?.command);
  return attempt(() => withLiteral(before, [ENTRY], literal) === text, false);
}

/** Claude Code gives it to /bin/sh. Where the plugin's folder is gone, the user's own still runs. */
function commandFor(script: string, own: string | undefined): string {
  if (own === undefined) return `s=${quoted(script)}; [ -r "$s" ] && exec /bin/sh "$s"`;
  return `set -- ${quoted(own)}; s=${quoted(script)}; [ -r "$s" ] && exec /bin/sh "$s" "$1"; exec /bin/sh -c "$1"`;
}

/** Undefined unless it is exactly as we write it. */
function readCommand(command: string): { script: string; own: string | undefined } | undefined {
  const [, own, script] = OURS.exec(command) ?? [];
  if (script === undefined) return undefined;
  const ours = { script: unquoted(script), own: own === undefined ? undefined : unquoted(own) };
  return ours.script.endsWith(SCRIPT) && commandFor(ours.script, ours.own) === command
    ? ours
    : undefined;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const unquoted = (text: string) => text.slice(1, -1).replaceAll("'\\''", "'");
