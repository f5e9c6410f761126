/**
 * Connects Claude Code's status line (C2): Claude Code tells it the exact window of each session,
 * which versions without mods tell nowhere else. One word of the user's settings.json is changed;
 * the user's own status line stands inside of it, word for word, is run as before, also if our
 * program is gone, and comes back as it was written. A status line that is not ours any more is
 * left alone.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../platform/store/attempt.ts';
import type { Places } from '../platform/store/places.ts';
import { readSmallFile } from '../platform/store/read-file.ts';
import { literalAt, parseWithComments, withLiteral, withoutEntry } from './edit-json.ts';
import {
  changeSettings,
  type Edit,
  parsedSettings,
  previewSettings,
} from './edit-user-settings.ts';
import { copyFolder } from './plugin-copy.ts';
import { claudeSettingsPath } from './user-settings.ts';

const ENTRY = 'statusLine';
const COMMAND = [ENTRY, 'command'];
const SCRIPT = join('hooks', 'status-line.sh');
const MAX_BYTES = 16 * 1024 * 1024;
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

export interface BridgeOptions {
  places: Places;
  platform?: NodeJS.Platform;
}

const scriptPath = (places: Places) => join(copyFolder(places), SCRIPT);
/** The settings as they were before, so that they can come back to the byte. */
const beforePath = (places: Places) => join(places.home, 'status-line-before.json');

export function statusLineState({ places }: BridgeOptions): StatusLineState {
  const path = claudeSettingsPath(places);
  const file = readSmallFile(path, MAX_BYTES);
  if (file.state === 'refused')
    return {
      kind: 'unknown',
      reason: message('plugin.settingsUnreadable', { reason: file.reason }),
    };
  if (file.state === 'missing' || file.text.trim() === '') return { kind: 'none' };
  const settings = parseWithComments(file.text);
  return settings === undefined
    ? { kind: 'unknown', reason: message('plugin.statusLineInvalidJson', { path }) }
    : stateIn(settings);
}

function stateIn({ [ENTRY]: entry }: Record<string, unknown>): StatusLineState {
  if (entry === undefined) return { kind: 'none' };
  const { type, command } = (entry ?? {}) as { type?: unknown; command?: unknown };
  if (type !== 'command' || typeof command !== 'string')
    return {
      kind: 'unknown',
      reason: message('plugin.statusLineNoCommand', { entry: ENTRY }),
    };
  const ours = readCommand(command);
  if (ours !== undefined)
    return { kind: 'connected', own: ours.own, isWhole: existsSync(ours.script) };
  return BY_HAND.test(command) ? { kind: 'by-hand' } : { kind: 'own', command };
}

/** What connecting would change, line by line. */
export function connectPreview(options: BridgeOptions): Message[] {
  const lines = previewSettings(options.places, connecting(options));
  return statusLineState(options).kind === 'none'
    ? [...lines, message('plugin.statusLineAdded')]
    : lines;
}

/** Says what it did. */
export function connectStatusLine(options: BridgeOptions): Message[] {
  const { places } = options;
  const { kind } = statusLineState(options);
  const { before, after, kept } = changeSettings(places, connecting(options));
  if (before === after) return [message('plugin.statusLineConnectedAlready')];
  if (kind !== 'connected') writeFileAtomic(beforePath(places), before);
  return [
    message('plugin.statusLineConnected', { entry: ENTRY, path: claudeSettingsPath(places) }),
    message(kind === 'none' ? 'plugin.statusLineAdded' : 'plugin.statusLineOwnShown'),
    ...(kept === undefined ? [] : [message('plugin.previousKept', { path: kept })]),
  ];
}

/** What disconnecting would change, line by line. */
export function disconnectPreview({ places }: BridgeOptions): Message[] {
  return previewSettings(places, disconnecting(places));
}

/** Says what it did. Nothing, unless the status line is one of ours. */
export function disconnectStatusLine(options: BridgeOptions): Message[] {
  const state = statusLineState(options);
  if (state.kind !== 'connected') return [message('plugin.statusLineNotConnected')];
  const { kept } = changeSettings(options.places, disconnecting(options.places));
  return [
    message(state.own === undefined ? 'plugin.statusLineRemoved' : 'plugin.statusLineRestored'),
    ...(kept === undefined ? [] : [message('plugin.previousKept', { path: kept })]),
  ];
}

/**
 * Settings of projects whose own status line is shown instead of the user's. They are never
 * changed.
 */
export function projectStatusLines(places: Places, roots: readonly string[]): string[] {
  const folders = roots
    .map((root) => join(root, '.claude'))
    .filter((folder) => folder !== places.claude);
  const files = folders.flatMap((folder) =>
    ['settings.json', 'settings.local.json'].map((name) => join(folder, name)),
  );
  return [...new Set(files)].filter((path) => parsedSettings(path)?.[ENTRY] !== undefined);
}

function connecting({ places, platform = process.platform }: BridgeOptions): Edit {
  if (platform === 'win32') throw new ExpectedError(message('plugin.statusLineNotOnWindows'));
  const script = scriptPath(places);
  if (!existsSync(script)) throw new ExpectedError(message('plugin.statusLineNeedsPlugin'));
  return (text) => {
    const state = stateIn(parseWithComments(text) ?? {});
    if (state.kind === 'unknown') throw new ExpectedError(state.reason);
    if (state.kind === 'by-hand') return text;
    if (state.kind === 'none')
      return withLiteral(
        text,
        [ENTRY],
        `{ "type": "command", "command": ${JSON.stringify(commandFor(script, undefined))} }`,
      );
    const own = state.kind === 'own' ? state.command : state.own;
    return withLiteral(text, COMMAND, JSON.stringify(commandFor(script, own)));
  };
}

function disconnecting(places: Places): Edit {
  return (text) => {
    const settings = parseWithComments(text);
    const state = stateIn(settings ?? {});
    if (state.kind !== 'connected') return text;
    const file = readSmallFile(beforePath(places), MAX_BYTES);
    const before = file.state === 'ok' ? file.text : '';
    if (state.own === undefined)
      return isAddedTo(before, text) ? before : withoutEntry(text, ENTRY);
    const written = literalAt(before, COMMAND) ?? '';
    return withLiteral(
      text,
      COMMAND,
      parseJson(written) === state.own ? written : JSON.stringify(state.own),
    );
  };
}

/**
 * Nothing but our entry was added since: then what was there before is exactly what has to come
 * back, commas and all.
 */
function isAddedTo(before: string, text: string): boolean {
  const { [ENTRY]: entry } = (parseWithComments(text) ?? {}) as { [ENTRY]?: { command?: unknown } };
  const literal = `{ "type": "command", "command": ${JSON.stringify(entry?.command)} }`;
  return attempt(() => withLiteral(before, [ENTRY], literal) === text, false);
}

/**
 * The command that Claude Code gives to /bin/sh. It has the user's own in it and needs nothing of
 * ours: where the plugin's folder is gone, the user's own runs all the same.
 */
function commandFor(script: string, own: string | undefined): string {
  if (own === undefined) return `s=${quoted(script)}; [ -r "$s" ] && exec /bin/sh "$s"`;
  return `set -- ${quoted(own)}; s=${quoted(script)}; [ -r "$s" ] && exec /bin/sh "$s" "$1"; exec /bin/sh -c "$1"`;
}

/** Undefined if it is not exactly as we write it. */
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
