/**
 * The mod: runs inside Claude Code (2.1.287 and later), where it knows the exact window and can ask a model without a word of it in the
 * conversation (M16, C2). What to ask and what to do with the answer is decided by the hook program, which it starts after each turn.
 * There is no Node in here; everything goes through `$`.
 */
const MODEL_TIMEOUT_MS = 120_000;
const PROGRAM_TIMEOUT_MS = 60_000;

let isAtWork = false;

/** The same program as the command hooks; Windows has no `sh`. */
function program(root) {
  return /^[A-Za-z]:/.test(root) ? ['node', `${root}/hooks/hook.cjs`, 'mod'] : ['sh', `${root}/hooks/run.sh`, 'mod'];
}

function answerFrom(subject, { isAnswered, text, usage, reason, status }) {
  if (!isAnswered) return { subject, failure: `${reason} ${status ?? ''}`.trim() };
  return { subject, text, usage: { input: usage.input_tokens, output: usage.output_tokens } };
}

async function work($, e, next) {
  const result = await next(e);
  // After a /clear these are another session's.
  const about = { sessionId: await $.session.id(), root: await $.session.root(), model: await $.session.model() };
  if (e.context !== undefined) about.window = e.context.window;
  // Not here: the turn would wait for it.
  $.clock.after(1, async () => {
    if (isAtWork) return;
    isAtWork = true;
    try {
      let answered;
      do {
        const options = { stdin: JSON.stringify({ ...about, answered }), timeoutMs: PROGRAM_TIMEOUT_MS };
        const { stdout } = await $.process.run(program($.plugin.root), options);
        const { job } = JSON.parse(stdout || '{}');
        if (job === undefined) return;
        const { model, system, prompt, maxTokens } = job;
        const reply = await $.model.complete({ model, system, prompt, maxTokens, timeoutMs: MODEL_TIMEOUT_MS });
        answered = answerFrom(job.subject, reply);
      } while (answered !== undefined);
    } finally {
      isAtWork = false;
    }
  });
  return result;
}

/** Tells the plugin's own command hooks that a mod is at work here, so that they leave the session's agents alone. */
async function tellHooks(_, e, next) {
  return next({ ...e, memory_keeper_mod: true });
}

export function register(on) {
  on('classic.SessionStart', tellHooks);
  on('classic.UserPromptSubmit', tellHooks);
  on('session.start', work);
  on('session.measure', work);
}
