/**
 * `memory-keeper clear`: clears a session now, explains how it would be done, or says what is
 * wanted of the application that watches.
 */
import { spawn } from 'node:child_process';
import type { SessionStatus } from '../../core/claude/status/session-status.ts';
import { assertClearable } from '../../core/usecases/clear-commands.ts';
import { createEngine, type Engine } from '../../core/usecases/engine.ts';
import { ExpectedError, message } from '../../core/usecases/messages.ts';
import {
  activityData,
  activityText,
  explanationData,
  explanationText,
  recordData,
  stepText,
} from '../clear-text.ts';
import { type Command, parseOptions, UsageError } from '../command.ts';
import { interruption } from '../interruption.ts';
import { print, printJson, printNote } from '../output.ts';
import { painter, plain } from '../text.ts';

const HELP = `Saves a running session, clears it, and restores what is known.

Usage: memory-keeper clear <session> [--wait|--soon] [--anyway] [--json]
       memory-keeper clear --explain <session> [--json]
       memory-keeper clear --cancel|--snooze|--reset <session> [--json]
       memory-keeper clear --pause|--resume|--log [--json]

Name a session by its project, its own name, the start of its ID, or its process ID, as \`memory-keeper status --json\`
shows them.

      --wait      if it is busy, wait until it is idle (otherwise it is refused)
      --soon      the same in the background: for a session that clears itself when its turn is over
      --anyway    clear it even if the plugin is not active in it, so that nothing is restored, or if an SDK program or an editor
                  runs it (otherwise it is refused)
      --explain   show which driver would be used and why the others are not; nothing is touched
      --cancel    cancel a clear that was announced
      --snooze    snooze it (config: autoClear.snoozeMinutes)
      --reset     clear a session automatically again that was left alone: after too many clears an hour, clears that did not
                  help, or too many continues without a prompt from you
      --pause     stop automatic clears until --resume
      --log       recent clears, and the reasons
      --json      print JSON

Nothing is typed unless the session is idle and the driver is certain; the text typed is always the same.
`;

const SEE = 'memory-keeper clear --help';
const LOG_ENTRIES = 50;

