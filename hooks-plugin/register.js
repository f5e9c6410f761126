/**
 * The mod: runs inside Claude Code (2.1.287 and later), where it knows the exact window, can ask a
 * model without a word of it in the conversation (M16, C2), and can clear the session without a key
 * (A4). It starts the hook program after each turn, and core decides there what to ask and what to
 * do with the answer (core/usecases/hooks/mod-work.ts). The program also prepares what the next
 * prompt and the session after a /clear are given (prepared-answers.ts), so that nobody waits for
 * the start of a node then. There is no Node in here; everything goes through `$`.
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
import {
  none,
  noteStart,
  notesFrom,
  promptQuestion,
  READY_MS,
  RECALL_MS,
  RECALL_URL,
  RETRIES,
  RETRY_MS,
  readyQuestion,
  setSocket,
  takeReady,
} from './recall.js';

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
/** How many turns have begun. */
let turns = 0;
/**
 * What the program prepared after the last turn, with the context and the model that it did so for.
 * None once another turn has begun: that the program ran tells that all before is kept (T6).
 */
let prepared;
/** The session of the last prompt. */
let promptedSession;
/** The session that a /clear ended last. */
let clearedSession;
/** The last briefing that was given here, until the program has written it down for the user. */
let given;
/** An index that is larger is the hook's: to parse it would take as long. */
const MAX_INDEX_BYTES = 1024 * 1024;

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

/** Remembers what the program said to an input, and returns what a model is to be asked. */
function take(output, input) {
  const { job, asks = requests, isClearNear, preparedFolder, recallSocket } = output;
  const made = output.prepared;
  const { context, model } = input;
  setPreparedFolder(preparedFolder);
  setSocket(recallSocket);
  if (made !== undefined && input.given === given) given = undefined;
  requests = asks;
  if (isClearNear) clearNearUntil = Date.now() + CLEAR_IS_NEAR_MS;
  if (input.turns === turns) prepared = made && { ...made, context, model };
  return job;
}

/** Whether all files that an answer was made from are as they were then. */
function isCurrent({ files }, stats) {
  return files.every(({ size, mtimeMs }, n) =>
    stats[n] === undefined
      ? size === -1
      : stats[n].size === size && Math.floor(stats[n].mtimeMs) === mtimeMs,
  );
}

/** As core/usecases/hooks/keeping-look.ts says whether the session is being kept (T6). */
function isKept({ lastRowsMs, hookHadItsChanceMs }, transcript, index) {
  const saidAt = transcript?.mtimeMs ?? 0;
  if (saidAt - (index?.mtimeMs ?? 0) <= lastRowsMs) return true;
  return Date.now() - saidAt < hookHadItsChanceMs;
}

/** Without a figure only before the first turn: at a turn's end there may be none for a moment. */
function isSameContext(one, other, isFirst) {
  if (one?.tokens === undefined && !isFirst) return false;
  return one?.tokens === other?.tokens && one?.window === other?.window;
}

/** Whether all that was said in the cleared session is in its briefing. */
function isWhole(index, { l1Bytes }) {
  const { sessions = {} } = JSON.parse(index);
  const { isOver, l1Bytes: saved } = sessions[clearedSession] ?? {};
  return isOver === true && saved === l1Bytes;
}

/** For the user, who is shown one line at a time. */
function linesOf({ says }) {
  return says.split('\n').filter((line) => line !== '');
}

function withContexts(result, contexts) {
  if (contexts.length === 0) return result;
  return { ...result, additionalContext: [...(result?.additionalContext ?? []), ...contexts] };
}

/**
 * At the session's start, after a /clear and after each turn. Not when Claude Code measures the
 * context: it does not report figures that are the same as before a /clear.
 */
