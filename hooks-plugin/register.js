/**
 * The mod: runs inside Claude Code (2.1.287 and later), where it knows the exact window, can ask a
 * model without a word of it in the conversation (M16, C2), and can clear the session without a key
 * (A4). What to ask and what to do with the answer is decided by the hook program, which it starts
 * after each turn. There is no Node in here; everything goes through `$`.
 */
const MODEL_TIMEOUT_MS = 120_000;
const PROGRAM_TIMEOUT_MS = 60_000;
/**
 * Equal to `FIXED_TEXTS.continue` in core/clear/delivery/driver.ts: change both. A mod has no
 * imports.
 */
const CONTINUE_TEXT = 'Go on with the hand-over.';

const LOOK_EVERY_MS = 1000;
const LOOK_SOON_MS = 150;
const TOLD_FOR_MS = 10_000;
const CLEARED_WITHIN_MS = 5000;
const SOON_FOR_MS = 15 * 60_000;

/**
 * Tells the plugin's own command hooks that a mod is at work here, so that they leave the session's
 * agents alone.
 */
const OURS = { memory_keeper_mod: true };

let isAtWork = false;
/** What is to be told to the hook program next. */
let newest;
let isListening = false;
/**
 * How the names of the application's asks to this process begin; empty until the hook program has
 * told.
 */
let asks = '';
let lastAsk = '';
/** A clear is near: it is looked for more often until then. */
let soonUntil = 0;
/**
 * Between a turn's start and its end a clear would wait in the queue, and wipe what the user says
 * meanwhile.
 */
let isInTurn = false;
/**
 * When something was last said here: what was asked before that was asked of another state of
 * things.
 */
let lastWordAt = 0;
/** While it is being cleared. */
let clearing;

/** The same program as the command hooks; Windows has no `sh`. */
function program(root) {
  if (!/^(?:[A-Za-z]:|\\\\)/.test(root)) return ['sh', `${root}/hooks/run.sh`, 'mod'];
  return ['cmd', '/d', '/c', 'call', `${root.replaceAll('/', '\\')}\\hooks\\run.cmd`, 'mod'];
}

function question({ model, system, prompt, maxTokens }) {
  return { model, system, prompt, maxTokens };
}

function answerFrom(subject, { isAnswered, text, usage, reason, status }) {
  if (!isAnswered) return { subject, failure: `${reason} ${status ?? ''}`.trim() };
  return { subject, text, usage: { input: usage.input_tokens, output: usage.output_tokens } };
}

/**
 * At the session's start and after each turn. Not when it is measured: that is not told if the
 * figures are as they were before a /clear.
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
    newest = { ...about, context: (await $.session.usage()).context };
    if (isAtWork) return; // whoever is at it takes what is newest next
    isAtWork = true;
    try {
      while (newest !== undefined) {
        const told = newest;
        newest = undefined;
        let answered;
        do {
          const options = {
            stdin: JSON.stringify({ ...told, answered }),
            timeoutMs: PROGRAM_TIMEOUT_MS,
          };
          const { stdout } = await $.process.run(program($.plugin.root), options);
          const { job, asks: folder, isClearNear } = JSON.parse(stdout || '{}');
          asks = folder ?? asks;
          if (isClearNear) soonUntil = Date.now() + SOON_FOR_MS;
          answered =
            job &&
            answerFrom(
              job.subject,
              await $.model.complete({ ...question(job), timeoutMs: MODEL_TIMEOUT_MS }),
            );
        } while (answered !== undefined);
      }
    } finally {
      isAtWork = false;
    }
  });
  return result;
}

/**
 * Polls for requests of the application (A4), from the session's start until Claude Code ends; a
 * /clear does not end it. `$` must not be passed on, so everything that needs it is inside.
 */
async function listen($, e, next) {
  const result = await next({ ...e, ...OURS });
  if (isListening) return result;
  isListening = true;

  const act = async ({ action, at, prompt, text }) => {
    if (action === 'tell') {
      $.ui.toast(text, { timeoutMs: TOLD_FOR_MS });
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
    if (action === 'clear') {
      clearing = $.command.run({ command: 'clear' }).finally(() => {
        clearing = undefined;
      });
      await clearing;
    }
    if (action === 'continue') await $.prompt.submit({ text: CONTINUE_TEXT, asUser: true });
    return { state: 'done' };
  };

  const obey = async (path) => {
    const ask = JSON.parse(await $.fs.read(`${path}.json`));
    if (ask.id === lastAsk || Date.now() > ask.until) return;
    lastAsk = ask.id;
    const say = (answer) =>
      $.fs.write(`${path}.answer.json`, JSON.stringify({ id: ask.id, ...answer }));
    await say({ state: 'taken' });
    const done = act(ask)
      .catch((error) => ({ state: 'failed', reason: String(error?.message ?? error) }))
      .then(say);
    if (ask.action !== 'summarise') await done; // a model may take its time, and a clear may be asked for meanwhile
  };

  const look = async () => {
    try {
      const path = asks === '' ? '' : `${asks}${await $.session.id()}`;
      if (path !== '' && (await $.fs.exists(`${path}.json`))) await obey(path);
    } catch {
      // taken back or half written: it is looked at again
    } finally {
      $.clock.after(Date.now() < soonUntil ? LOOK_SOON_MS : LOOK_EVERY_MS, look);
    }
  };
  $.clock.after(LOOK_EVERY_MS, look);
  return result;
}

async function turnStarts(_, e, next) {
  if (e.agentId === undefined) {
    isInTurn = true;
    lastWordAt = Date.now();
  }
  return next(e);
}

/** With the exact figures, so that the hook need not look for them in the transcript. */
async function tellHooks($, e, next) {
  const { context } = await $.session.usage().catch(() => ({}));
  return next({ ...e, ...OURS, memory_keeper_context: context });
}

/**
 * A prompt that is sent while the session is being cleared would be answered in the old one and
 * wiped: it waits for the new one.
 */
async function promptSent($, e, next) {
  lastWordAt = Date.now();
  if (clearing !== undefined)
    await Promise.race([clearing.catch(() => undefined), $.clock.sleep(CLEARED_WITHIN_MS)]);
  return next(e);
}

export function register(on) {
  on('classic.SessionStart', listen);
  on('classic.UserPromptSubmit', tellHooks);
  on('prompt.submit', promptSent);
  on('session.start', work);
  on('turn.start', turnStarts);
  on('turn.complete', work);
}
