/**
 * UserPromptSubmit: adds the user's rules to a prompt (M14), warns the user and Claude when the
 * context fills up (C5), tells the user when the session is not being kept (T6), and asks for agents
 * where work is due (M16). It blocks a prompt in one case: the user's text would be sent together
 * with what is being typed to clear the session (A5).
 */
import { isPromptGuarded, saveBlockedPrompt } from '../../clear/delivery/guard.ts';
import { readWorkMarks } from '../../memory/log/memory-index.ts';
import { isJobDue } from '../../memory/model/job-due.ts';
import { readRules } from '../../memory/restore/rules.ts';
import { languageFrom } from '../../messages/language.ts';
import { type Message, message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { readSettingsAt, type Settings } from '../../settings/settings.ts';
import { type HookInput, type HookOutput, isModRunning } from './hook-input.ts';
import { hookText, hookTextWithReason } from './hook-text.ts';
import { mayNotBeKept } from './keeping-look.ts';
import { loadDueWork, loadKeepingTurn } from './loaded-later.ts';
import { readSessionContext } from './session-context.ts';

export async function addPromptContext(input: HookInput): Promise<HookOutput | undefined> {
  // Claude Code begins a turn by itself when a background task ends.
  if (input.prompt.startsWith('<task-notification>')) return undefined;
  if (isPromptGuarded(input.places, input.claudePid, input.prompt)) return blockPrompt(input);
  const keeping = mayNotBeKept(input) ? (await loadKeepingTurn()).keepingNews(input) : undefined;
  return promptContext(input, keeping);
}

/** What goes along with any prompt; also prepared before there is one (prepared-answers.ts). */
export async function promptContext(
  input: HookInput,
  keeping?: Message,
): Promise<HookOutput | undefined> {
  const { places, memory, env } = input;
  const { settings, problems } = readSettingsAt(places, memory);
  const { areRulesDue, request, ...work } = await dueWork(input, settings);
  const rules = areRulesDue
    ? readRules(places, memory.folder, languageFrom(env))
    : { text: '', problems: [] };
  const warning = contextWarning(input, settings);
  const forUser = [
    ...(keeping === undefined ? [] : [keeping]),
    ...[...problems, ...work.problems].map(asRulesError),
    ...(rules.text === '' ? [] : [message('hooks.rulesInjected')]),
    ...rules.problems.map(asRulesError),
    ...(warning === undefined ? [] : [warning.forUser]),
  ];
  const forClaude = [
    rules.text,
    warning === undefined ? '' : hookText(input, warning.forClaude),
    request,
  ].filter((text) => text !== '');
  if (forClaude.length === 0 && forUser.length === 0) return undefined;
  return {
    ...(forUser.length > 0 && { systemMessage: await userText(input, forUser) }),
    hookSpecificOutput: {
      hookEventName: 'UserPromptSubmit',
      additionalContext: forClaude.join('\n\n'),
    },
  };
}

/** If the text cannot be saved, it is still in the CLI's history. */
function blockPrompt(input: HookInput): HookOutput {
  attempt(() => saveBlockedPrompt(input.places, input.claudePid, input.prompt), undefined);
  return { decision: 'block', reason: hookText(input, message('hooks.heldBack')) };
}

async function dueWork(
  input: HookInput,
  { rulesInjectionFrequency: frequency, saveInterval }: Settings,
): Promise<{ areRulesDue: boolean; request: string; problems: Message[] }> {
  const { memory } = input;
  const isForAgents = !isModRunning(input) && isJobDue(readWorkMarks(memory), saveInterval);
  if (frequency <= 1 && !isForAgents)
    return { areRulesDue: frequency === 1, request: '', problems: [] };
  const { countPrompt, requestAgent } = await loadDueWork();
  const count = frequency > 1 ? countPrompt(memory, frequency) : { isNth: frequency === 1 };
  const asked = isForAgents ? requestAgent(input, 'delta') : { request: '' };
  const problems = [count.problem, asked.problem].filter((problem) => problem !== undefined);
  return { areRulesDue: count.isNth, request: asked.request, problems };
}

function contextWarning(
  input: HookInput,
  settings: Settings,
): { forUser: Message; forClaude: Message } | undefined {
  const reading = readSessionContext(input, settings);
  if (reading === undefined || reading.level === null || reading.level === 'ok') return undefined;
  const { level, tokens, percent, window } = reading;
  if (percent === null || window === null)
    return {
      forUser: message(`hooks.${level}Tokens`, { tokens }),
      forClaude: message(`hooks.${level}TokensClaude`, { tokens }),
    };
  return {
    forUser: message(`hooks.${level}`, { percent, window }),
    forClaude: message(`hooks.${level}Claude`, { percent }),
  };
}

function asRulesError(reason: Message): Message {
  return message('hooks.rulesError', { reason });
}

/** Any message of core may stand in these. */
const WITH_REASON: readonly string[] = ['hooks.rulesError', 'hooks.notKept'];

async function userText(input: HookInput, messages: readonly Message[]): Promise<string> {
  const texts = messages.map((one) =>
    WITH_REASON.includes(one.code) ? hookTextWithReason(input, one) : hookText(input, one),
  );
  return (await Promise.all(texts)).join('\n');
}
