/**
 * Claude Code's own compaction beside automatic clears (A9, K5): whether it is on, what says so, and
 * which of the two comes first, by the settings and in the sessions that run. Claude Code's command line cannot switch it, so a fix that only the
 * user starts edits one flag of their settings.json.
 */
import { dirname, join } from 'node:path';
import { ClaudeSettings } from '../claude/context/claude-settings.ts';
import { pointIfOn } from '../claude/context/compaction-point.ts';
import { compactionBy } from '../claude/context/compaction-words.ts';
import type { SessionStatus } from '../claude/status/session-status.ts';
import { type Message, message } from '../messages/message.ts';
import { attempt } from '../platform/store/attempt.ts';
import type { Places } from '../platform/store/places.ts';
import { withLiteral } from '../plugin/edit-json.ts';
import {
  changeSettings,
  claudeSettingsPath,
  parseSettings,
  previewSettings,
} from '../plugin/user-settings.ts';
import { readSettings, readSettingsOfAll } from '../settings/settings.ts';
import { thresholdTokens } from '../settings/thresholds.ts';
import {
  type DoctorOptions,
  firstFew,
  notice,
  type Patient,
  type Result,
  sessionName,
  well,
} from './check.ts';
import type { Fix } from './finding.ts';

/** Of each window the model that is compacted first. */
const WINDOWS = [
  { window: 200_000, model: 'claude-opus-4-6' },
  { window: 1_000_000, model: 'claude-opus-5-5' },
];
const FLAG = 'autoCompactEnabled';
const VARIABLES = ['DISABLE_AUTO_COMPACT', 'DISABLE_COMPACT'];
const IS_SET = /^(?:1|true|yes|on)$/i;

type AutoCompactOptions = Pick<DoctorOptions, 'places' | 'env'>;

export interface AutoCompactView {
  isOn: boolean;
  /** What says so. */
  from: Message;
  /** As long as this variable is set, the setting cannot switch it on. */
  variable: string | null;
  /** Automatic clears of the user; a project may have its own. */
  mode: 'auto' | 'ask' | 'off';
  /** In tokens, as the user's own settings have it; a project or a session may have its own. */
  windows: WindowView[];
  /** Null where settings.json cannot be changed safely, or where a variable decides. */
  fix: Fix | null;
}

interface WindowView {
  window: number;
  compactsAt: number;
  clearsAt: number;
  /** What sets where it compacts (K5). */
  by: Message;
}

export function autoCompactView(options: AutoCompactOptions): AutoCompactView {
  const { mode, threshold } = readSettings(options.places).settings.autoClear;
  const state = autoCompactState(options);
  const files = new ClaudeSettings(options.places).filesFor(undefined);
  return {
    ...state,
    mode,
    windows: WINDOWS.map(({ window, model }) => {
      const facts = { model, window, claudeWindow: window, files, env: options.env };
      const { tokens, source, from } = pointIfOn(facts);
      return {
        window,
        compactsAt: tokens ?? window,
        clearsAt: Math.round(thresholdTokens(threshold, window)),
        by: compactionBy(source, from),
      };
    }),
    fix: state.variable === null ? switchFix(options.places, !state.isOn) : null,
  };
}

function autoCompactState({
  places,
  env,
}: AutoCompactOptions): Pick<AutoCompactView, 'isOn' | 'from' | 'variable'> {
  const path = claudeSettingsPath(places);
  const settingsEnv = (parseSettings(path)?.env ?? {}) as Record<string, unknown>;
  const variable = VARIABLES.find(
    (name) => IS_SET.test(env[name] ?? '') || IS_SET.test(String(settingsEnv[name] ?? '')),
  );
  if (variable !== undefined)
    return { isOn: false, from: message('doctor.autoCompactByVariable', { variable }), variable };
  // Older versions kept the flag in .claude.json.
  const legacy = [places.claude, dirname(places.claude)].map((dir) => join(dir, '.claude.json'));
  for (const file of [path, ...legacy]) {
    const isOn = parseSettings(file)?.[FLAG];
    const from = message('doctor.autoCompactByFlag', { flag: FLAG, path: file });
    if (typeof isOn === 'boolean') return { isOn, from, variable: null };
  }
  return { isOn: true, from: message('doctor.autoCompactByDefault'), variable: null };
}

function switchFix(places: Places, isOn: boolean): Fix | null {
  const preview = attempt(() => previewSettings(places, switched(isOn)), null);
  const label = message(isOn ? 'doctor.autoCompactTurnOn' : 'doctor.autoCompactTurnOff');
  return preview && { id: isOn ? 'auto-compact-on' : 'auto-compact-off', label, preview };
}

