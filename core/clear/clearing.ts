/**
 * Starts a clear, automatic or by the user, announces it in the session, and explains which driver
 * would be used. Builds the tools that a ClearRun needs.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { HOOKS } from '../../resources/locales/messages/hooks.ts';
import { SessionFinder } from '../claude/sessions/live-sessions.ts';
import type { SessionStatus } from '../claude/status/session-status.ts';
import { StatusTracker } from '../claude/status/status-tracker.ts';
import { languageFrom } from '../messages/language.ts';
import { type Message, message } from '../messages/message.ts';
import { renderWith } from '../messages/render.ts';
import type { ProcessTable } from '../platform/process/process-table.ts';
import type { RunProgram } from '../platform/process/run-program.ts';
import type { Places } from '../platform/store/places.ts';
import type { WayToClear } from '../settings/setting-definitions.ts';
import { readSettings } from '../settings/settings.ts';
import { addActivity } from './activity.ts';
import { type ClearRecord, claim, mayHaveTyped } from './clear-record.ts';
import { ClearRun, type RunTools } from './clear-run.ts';
import type { Certainty, ClearTarget, DeliveryTools } from './delivery/driver.ts';
import { askMod, hasPlugin, isModIn } from './delivery/mod.ts';
import { refusalNow } from './delivery/refusal.ts';
import { makeDrivers } from './drivers.ts';

export interface ClearingOptions {
  places: Places;
  env: NodeJS.ProcessEnv;
  processes: ProcessTable;
  run: RunProgram;
  /** How often to look again at what file watchers may have missed; tests look more often. */
  lookEveryMs?: number | undefined;
}

type OnStep = (record: ClearRecord) => void;

const LOOK_EVERY_MS = 100;
const TOLD_WITHIN_MS = 2000;

export function runTools(options: ClearingOptions, onStep: OnStep): RunTools {
  const { places, env, processes, run } = options;
  const tracker = new StatusTracker(options);
  const finder = new SessionFinder({ claudeFolder: places.claude, env, processes, run });
  const refusal = (target: ClearTarget) => refusalNow(finder, target);
  const delivery: DeliveryTools = { places, env, processes, run, refusal };
  return {
    places,
    refusal,
    onStep,
    drivers: (settings) => makeDrivers(delivery, settings.delivery.order),
    settingsOf: (root) => readSettings(places, root).settings,
    look: async () => (await tracker.look()).sessions,
    nextChange: () => sleep(LOOK_EVERY_MS),
    // It is only a courtesy: with a full disk nobody is told, and nothing else depends on it.
    tellInSession: (target, seconds) =>
      tellInSession(places, env, target, seconds).catch(() => undefined),
  };
}

/**
 * By the mod, which shows it for a while beside the conversation; elsewhere only the application
 * tells.
 */
async function tellInSession(
  places: Places,
  env: NodeJS.ProcessEnv,
  target: ClearTarget,
  seconds: number | undefined,
): Promise<void> {
  if (!isModIn(places, target)) return;
  const session = String(target.pid);
  const said =
    seconds === undefined
      ? message('hooks.clearAsked', { session })
      : message('hooks.clearNear', { seconds, session });
  const text = renderWith(HOOKS, languageFrom(env), said);
  await askMod(places, target, { action: 'tell', text }, TOLD_WITHIN_MS);
}

export function beginClear(
  tools: RunTools,
  session: SessionStatus,
  by: ClearRecord['by'],
  options: { isPatient: boolean },
): { run: ClearRun } | { taken: ClearRecord } {
  const { sessionId, pid, processStart, projectRoot } = session;
  const at = new Date().toISOString();
  const note =
    by === 'user'
      ? message('clear.requested')
      : message('clear.thresholdReached', { percent: session.percent ?? 0 });
  const steps = [{ state: 'detected' as const, at, note }];
  const claimed = claim(tools.places, {
    sessionId,
    pid,
    processStart,
    projectRoot,
    by,
    state: 'detected',
    steps,
  });
  if ('taken' in claimed) return claimed;
  // left unfinished by another
  if (mayHaveTyped(claimed.claimed)) return { run: new ClearRun(tools, claimed.claimed, options) };
  addActivity(tools.places, [{ what: 'detected', note, sessionId, project: projectRoot }]);
  tools.onStep(claimed.claimed);
  return { run: new ClearRun(tools, claimed.claimed, options) };
}

export interface Explanation {
  /** Why nothing may be typed right now; undefined if it may. */
  refusal: Message | undefined;
  /** Without it, nothing is given back after the clear. */
  hasPlugin: boolean;
  ways: { name: WayToClear; certainty: Certainty }[];
}

/** Which way would be taken, and why not the others. Nothing is touched. */
export async function explainClear(tools: RunTools, session: SessionStatus): Promise<Explanation> {
  const { sessionId, pid, processStart, projectRoot } = session;
  const target = { sessionId, pid, processStart };
  const ways = [];
  for (const driver of tools.drivers(tools.settingsOf(projectRoot)))
    ways.push({ name: driver.name, certainty: await driver.certainty(target) });
  return { refusal: await tools.refusal(target), hasPlugin: hasPlugin(tools.places, target), ways };
}
