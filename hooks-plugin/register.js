/**
 * The mod: runs inside Claude Code (2.1.287 and later), where it knows the exact window, can ask a
 * model without a word of it in the conversation (M16, C2), and can clear the session without a key
 * (A4). It starts the hook program after each turn, and core decides there what to ask and what to
 * do with the answer (core/usecases/hooks/mod-work.ts). There is no Node in here; everything goes
 * through `$`.
 */
import {
  answerWith,
  beforeCompact,
  compactionInput,
  preparedPath,
  readText,
  setPreparedFolder,
  shownText,
  takeAnswered,
} from './compactor.js';

const MODEL_TIMEOUT_MS = 120_000;
const PROGRAM_TIMEOUT_MS = 60_000;
/** A session that is compacted waits for it. */
const COMPACTION_TIMEOUT_MS = 5000;
/**
 * Equal to `FIXED_TEXTS.continue` in core/clear/delivery/driver.ts: change both. It is not taken
 * from the request, so that no file can have another text sent in the user's name (A5).
 */
const CONTINUE_TEXT = 'Go on with the hand-over.';

const POLL_INTERVAL_MS = 1000;
/** While a clear is near. */
const SHORT_POLL_INTERVAL_MS = 150;
const CLEAR_IS_NEAR_MS = 15 * 60_000;
const TOAST_MS = 10_000;
/** The commands that make room, and how long a prompt waits for each: a model may sum up. */
const PROMPT_WAITS_MS = { clear: 5000, compact: 120_000 };

/** Tells the plugin's command hooks that the mod runs here, so that they do not use agents. */
const MOD_MARK = { memory_keeper_mod: true };

/** Where Claude Code compacts is asked again after this: it counts the whole context for it. */
const COMPACTION_KEEP_MS = 60_000;

let isWorking = false;
/** The newest input for the hook program, until it is started with it. */
let nextInput;
let isPolling = false;
/** What Claude Code said last of its own compaction (K5), of which model and when. */
let compaction;
/** How the names of the app's requests to this process begin; empty until the program names it. */
let requests = '';
let lastRequestId = '';
/** Until then it polls more often: a clear is near. */
let clearNearUntil = 0;
/**
 * Between a turn's start and its end a clear would wait in the queue, and wipe what the user says
 * meanwhile.
 */
let isInTurn = false;
/** A request from before this time was about another state of the conversation. */
let lastWordAt = 0;
/** The clear or compaction under way, and how long a prompt waits for it. */
let clearing;
let promptWaitsMs = PROMPT_WAITS_MS.clear;

/** The same program as the command hooks; Windows has no `sh`. */
function program(root, task = 'mod') {
  if (!/^(?:[A-Za-z]:|\\\\)/.test(root)) return ['sh', `${root}/hooks/run.sh`, task];
  return ['cmd', '/d', '/c', 'call', `${root.replaceAll('/', '\\')}\\hooks\\run.cmd`, task];
}

function question({ model, system, prompt, maxTokens }) {
  return { model, system, prompt, maxTokens };
}

function answerFrom(subject, { isAnswered, text, usage, reason, status }) {
  if (!isAnswered) return { subject, failure: `${reason} ${status ?? ''}`.trim() };
  return { subject, text, usage: { input: usage.input_tokens, output: usage.output_tokens } };
}

/** What to ask of the context: its figures, and now and then where Claude Code compacts. */
function usageOf(model) {
  const isKnown = compaction?.model === model && Date.now() - compaction.at < COMPACTION_KEEP_MS;
  return isKnown ? {} : { breakdown: 'summary' };
}

function rememberCompaction(model, breakdown) {
  if (breakdown === undefined) {
    if (compaction?.model !== model) compaction = undefined;
    return;
  }
  const { isAutoCompactEnabled, autoCompactThreshold = null, autocompactSource } = breakdown;
  const said = {
    isOn: isAutoCompactEnabled,
    threshold: autoCompactThreshold,
    source: autocompactSource,
  };
  compaction = { model, at: Date.now(), said };
}

/**
 * At the session's start and after each turn. Not when Claude Code measures the context: it does
 * not report figures that are the same as before a /clear.
 */
async function work($, e, next) {
  const result = await next(e);
  if (e.agentId !== undefined) return result;
  isInTurn = false;
  lastWordAt = Date.now();
  // After a /clear these are another session's.
  const about = {
    sessionId: await $.session.id(),
    root: await $.session.root(),
    model: await $.session.model(),
  };
  // Not here: the turn would wait for it.
  $.clock.after(1, async () => {
    const { breakdown, ...context } = (await $.session.usage(usageOf(about.model))).context;
    rememberCompaction(about.model, breakdown);
    nextInput = { ...about, context, compaction: compaction?.said };
    if (isWorking) return; // the loop below takes it next
    isWorking = true;
    try {
      while (nextInput !== undefined) {
        const input = nextInput;
        nextInput = undefined;
        let answered;
        do {
          const options = {
            stdin: JSON.stringify({ ...input, answered }),
            timeoutMs: PROGRAM_TIMEOUT_MS,
          };
          const { stdout } = await $.process.run(program($.plugin.root), options);
          const { job, asks = requests, prepared, isClearNear } = JSON.parse(stdout || '{}');
          setPreparedFolder(prepared);
          requests = asks;
          if (isClearNear) clearNearUntil = Date.now() + CLEAR_IS_NEAR_MS;
          answered =
            job &&
            answerFrom(
              job.subject,
              await $.model.complete({ ...question(job), timeoutMs: MODEL_TIMEOUT_MS }),
            );
        } while (answered !== undefined);
      }
    } finally {
      isWorking = false;
    }
  });
  return result;
}

