/**
 * Long turns (K6): a clear waits until a turn is over, so inside one only Claude Code itself can make
 * room. On the user's yes, `autoCompactWindow` in its settings has it compact at the user's critical
 * threshold, in all projects or in one. What stood there before is noted, and comes back on a no and
 * when the plugin goes; a value that the user set is never replaced unnamed.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { ClaudeSettings, type ClaudeSettingsFile } from '../claude/context/claude-settings.ts';
import {
  compactionPoint,
  LARGEST_MODEL_WINDOW,
  type SetBy,
  windowToCompactAt,
} from '../claude/context/compaction-point.ts';
import { compactionBy } from '../claude/context/compaction-words.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { hasLinkInProject, removeFromProject } from '../platform/project/read-in-project.ts';
import { attempt, parseJson } from '../platform/store/attempt.ts';
import { type DocumentKind, readDocument, updateDocument } from '../platform/store/document.ts';
import type { Places } from '../platform/store/places.ts';
import { isRecord, recordAt } from '../platform/text/json.ts';
import { readSettings } from '../settings/settings.ts';
import { type Threshold, thresholdTokens } from '../settings/thresholds.ts';
import { literalAt, parseWithComments, withLiteral, withoutEntry } from './edit-json.ts';
import {
  changeSettings,
  type Edit,
  localSettings,
  previewSettings,
  type SettingsFile,
  userSettings,
} from './user-settings.ts';

const ENTRY = 'autoCompactWindow';
const LOCAL = '.claude/settings.local.json';
/** The usual windows, each with a model that has it. */
const WINDOWS = [
  { window: 200_000, model: 'claude-sonnet-4-5' },
  { window: LARGEST_MODEL_WINDOW, model: 'claude-opus-5-5' },
];

interface LongTurnsOptions {
  places: Places;
  env: NodeJS.ProcessEnv;
  /** For the sessions that are started in this folder alone. */
  project?: string | undefined;
}

export interface LongTurnsView {
  /** Memory Keeper has set it, and it still stands. */
  isOn: boolean;
  /** It is on for another threshold than the user has now. */
  isBehind: boolean;
  /** Claude Code's settings file that it stands in. */
  path: string;
  /** The value for the user's critical threshold. */
  value: number;
  /** What the user has set, as it is written; null if nothing, or if it is ours. */
  own: string | null;
  windows: { window: number; criticalAt: number; compactsAt: number | null }[];
  /** Why Claude Code would not obey. */
  obstacles: Message[];
  /** What the switch would change; null where the file cannot be changed safely. */
  preview: Message[] | null;
}

/** What we wrote, and what stood there before, as it was written; null if nothing did. */
const Kept = v.object({
  value: v.number(),
  /** What we had written before, while the new value may not be there yet. */
  was: v.optional(v.number()),
  before: v.nullable(v.string()),
  /** There was no such file. */
  isNew: v.optional(v.boolean()),
});
type Kept = v.InferOutput<typeof Kept>;

const keptFile: DocumentKind<{ user?: Kept | undefined; projects: Record<string, Kept> }> = {
  version: 1,
  schema: v.looseObject({
    user: v.optional(Kept),
    projects: v.fallback(v.record(v.string(), Kept), {}),
  }),
  empty: () => ({ projects: {} }),
};

const keptPath = (places: Places) => join(places.home, 'long-turns.json');

export function longTurnsView(options: LongTurnsOptions): LongTurnsView {
  const { places } = options;
  const file = fileOf(options);
  const [literal, kept] = [literalIn(file), keptOf(options)];
  const isOn = isOurs(literal, kept);
  const value = wantedValue(options);
  const isBehind = isOn && literal !== String(value);
  const edit = isOn && !isBehind && kept !== undefined ? giving(kept) : setting(value);
  return {
    isOn,
    isBehind,
    path: file.path,
    value,
    own: isOn ? null : (literal ?? null),
    ...effectOf(options, file, value),
    preview: attempt(() => previewSettings(places, edit, file), null),
  };
}

/**
 * `replace`: the value of the user's own that it may take the place of, as it is written. Returns
 * what it did, line by line.
 */