/** Returns what it did, line by line. */
export function switchAutoCompact({ places }: { places: Places }, isOn: boolean): Message[] {
  const path = claudeSettingsPath(places);
  const { isChanged, backup } = changeSettings(places, switched(isOn));
  if (!isChanged)
    return [
      message(isOn ? 'doctor.autoCompactOnAlready' : 'doctor.autoCompactOffAlready', { path }),
    ];
  const code = isOn ? 'doctor.autoCompactTurnedOn' : 'doctor.autoCompactTurnedOff';
  return [message(code, { flag: FLAG, path }), ...backup, message('plugin.restartSessions')];
}

const switched = (isOn: boolean) => (text: string) => withLiteral(text, [FLAG], String(isOn));

/** On and off are both fine as long as something makes room. */
export async function checkAutoCompact(patient: Patient): Promise<Result> {
  const view = autoCompactView(patient.options);
  const fix = view.fix ?? undefined;
  const inSessions = await compactedFirst(patient);
  if (inSessions.length > 0) return { ...sessionsFirst(view, inSessions), fix };
  return { ...(view.isOn ? whenOn(view) : whenOff(view)), fix };
}

function whenOn({ mode, windows, from }: AutoCompactView): Result {
  const found = (effect: Message) => message('doctor.autoCompactOn', { from, effect });
  const first = windows.find(({ clearsAt, compactsAt }) => clearsAt >= compactsAt);
  if (mode !== 'auto' || first === undefined) return well(found(message('doctor.compactsLast')));
  const { window, compactsAt: tokens, by } = first;
  return notice(
    found(message('doctor.compactsFirst', { window, tokens, by })),
    message('doctor.compactsFirstMend', { tokens }),
  );
}

interface CompactedFirst {
  session: SessionStatus;
  compactsAt: number;
  clearsAt: number;
}

/** The sessions that Claude Code compacts before they are cleared by themselves (K5). */
async function compactedFirst(patient: Patient): Promise<CompactedFirst[]> {
  // A list that cannot be read is told by other checks.
  const sessions = await patient.sessions().catch((): SessionStatus[] => []);
  const { places } = patient.options;
  const settings = readSettingsOfAll(
    places,
    sessions.map(({ projectRoot }) => projectRoot),
  );
  return sessions.flatMap((session) => {
    const autoClear = settings.get(session.projectRoot)?.settings.autoClear;
    const { compactsAtTokens: compactsAt, window } = session;
    if (autoClear?.mode !== 'auto' || compactsAt === null) return [];
    const clearsAt = thresholdTokens(autoClear.threshold, window);
    return clearsAt !== null && clearsAt >= compactsAt ? [{ session, compactsAt, clearsAt }] : [];
  });
}

function sessionsFirst({ isOn, from }: AutoCompactView, all: readonly CompactedFirst[]): Result {
  const lines = all.map(({ session, compactsAt, clearsAt }) =>
    message('doctor.sessionCompactsFirst', {
      session: sessionName(session),
      tokens: compactsAt,
      by: compactionBy(session.compactsAtSource ?? 'unknown', session.compactsAtFrom),
      clearsAt: Math.round(clearsAt),
    }),
  );
  const effect = message('plugin.lines', { lines: firstFew(lines) });
  // A project may have switched on what is off elsewhere.
  return notice(isOn ? message('doctor.autoCompactOn', { from, effect }) : effect, mendOf(all));
}

/** Says it for the one that is compacted first. */
function mendOf(all: readonly CompactedFirst[]): Message {
  const tokens = Math.min(...all.map(({ compactsAt }) => compactsAt));
  const setBy = all.find(({ compactsAt }) => compactsAt === tokens)?.session.compactsAtFrom;
  if (setBy == null) return message('doctor.compactsFirstMend', { tokens });
  const { name, path } = setBy;
  return path === null
    ? message('doctor.compactsFirstVariableMend', { name, tokens })
    : message('doctor.compactsFirstSettingMend', { name, path, tokens });
}

const EFFECTS = {
  auto: 'doctor.clearsComeFirst',
  ask: 'doctor.clearsAsk',
  off: 'doctor.clearsOff',
} as const;

function whenOff({ mode, from, variable, fix }: AutoCompactView): Result {
  const found = message('doctor.autoCompactOff', { from, effect: message(EFFECTS[mode]) });
  const state = mode === 'auto' ? 'well' : 'notice';
  if (fix !== null) return { state, found };
  const mend =
    variable === null
      ? message('doctor.autoCompactSettingsMend')
      : message('doctor.autoCompactVariableMend', { variable });
  return { state, found, mend };
}
