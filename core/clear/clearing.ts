/** Starts a clear, announces it in the session, and explains which driver would be used. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HOOKS } from '../../resources/locales/messages/hooks.ts';
import { SessionFinder } from '../claude/sessions/live-sessions.ts';
import type { SessionStatus } from '../claude/status/session-status.ts';
import { StatusTracker, type TrackerOptions } from '../claude/status/status-tracker.ts';
import { languageFrom } from '../messages/language.ts';
import { type Message, message } from '../messages/message.ts';
import { renderWith } from '../messages/render.ts';
import type { Places } from '../platform/store/places.ts';
import type { DriverName } from '../settings/setting-definitions.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { addActivity } from './activity.ts';
import { type Breaker, breakerOf } from './breaker.ts';
import { type ClearRecord, claim, mayHaveTyped, readRecords } from './clear-record.ts';
import { ClearRun, type RunOptions, type RunTools } from './clear-run.ts';
import type { Certainty, ClearTarget } from './delivery/driver.ts';
import { askMod, hasPlugin, isModIn } from './delivery/mod.ts';
import { refusalNow } from './delivery/refusal.ts';
import { makeDrivers } from './drivers.ts';
import { kindRefusal } from './policy.ts';

export interface ClearingOptions extends TrackerOptions {
  /** How often to check for what file watchers may have missed; tests check more often. */
  pollIntervalMs?: number | undefined;
}

const POLL_INTERVAL_MS = 100;
const ANNOUNCE_TIMEOUT_MS = 2000;

export function runTools(options: ClearingOptions, onStep: RunTools['onStep']): RunTools {
  const { places, env, processes, run } = options;
  const tracker = new StatusTracker(options);
  const finder = new SessionFinder({ claudeFolder: places.claude, env, processes, run });
  const refusal = (target: ClearTarget) => refusalNow(finder, target);
  const settingsOf = (root: string) => readSettings(places, root).settings;
  const delivery = { places, env, processes, run, refusal };
  return {
    places,
    refusal,
    onStep,
    driversFor: (root) => makeDrivers(delivery, settingsOf(root).delivery.order),
    settingsOf,
    listSessions: async () => (await tracker.report()).sessions,
    nextChange: () => sleep(POLL_INTERVAL_MS),
    // A courtesy: nothing depends on it, so a full disk does not matter.
    announceInSession: (target, seconds) =>
      announceInSession(options, target, seconds).catch(() => undefined),
  };
}

/** Only the mod can show something beside the conversation. */
async function announceInSession(
  { places, env }: ClearingOptions,
  target: ClearRecord,
  seconds: number | undefined,
): Promise<void> {
  if (!isModIn(places, target)) return;
  const session = String(target.pid);
  const [asked, near] =
    target.method === 'compact'
      ? (['hooks.compactAsked', 'hooks.compactNear'] as const)
      : (['hooks.clearAsked', 'hooks.clearNear'] as const);
  const notice =
    seconds === undefined ? message(asked, { session }) : message(near, { seconds, session });
  const text = renderWith(HOOKS, languageFrom(env), notice);
  await askMod(places, target, { action: 'tell', text }, ANNOUNCE_TIMEOUT_MS);
}

export function beginClear(
  tools: RunTools,
  session: SessionStatus,
  by: ClearRecord['by'],
  options?: RunOptions,
): { run: ClearRun } | { taken: ClearRecord } {
  const { sessionId, pid, processStart, projectRoot, cwd } = session;
  const isCompacted =
    by === 'threshold' &&
    methodFor(tools.places, tools.settingsOf(projectRoot), session) === 'compact';
  const note = firstNote(tools, session, by, isCompacted);
  const state = 'detected';
  const steps = [{ state, at: new Date().toISOString(), note } as const];
  const method = isCompacted ? ({ method: 'compact' } as const) : {};
  const target = { sessionId, pid, processStart, projectRoot, cwd };
  const record = { ...target, by, state, steps, ...method } as const;
  const claimed = claim(tools.places, record);
  if ('taken' in claimed) return claimed;
  const run = new ClearRun(tools, claimed.claimed, options);
  if (mayHaveTyped(run.record)) return { run }; // left unfinished by another application
  addActivity(tools.places, [{ what: state, note, sessionId, project: projectRoot, ...method }]);
  tools.onStep(run.record);
  return { run };
}

/**
 * What becomes of a session at its threshold. Only the mod can compact: no driver types anything but
 * /clear.
 */
export function methodFor(
  places: Places,
  { autoClear, delivery }: Pick<Settings, 'autoClear' | 'delivery'>,
  session: ClearTarget,
): 'clear' | 'compact' {
  const isWanted = autoClear.method === 'compact' && delivery.order.includes('mod');
  return isWanted && isModIn(places, session) ? 'compact' : 'clear';
}

function firstNote(
  { settingsOf }: RunTools,
  { percent, projectRoot }: SessionStatus,
  by: ClearRecord['by'],
  isCompacted: boolean,
): Message {
  if (by === 'user') return message('clear.requested');
  const reached = message('clear.thresholdReached', { percent: percent ?? 0 });
  const isWanted = settingsOf(projectRoot).autoClear.method === 'compact';
  return isWanted && !isCompacted ? message('clear.noModToCompact', { reached }) : reached;
}

export interface Explanation {
  /** Why nothing may be typed right now; undefined if it may. */
  refusal: Message | undefined;
  /** Without it, nothing is restored after the clear. */
  hasPlugin: boolean;
  ways: { name: DriverName; certainty: Certainty }[];
  /** Why it is left alone for now (T5). */
  breaker: Breaker | undefined;
  /** Why sessions of its kind are cleared by hand alone. */
  kindRefusal: Message | undefined;
}

/** Which driver would be used, and why not the others. Touches nothing. */
export async function explainClear(tools: RunTools, session: SessionStatus): Promise<Explanation> {
  const ways = [];
  for (const driver of tools.driversFor(session.projectRoot))
    ways.push({ name: driver.name, certainty: await driver.certainty(session) });
  const refusal = await tools.refusal(session);
  const { autoClear } = tools.settingsOf(session.projectRoot);
  return {
    refusal,
    hasPlugin: hasPlugin(tools.places, session),
    ways,
    breaker: breakerOf(readRecords(tools.places), session, autoClear),
    kindRefusal: kindRefusal(session, autoClear),
  };
}