export function turnOnLongTurns(options: LongTurnsOptions, replace?: string): Message[] {
  const { places } = options;
  const file = fileOf(options);
  const literal = literalIn(file);
  const kept = keptOf(options);
  const value = wantedValue(options);
  const isStanding = isOurs(literal, kept);
  if (literal !== undefined && !isStanding && literal !== String(value))
    assertNamed(file.path, literal, replace, value);
  const { obstacles } = effectOf(options, file, value);
  const noted = isStanding && kept !== undefined ? kept : newNote(file, literal);
  // Noted first: what is written without a note could never be taken back.
  keep(options, { ...noted, value, was: isStanding ? kept?.value : undefined });
  const { isChanged, backup } = changeSettings(places, setting(value), file);
  keep(options, { ...noted, value, was: undefined });
  const done = isChanged ? 'longTurns.turnedOn' : 'longTurns.onAlready';
  const restart = isChanged ? [message('plugin.restartSessions')] : [];
  const first = message(done, { entry: ENTRY, value, path: file.path });
  return [first, ...backup, ...restart, ...obstacles];
}

function assertNamed(path: string, own: string, named: string | undefined, value: number): void {
  const isNamed = named === own || named === String(parseJson(own));
  if (!isNamed) throw new ExpectedError(message('longTurns.ownValue', { path, own, value }));
}

function newNote(file: SettingsFile, literal: string | undefined): Omit<Kept, 'value'> {
  const isNew = file.read().state === 'missing';
  return { before: literal ?? null, ...(isNew && { isNew }) };
}

/** Returns what it did: nothing, unless the value is ours. */
export function turnOffLongTurns(options: LongTurnsOptions): Message[] {
  const kept = keptOf(options);
  if (kept === undefined) return [message('longTurns.offAlready')];
  const file = fileOf(options);
  const literal = literalIn(file);
  const done = isOurs(literal, kept)
    ? takeBack(options, file, kept)
    : [leftAsItIs(file.path, literal)];
  keep(options, undefined);
  return done;
}

/** Everywhere, since nobody would answer any more. Returns what is worth telling. */
export function takeBackLongTurns({ places, env }: LongTurnsOptions): Message[] {
  const { user, projects } = readKept(places);
  const scopes = [...(user === undefined ? [] : [undefined]), ...Object.keys(projects)];
  return scopes.flatMap((project) =>
    // A project may be gone, or on a disk that is not there: the plugin goes all the same.
    attempt(() => turnOffLongTurns({ places, env, project }), []),
  );
}

/** After the critical threshold has changed. Only what is ours follows; never throws. */
export function followCriticalThreshold({ places, env }: LongTurnsOptions): Message[] {
  const { user, projects } = readKept(places);
  const scopes = [...(user === undefined ? [] : [undefined]), ...Object.keys(projects)];
  return scopes.flatMap((project) => {
    const options = { places, env, project };
    return attempt(() => {
      const isToFollow =
        isOurs(literalIn(fileOf(options)), keptOf(options)) &&
        keptOf(options)?.value !== wantedValue(options);
      return isToFollow ? turnOnLongTurns(options) : [];
    }, []);
  });
}

function takeBack(
  { places, project }: LongTurnsOptions,
  file: SettingsFile,
  kept: Kept,
): Message[] {
  const { backup } = changeSettings(places, giving(kept), file);
  const isLeftEmpty = kept.isNew === true && isEmptyObject(file);
  if (isLeftEmpty && project !== undefined) removeFromProject(project, LOCAL);
  const { path } = file;
  const done =
    kept.before === null
      ? message('longTurns.removed', { entry: ENTRY, path })
      : message('longTurns.restored', { entry: ENTRY, path, before: kept.before });
  return [done, ...backup];
}

function leftAsItIs(path: string, literal: string | undefined): Message {
  return literal === undefined
    ? message('longTurns.goneAlready', { entry: ENTRY, path })
    : message('longTurns.leftYours', { entry: ENTRY, path, own: literal });
}

const setting =
  (value: number): Edit =>
  (text) =>
    withLiteral(text, [ENTRY], String(value));

const giving =
  ({ before }: Kept): Edit =>
  (text) =>
    before === null ? withoutEntry(text, ENTRY) : withLiteral(text, [ENTRY], before);

function isOurs(literal: string | undefined, kept: Kept | undefined): boolean {
  return kept !== undefined && (literal === String(kept.value) || literal === String(kept.was));
}

