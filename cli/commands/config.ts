/** `memory-keeper config`: shows and changes settings, for the user or for one project. */

import type {
  SettingDefinition,
  SettingKey,
  SettingValueType,
} from '../../core/settings/setting-definitions.ts';
import type { SettingValue } from '../../core/settings/settings.ts';
import type { SettingView } from '../../core/usecases/contract.ts';
import { createEngine } from '../../core/usecases/engine.ts';
import { type Message, renderMessage } from '../../core/usecases/messages.ts';
import {
  isPercentage,
  isSettingKey,
  SETTING_DEFINITIONS,
  SETTING_KEYS,
  settingHelp,
  settingUnit,
  windowsIn,
  withWindow,
} from '../../core/usecases/setting-catalogue.ts';
import { type Command, currentFolder, parseOptions, UsageError } from '../command.ts';
import { print, printJson, printNote } from '../output.ts';
import { problemsText } from '../status-text.ts';
import { painter, thousands } from '../text.ts';

const help = () => `Shows and changes settings.

Usage: memory-keeper config [--json]                     all settings, and where each comes from
       memory-keeper config set <setting> <value>        for you, in every project
       memory-keeper config set <setting> <value> --project   for the project in this folder only
       memory-keeper config unset <setting> [--project]  back to the default
       memory-keeper config undo [--project]             undo the last change
       memory-keeper config set models.windows.<model id> <tokens>   the context window of one model; unset removes it

After a change, the new and the previous value are shown; with --json, all settings.

Settings:
${SETTING_KEYS.map(helpFor).join('\n')}
`;

function helpFor(key: SettingKey): string {
  const { constraint, fallback } = SETTING_DEFINITIONS[key];
  const [help, values] = [settingHelp(key), constraint].map((text) => renderMessage('en', text));
  return `  ${key}\n      ${help}\n      ${values}. Default: ${shownValue(fallback)}`;
}

const SEE = 'memory-keeper config --help';
const WORDS_BEHIND = new Map([
  ['show', 0],
  ['set', 2],
  ['unset', 1],
  ['undo', 0],
]);

export const configCommand: Command = {
  name: 'config',
  summary: 'show and change settings',
  get help() {
    return help();
  },
  async run(args) {
    const { values: options, positionals } = parseOptions('config', {
      args,
      allowPositionals: true,
      options: { project: { type: 'boolean' }, json: { type: 'boolean' } },
    });
    const [action = 'show', key, value] = positionals;
    checkWords(action, positionals.length - 1);
    const engine = createEngine();
    const project = engine.projectRoot(currentFolder());
    const scope = { project: options.project === true ? project : undefined };
    const before = await engine.call('settings.read', { project });
    const notes: Message[] = [];

    if (action === 'undo') await engine.call('settings.undo', scope);
    else if (action !== 'show') {
      const { name, wanted } = changeFrom(action, key, value, valuesOf(before.settings));
      const changed = await engine.call('settings.change', { ...scope, key: name, value: wanted });
      notes.push(...changed.notes);
    }
    const now = await engine.call('settings.read', { project });
    const values = valuesOf(now.settings);
    const text =
      action === 'show'
        ? rowsText(values, SETTING_KEYS)
        : changeText(valuesOf(before.settings), values, isWindowKey(key) ? WINDOWS : key);
    if (options.json === true) printJson(values);
    else print(text);
    printNote(problemsText([...notes, ...now.problems], painter(process.stderr, process.env)));
  },
};

type SettingValues = Record<SettingKey, SettingValue>;

const WINDOWS = 'models.windows';
/** Whatever follows is a model's id, dots and all. */
const isWindowKey = (key: string | undefined) => key?.startsWith(`${WINDOWS}.`) === true;

function changeFrom(
  action: string,
  key: string | undefined,
  value: string | undefined,
  before: SettingValues,
): { name: SettingKey; wanted: SettingValueType | null } {
  if (isWindowKey(key)) {
    const id = key?.slice(WINDOWS.length + 1) ?? '';
    const window = action === 'set' ? numberFrom(value) : undefined;
    const windows = withWindow(before[WINDOWS].value, id, window);
    const isEmpty = Object.keys(windowsIn(windows)).length === 0;
    return { name: WINDOWS, wanted: isEmpty ? null : windows };
  }
  const name = settingKey(key);
  return { name, wanted: action === 'set' ? valueFrom(value, SETTING_DEFINITIONS[name]) : null };
}