/**
 * Polls for requests of the application (A4), from the session's start until Claude Code ends; a
 * /clear does not end it. `$` must not be passed on, so everything that needs it is inside.
 */
async function startPolling($, e, next) {
  const isCompacted = takeAnswered(e);
  const result = await next({ ...e, ...MOD_MARK, memory_keeper_compacted: isCompacted });
  if (isPolling) return result;
  isPolling = true;

  const makeRoom = async (command) => {
    promptWaitsMs = PROMPT_WAITS_MS[command];
    clearing = $.command.run({ command }).finally(() => {
      clearing = undefined;
    });
    await clearing;
  };

  const act = async ({ action, at, prompt, text }) => {
    if (action === 'tell') {
      $.ui.toast(text, { timeoutMs: TOAST_MS });
      return { state: 'done' };
    }
    if (action === 'summarise') {
      const { failure, ...answer } = answerFrom(
        undefined,
        await $.model.fork({ prompt, effort: 'low' }),
      );
      return failure === undefined
        ? { state: 'done', ...answer }
        : { state: 'failed', reason: failure };
    }
    if (isInTurn || lastWordAt >= at)
      return { state: 'failed', reason: { code: 'driver.modWorkWentOn' } };
    if (Object.hasOwn(PROMPT_WAITS_MS, action)) await makeRoom(action);
    if (action === 'continue') await $.prompt.submit({ text: CONTINUE_TEXT, asUser: true });
    return { state: 'done' };
  };

  const handle = async (path) => {
    const request = JSON.parse(await $.fs.read(`${path}.json`));
    if (request.id === lastRequestId || Date.now() > request.until) return;
    lastRequestId = request.id;
    const report = (outcome) =>
      $.fs.write(`${path}.answer.json`, JSON.stringify({ id: request.id, ...outcome }));
    await report({ state: 'taken' });
    const done = act(request)
      .catch((error) => ({ state: 'failed', reason: String(error?.message ?? error) }))
      .then(report);
    // A model may take long, and a clear may be requested meanwhile.
    if (request.action !== 'summarise') await done;
  };

  const poll = async () => {
    try {
      const path = requests === '' ? '' : `${requests}${await $.session.id()}`;
      if (path !== '' && (await $.fs.exists(`${path}.json`))) await handle(path);
    } catch {
      // The request was withdrawn or is half written: the next poll reads it again.
    } finally {
      const isClearNear = Date.now() < clearNearUntil;
      $.clock.after(isClearNear ? SHORT_POLL_INTERVAL_MS : POLL_INTERVAL_MS, poll);
    }
  };
  $.clock.after(POLL_INTERVAL_MS, poll);
  return result;
}

async function turnStarts(_, e, next) {
  if (e.agentId === undefined) {
    isInTurn = true;
    lastWordAt = Date.now();
  }
  return next(e);
}

/** With the exact figures, so that the hook need not read them from the transcript. */
async function addContext($, e, next) {
  const { context } = await $.session.usage().catch(() => ({}));
  return next({ ...e, ...MOD_MARK, memory_keeper_context: context });
}

/**
 * A prompt that is sent while the session is being cleared or compacted would be answered in the old
 * conversation and wiped: it waits for the new one.
 */
async function promptSent($, e, next) {
  lastWordAt = Date.now();
  if (clearing !== undefined)
    await Promise.race([clearing.catch(() => undefined), $.clock.sleep(promptWaitsMs)]);
  return next(e);
}

/** Claude Code is about to compact: it gets the briefing instead of a summary (K4). */
async function compact($, e, next) {
  // A subagent's conversation is not kept, so there is nothing to give it.
  if (e.agentId !== undefined) return next(e);
  const about = { sessionId: await $.session.id(), root: await $.session.root() };
  const read = (json) => readText(json, about.sessionId);
  const path = preparedPath(about.sessionId);
  const prepared = () => (path === '' ? undefined : $.fs.read(path).then(read, () => undefined));
  // Nothing is made ahead, by a model least of all: it is made when it is needed.
  if (e.trigger === 'precompute') return (await prepared()) ? { skip: 'prepared' } : next(e);
  const argv = program($.plugin.root, 'compaction');
  const input = compactionInput(e, about);
  const options = { stdin: JSON.stringify(input), timeoutMs: COMPACTION_TIMEOUT_MS };
  const made = await $.process.run(argv, options).then(
    ({ stdout }) => read(stdout),
    () => undefined,
  );
  const text = made === undefined ? await prepared() : made;
  if (!text) return next(e);
  const onAnswered = () => {
    const done = { stdin: JSON.stringify({ ...input, isDone: true }) };
    // Not here: the session would wait for it.
    $.clock.after(1, async () => void (await $.process.run(argv, done)));
  };
  return answerWith(text, { e, next, sessionId: about.sessionId, onAnswered });
}

/** The briefing stands in the user's role: of what the user never typed only one line is shown. */
async function showBriefly(_, e, next) {
  return next({ ...e, props: { ...e.props, text: shownText(e.props) } });
}

export function register(on) {
  on('classic.SessionStart', startPolling);
  on('classic.PreCompact', beforeCompact);
  on('session.compact', compact);
  on('ui.render', { component: 'UserMessage' }, showBriefly);
  on('classic.UserPromptSubmit', addContext);
  on('prompt.submit', promptSent);
  on('session.start', work);
  on('turn.start', turnStarts);
  on('turn.complete', work);
}