function fileOf({ places, project }: LongTurnsOptions): SettingsFile {
  if (project === undefined) return userSettings(places);
  if (hasLinkInProject(project, LOCAL))
    throw new ExpectedError(message('store.isLink', { path: join(project, LOCAL) }));
  return localSettings(project);
}

function textOf(file: SettingsFile): string {
  const reading = file.read();
  return reading.state === 'ok' ? reading.text : '';
}

const literalIn = (file: SettingsFile) => literalAt(textOf(file), [ENTRY]);

function isEmptyObject(file: SettingsFile): boolean {
  const settings = parseWithComments(textOf(file));
  return settings !== undefined && Object.keys(settings).length === 0;
}

function wantedValue({ places, project }: LongTurnsOptions): number {
  return windowToCompactAt(criticalIn(places, project));
}

function criticalIn(places: Places, project: string | undefined): Threshold {
  return readSettings(places, project).settings.thresholds.critical;
}

/** Where Claude Code would compact with that value, and what is in the way. */
function effectOf(
  { places, env, project }: LongTurnsOptions,
  { path, read }: SettingsFile,
  value: number,
): Pick<LongTurnsView, 'windows' | 'obstacles'> {
  const found = new ClaudeSettings(places).filesFor(project);
  const files = withValue(found, path, project === undefined ? 'user' : 'local', value);
  const critical = criticalIn(places, project);
  const points = WINDOWS.map(({ window, model }) => {
    const point = compactionPoint({ model, window, claudeWindow: window, files, env });
    return { window, criticalAt: Math.round(thresholdTokens(critical, window)), point };
  });
  const isUnread = read().state === 'ok' && !found.some((file) => file.path === path);
  const isOther = ({ name, path: own }: SetBy) => name !== ENTRY || own !== path;
  const other = points.find(({ point: { from } }) => from !== null && isOther(from))?.point;
  const models = modelsApart(files, path);
  return {
    windows: points.map(({ point, ...rest }) => ({ ...rest, compactsAt: point.tokens })),
    obstacles: [
      ...(isUnread ? [message('longTurns.notLoaded', { path })] : []),
      ...(other?.source === 'off'
        ? [message('longTurns.switchedOff', { by: compactionBy(other.source, other.from) })]
        : []),
      ...(other !== undefined && other.source !== 'off'
        ? [message('longTurns.overridden', { by: compactionBy(other.source, other.from) })]
        : []),
      ...(models.length > 0 ? [message('longTurns.modelsApart', { models })] : []),
    ],
  };
}

function withValue(
  files: readonly ClaudeSettingsFile[],
  path: string,
  scope: 'user' | 'local',
  value: number,
): ClaudeSettingsFile[] {
  const isManaged = (file: ClaudeSettingsFile) => file.scope === 'managed';
  const isWeaker = ({ scope: own }: ClaudeSettingsFile) =>
    own === 'global' || (scope === 'local' && own !== 'local' && own !== 'managed');
  const before = files.find((file) => file.path === path);
  const ours = {
    ...{ scope, path, changedAt: 0 },
    settings: { ...before?.settings, [ENTRY]: value },
  };
  const others = files.filter((file) => file.path !== path);
  const stronger = others.filter((file) => !isWeaker(file) || isManaged(file));
  return [...others.filter((file) => !stronger.includes(file)), ours, ...stronger];
}

/** Models for which the user's settings say something of their own, which comes first. */
function modelsApart(files: readonly ClaudeSettingsFile[], path: string): string[] {
  const settings = files.find((file) => file.path === path)?.settings ?? {};
  const models = recordAt(settings, 'modelSettings') ?? {};
  return Object.keys(models).filter((id) => {
    const own = models[id];
    return isRecord(own) && own[ENTRY] !== undefined;
  });
}

function readKept(places: Places) {
  const reading = readDocument(keptPath(places), keptFile);
  return reading.state === 'ok' ? reading.value : keptFile.empty();
}

function keptOf({ places, project }: LongTurnsOptions): Kept | undefined {
  const { user, projects } = readKept(places);
  return project === undefined ? user : projects[project];
}

function keep({ places, project }: LongTurnsOptions, kept: Kept | undefined): void {
  updateDocument(keptPath(places), keptFile, (file) => {
    if (project === undefined) return { ...file, user: kept };
    const { [project]: _, ...others } = file.projects;
    return { ...file, projects: kept === undefined ? others : { ...others, [project]: kept } };
  });
}