function valuesOf(settings: readonly SettingView[]): SettingValues {
  const values = settings.map(({ key, value, from }) => [key, { value, from }] as const);
  return Object.fromEntries(values) as SettingValues;
}

function rowsText(values: SettingValues, names: readonly SettingKey[]): string {
  return names.map((name) => `${settingRow(name, values[name])}\n`).join('');
}

function settingRow(name: SettingKey, { value, from }: SettingValue): string {
  if (name === WINDOWS) return windowRows(value, from);
  const unit = settingUnit(name, value);
  const shown = `${shownValue(value)}${unit === '%' ? unit : ''}`;
  return `${name.padEnd(27)}${shown.padStart(11)} ${shownUnit(unit, value).padEnd(11)}${from}`;
}

/** One line a model. */
function windowRows(value: SettingValueType, from: string): string {
  const windows = Object.entries(windowsIn(value));
  if (windows.length === 0)
    return `${WINDOWS.padEnd(27)}${'none'.padStart(11)} ${''.padEnd(11)}${from}`;
  return windows
    .map(([id, window]) => {
      const name = `${WINDOWS}.${id}`.padEnd(27);
      return `${name}${thousands(window).padStart(11)} ${'tokens'.padEnd(11)}${from}`;
    })
    .join('\n');
}

function shownValue(value: SettingValueType): string {
  return typeof value === 'number' ? thousands(value) : String(value);
}

/** `1 minute`, `2 minutes`; a percent sign stands right behind its number. */
const shownUnit = (unit: string, value: SettingValueType) =>
  unit === '%' ? '' : unit.replace(value === 1 ? /s$/ : '', '');

/**
 * What holds in this folder otherwise than before; a setting of the user's changes nothing where
 * the project has one of its own.
 */
function changeText(before: SettingValues, now: SettingValues, key: string | undefined): string {
  const isChanged = (name: SettingKey) =>
    before[name].value !== now[name].value || before[name].from !== now[name].from;
  const changed = SETTING_KEYS.filter(isChanged);
  const named = SETTING_KEYS.filter((name) => name === key);
  if (changed.length === 0) return `${rowsText(now, named)}Nothing changes in this folder.\n`;
  return changed
    .map((name) => {
      const { value, from } = before[name];
      const unit = settingUnit(name, value);
      const text = unit === '%' ? `${value}%` : `${shownValue(value)} ${shownUnit(unit, value)}`;
      return `${settingRow(name, now[name])} (before: ${text.trim()}, ${from})\n`;
    })
    .join('');
}

function checkWords(action: string, wordsBehind: number): void {
  const expected = WORDS_BEHIND.get(action);
  if (expected === undefined) throw new UsageError(`Unknown action "${action}"`, SEE);
  if (wordsBehind > expected) throw new UsageError(`Too many arguments after "${action}"`, SEE);
}

function settingKey(key: string | undefined): SettingKey {
  if (key === undefined) throw new UsageError('Name a setting', SEE);
  if (!isSettingKey(key)) throw new UsageError(`Unknown setting "${key}"`, SEE);
  return key;
}

/** Of the kind that the setting has. */
function valueFrom(
  value: string | undefined,
  { fallback, unit }: SettingDefinition,
): SettingValueType {
  if (typeof fallback === 'number') return numberFrom(value);
  if (value === undefined) throw new UsageError('Missing value', SEE);
  if (unit !== undefined && /^\d/.test(value)) return numberFrom(value); // a word or a number
  if (typeof fallback === 'string') return value;
  if (/^(true|yes|on)$/i.test(value)) return true;
  if (/^(false|no|off)$/i.test(value)) return false;
  throw new UsageError(`"${value}" is neither true nor false`, SEE);
}

/** `70`, `70 %`, `150000`, `150,000`, `150k`. */
function numberFrom(value: string | undefined): number {
  if (value === undefined) throw new UsageError('Missing value', SEE);
  const match = /^(\d[\d,_]*(?:\.\d+)?)\s*(k|%)?$/i.exec(value.trim());
  if (match === null) throw new UsageError(`"${value}" is not a number`, SEE);
  const number =
    Number((match[1] ?? '').replace(/[,_]/g, '')) * (match[2]?.toLowerCase() === 'k' ? 1000 : 1);
  if (match[2] === '%' && !isPercentage(number))
    throw new UsageError(`"${value}" is more than 100%`, SEE);
  return number;
}