async function work($, e, next) {
  const result = await next(e);
  if (e.agentId !== undefined) return result;
  if (e.source === undefined) {
    isInTurn = false;
    lastWordAt = Date.now();
  }
  // After a /clear these are another session's.
  const about = {
    sessionId: await $.session.id(),
    root: await $.session.root(),
    model: await $.session.model(),
  };
  const turnsThen = turns;
  // What was said is saved by then. At a session's start the server may not listen yet.
  const askReady = async (left = RETRIES) => {
    const question = readyQuestion(about.sessionId);
    if (question === undefined) return;
    try {
      const answer = $.http.fetch(RECALL_URL, question);
      // Nobody waits for it but what a model is asked next.
      takeReady(about.sessionId, await Promise.race([answer, $.clock.sleep(READY_MS).then(none)]));
    } catch {
      if (left > 0) $.clock.after(RETRY_MS, () => askReady(left - 1));
    }
  };
  // Not here: the turn would wait for it.
  $.clock.after(1, async () => {
    const { breakdown, ...context } = (await $.session.usage(usageOf(about.model))).context;
    rememberCompaction(about.model, breakdown);
    nextInput = { ...about, context, compaction: compaction?.said, turns: turnsThen };
    if (isWorking) {
      // The loop below takes it next, but a model may take long to answer.
      const input = { ...nextInput, given, isOnlyToPrepare: true };
      const options = { stdin: JSON.stringify(input), timeoutMs: PROGRAM_TIMEOUT_MS };
      const { stdout } = await $.process.run(program($.plugin.root), options);
      take(JSON.parse(stdout || '{}'), input);
      await askReady();
      return;
    }
    isWorking = true;
    try {
      while (nextInput !== undefined) {
        const input = nextInput;
        nextInput = undefined;
        let answered;
        do {
          const told = { ...input, answered, given };
          const options = { stdin: JSON.stringify(told), timeoutMs: PROGRAM_TIMEOUT_MS };
          const { stdout } = await $.process.run(program($.plugin.root), options);
          const job = take(JSON.parse(stdout || '{}'), told);
          if (answered === undefined) await askReady();
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
  noteStart(e);
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
    else if (action === 'continue') await $.prompt.submit({ text: CONTINUE_TEXT, asUser: true });
    else return { state: 'failed', reason: `unknown action: ${action}` };
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

/**
 * The session after a /clear gets its briefing at once if it is prepared and nothing was said or
 * changed since. The variable tells the plugin's command hooks that it is given (run.sh).
 */
async function giveBriefing($, e, next) {
  const answer = prepared?.sessionId === clearedSession ? prepared?.briefing : undefined;
  if (answer === undefined) return next(e);
  try {
    const [index, ...stats] = await Promise.all(
      [answer.index, ...answer.files.map(({ path }) => path)].map((path) =>
        $.fs.stat(path).catch(() => undefined),
      ),
    );
    if (!(index?.size <= MAX_INDEX_BYTES) || !isCurrent(answer, stats)) return next(e);
    if (!isWhole(await $.fs.read(answer.index), answer)) return next(e);
    await $.env.set('MEMORY_KEEPER_START_GIVEN', e.session_id);
  } catch {
    return next(e); // the hook answers
  }
  try {
    const result = await next(e);
    given = { sessionId: e.session_id, text: answer.contexts.join('\n') };
    for (const line of linesOf(answer)) $.ui.log(line);
    return withContexts(result, answer.contexts);
  } finally {
    await $.env.set('MEMORY_KEEPER_START_GIVEN', undefined).catch(() => undefined);
  }
}

async function sessionEnds(_, e, next) {
  if (e.reason === 'clear') clearedSession = e.session_id;
  return next(e);
}

async function turnStarts(_, e, next) {
  if (e.agentId === undefined) {
    isInTurn = true;
    turns += 1;
    prepared = undefined;
    lastWordAt = Date.now();
  }
  return next(e);
}

/**
 * Gives a prompt what is prepared for it, if that is current. Else the hook answers, with the exact
 * figures, so that it need not read them from the transcript.
 */
async function addContext($, e, next) {
  const question = promptQuestion(e);
  const notes =
    question &&
    Promise.race([
      $.http.fetch(RECALL_URL, question).then(notesFrom, none),
      $.clock.sleep(RECALL_MS).then(none),
    ]);
  // Another one may be prepared, or none, while it looks.
  const made = prepared?.sessionId === e.session_id ? prepared : undefined;
  const answer = made?.prompt;
  const looks = answer === undefined ? [] : [e.transcript_path, answer.index];
  const files = answer === undefined ? [] : answer.files.map(({ path }) => path);
  const [{ context }, model, transcript, index, ...stats] = await Promise.all([
    $.session.usage().catch(() => ({})),
    $.session.model().catch(() => undefined),
    ...[...looks, ...files].map((path) => $.fs.stat(path).catch(() => undefined)),
  ]);
  const toHook = { ...e, ...MOD_MARK, memory_keeper_context: context };
  const isServed =
    answer !== undefined &&
    !e.prompt.startsWith('<task-notification>') && // Claude Code's own; the hook knows what to do
    model === made.model &&
    isSameContext(context, made.context, promptedSession !== e.session_id) &&
    isKept(answer, transcript, index) &&
    isCurrent(answer, stats);
  promptedSession = e.session_id;
  const byHook = async () => withContexts(await next(toHook), (await notes) ?? []);
  if (!isServed) return byHook();
  try {
    await $.env.set('MEMORY_KEEPER_PROMPT_GIVEN', e.session_id);
  } catch {
    return byHook();
  }
  try {
    const result = await next(toHook);
    if (result?.block === undefined) for (const line of linesOf(answer)) $.ui.log(line);
    return withContexts(result, [...answer.contexts, ...((await notes) ?? [])]);
  } finally {
    await $.env.set('MEMORY_KEEPER_PROMPT_GIVEN', undefined).catch(() => undefined);
  }
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
  const ahead = () => (path === '' ? undefined : $.fs.read(path).then(read, () => undefined));
  // Nothing is made ahead, by a model least of all: it is made when it is needed.
  if (e.trigger === 'precompute') return (await ahead()) ? { skip: 'prepared' } : next(e);
  const argv = program($.plugin.root, 'compaction');
  const input = compactionInput(e, about);
  const options = { stdin: JSON.stringify(input), timeoutMs: COMPACTION_TIMEOUT_MS };
  const made = await $.process.run(argv, options).then(
    ({ stdout }) => read(stdout),
    () => undefined,
  );
  // Of what was said since, what was made ahead knows nothing: inside a turn that is too much.
  const isAheadEnough = !isInTurn && !e.instructions;
  const text = made === undefined && isAheadEnough ? await ahead() : made;
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
  on('classic.SessionStart', { source: 'clear' }, giveBriefing);
  // At a startup session.start comes as well.
  on('classic.SessionStart', { source: ['clear', 'resume', 'compact'] }, work);
  on('classic.SessionEnd', sessionEnds);
  on('classic.PreCompact', beforeCompact);
  on('session.compact', compact);
  on('ui.render', { component: 'UserMessage' }, showBriefly);
  on('classic.UserPromptSubmit', addContext);
  on('prompt.submit', promptSent);
  on('session.start', work);
  on('turn.start', turnStarts);
  on('turn.complete', work);
}