export const clearCommand: Command = {
  name: 'clear',
  summary: 'saves a session, clears it, restores what is known (--explain)',
  help: HELP,
  async run(args) {
    const { values, positionals } = parseOptions('clear', {
      args,
      allowPositionals: true,
      options: {
        wait: { type: 'boolean' },
        soon: { type: 'boolean' },
        anyway: { type: 'boolean' },
        explain: { type: 'boolean' },
        cancel: { type: 'boolean' },
        snooze: { type: 'boolean' },
        reset: { type: 'boolean' },
        pause: { type: 'boolean' },
        resume: { type: 'boolean' },
        log: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    });
    checkTogether(Object.keys(values), positionals.length);
    const engine = createEngine();
    const json = values.json === true;
    if (values.pause === true || values.resume === true)
      return setPaused(engine, values.pause === true, json);
    if (values.log === true) return showLog(engine, json);
    const [name, ...more] = positionals;
    if (name === undefined) throw new UsageError('Which session?', SEE);
    if (more.length > 0) throw new UsageError('One session at a time', SEE);
    const session = await sessionNamed(engine, name);
    if (values.explain === true) return explain(engine, session, json);
    if (values.cancel === true || values.snooze === true)
      return stop(engine, session, { wish: values.cancel === true ? 'cancel' : 'snooze', json });
    if (values.reset === true) return reset(engine, session, json);
    const options = { anyway: values.anyway === true, json };
    if (values.soon === true) return clearSoon(engine, session, options);
    return clear(engine, session, { waitForIdle: values.wait === true, ...options });
  },
};

/** Each of these is an action of its own; `--wait` and `--anyway` belong to a clear. */
const ACTIONS = ['explain', 'cancel', 'snooze', 'reset', 'soon', 'pause', 'resume', 'log'];
const FOR_ALL_SESSIONS = ['pause', 'resume', 'log'];
const OF_A_CLEAR = ['wait', 'anyway'];

function checkTogether(options: readonly string[], words: number): void {
  const [action, other] = ACTIONS.filter((name) => options.includes(name));
  const extra =
    other ?? (action === 'soon' ? undefined : OF_A_CLEAR.find((name) => options.includes(name)));
  if (action !== undefined && extra !== undefined)
    throw new UsageError(`--${action} and --${extra} cannot be combined`, SEE);
  if (action !== undefined && FOR_ALL_SESSIONS.includes(action) && words > 0)
    throw new UsageError(`--${action} is for all sessions and takes no name`, SEE);
}

async function sessionNamed(engine: Engine, name: string): Promise<SessionStatus> {
  const [session, ...others] = await engine.sessionsNamed(name);
  if (session === undefined) throw new ExpectedError(message('clear.noSuchSession', { name }));
  if (others.length === 0) return session;
  const list = [session, ...others].map(
    (one) => `\n  ${one.sessionId}  process ${one.pid}  ${plain(one.name ?? one.project)}`,
  );
  throw new ExpectedError(message('clear.severalSessions', { name, sessions: list.join('') }));
}

async function clear(
  engine: Engine,
  session: SessionStatus,
  { waitForIdle, anyway, json }: { waitForIdle: boolean; anyway: boolean; json: boolean },
): Promise<void> {
  const paint = painter(process.stderr, process.env);
  const stopping = new AbortController();
  void interruption().wanted.then(() => stopping.abort());
  const record = await engine.clear(session, {
    waitForIdle,
    anyway,
    signal: stopping.signal,
    onStep: (step) => {
      if (!json) printNote(stepText(step, paint));
    },
    onTaken: ({ owner }) => {
      printNote(`Process ${owner.pid} is already clearing it; telling it to go ahead\n`);
    },
  });
  if (json) printJson(recordData(record));
  if (record.state !== 'restored') process.exitCode = 1;
  // The hint is the command line's own: the reason is also read in the window.
  const isRefused = record.state === 'cancelled' && record.steps.length === 2;
  if (isRefused && !waitForIdle && !json)
    printNote('Use --wait to clear it as soon as it is idle.\n');
}

/**
 * Clears from a separate process: the session that runs this command is busy until it ends, and a
 * busy session is not cleared.
 */
async function clearSoon(
  engine: Engine,
  session: SessionStatus,
  { anyway, json }: { anyway: boolean; json: boolean },
): Promise<void> {
  const plan = await engine.explainClear(session);
  const driver = assertClearable(session, plan, anyway);
  const [, program = ''] = process.argv;
  const options = { detached: true, stdio: 'ignore' as const };
  spawn(
    process.execPath,
    [...process.execArgv, program, 'clear', '--wait', '--anyway', session.sessionId],
    options,
  ).unref();
  const data = { sessionId: session.sessionId, way: driver };
  const what = plan.hasPlugin
    ? 'saved, cleared and restored'
    : 'saved and cleared, but not restored,';
  say(json, data, `It will be ${what} as soon as this turn is over.`);
}

async function explain(engine: Engine, session: SessionStatus, json: boolean): Promise<void> {
  const explanation = await engine.explainClear(session);
  if (json) printJson(explanationData(explanation));
  else print(explanationText(explanation, session.pid, painter(process.stdout, process.env)));
}

async function stop(
  engine: Engine,
  { sessionId }: SessionStatus,
  { wish, json }: { wish: 'cancel' | 'snooze'; json: boolean },
): Promise<void> {
  const { pid } = await engine.call('sessions.askOwner', { sessionId, request: wish });
  say(json, { sessionId, wish, pid }, `Told process ${pid} to ${wish} it.`);
}

async function reset(
  engine: Engine,
  { sessionId, pid, project }: SessionStatus,
  json: boolean,
): Promise<void> {
  await engine.call('sessions.resetBreaker', { sessionId, pid });
  const words = `${plain(project)}: auto-clear is back on.`;
  say(json, { sessionId, pid, isReset: true }, words);
}

async function setPaused(engine: Engine, isPaused: boolean, json: boolean): Promise<void> {
  await engine.call('sessions.pause', { isPaused });
  const words = isPaused
    ? 'Automatic clears are paused until `memory-keeper clear --resume`.'
    : 'Automatic clears are on again.';
  say(json, { isPaused }, words);
}

function say(json: boolean, data: object, words: string): void {
  if (json) printJson(data);
  else print(`${words}\n`);
}

async function showLog(engine: Engine, json: boolean): Promise<void> {
  const activities = await engine.call('activity.log', { count: LOG_ENTRIES });
  const paint = painter(process.stdout, process.env);
  if (json) printJson(activities.map(activityData));
  else if (activities.length === 0) print('No activity yet.\n');
  else print(activities.map((activity) => activityText(activity, paint)).join(''));
}
