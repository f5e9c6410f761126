/**
 * UserPromptSubmit: adds the user's rules (M14), and warns the user and Claude when the context
 * fills up (C5). It blocks a prompt in one case: the user's text would be sent together with what
 * is being typed to clear the session (A5).
 */
import { guardedPrompt, keepBlockedPrompt } from '../../core/clear/delivery/guard.ts';
import { readWorkMarks } from '../../core/memory/log/memory-index.ts';
import { isWorkDue } from '../../core/memory/model/delta-due.ts';
import { readRules } from '../../core/memory/restore/rules.ts';
import { languageFrom } from '../../core/messages/language.ts';
import { type Message, message } from '../../core/messages/message.ts';
import type { Language } from '../../core/messages/render.ts';
import { attempt } from '../../core/platform/store/attempt.ts';
import { linkOutAtTop, type ProjectMemory } from '../../core/projects/project-memory.ts';
import { readSettings, type Settings } from '../../core/settings/settings.ts';
import { contextOf } from './context.ts';
import type { HookInput } from './hook-input.ts';
import { type Answer, hookProgram } from './hook-program.ts';
import { hookText } from './hook-text.ts';
import { isModAtWork, memoryOf } from './project.ts';

function onPrompt(input: HookInput): Answer {
  // A background task's end begins a turn by itself; that is not the user speaking.
  if (input.prompt.startsWith('<task-notification>')) return undefined;
  if (guardedPrompt(input.places, input.claudePid, input.prompt)) return block(input);
  const memory = memoryOf(input);
  const { settings, problems } = readSettings(input.places, memory.root);
  const words = new Words(languageFrom(input.env));
  for (const reason of problems) words.tellProblem(reason);
  const { rulesInjectionFrequency: frequency } = settings;
  const isForAgents =
    !isModAtWork(input) &&
    linkOutAtTop(memory) === undefined && // told at the session's start
    isWorkDue(readWorkMarks(memory), settings.saveInterval);
  if (frequency <= 1 && !isForAgents)
    return answer(input, memory, settings, words, frequency === 1);
  return import('./work.ts').then(({ askForWork, isNthPrompt }) => {
    const tell = (reason: Message) => words.tellProblem(reason);
    const areRulesDue = frequency === 1 || (frequency > 1 && isNthPrompt(memory, frequency, tell));
    const request = isForAgents ? askForWork(input, 'DELTA', tell) : '';
    return answer(input, memory, settings, words, areRulesDue, request);
  });
}

/** Also where the words cannot be kept: they still stand in the CLI's history. */
function block({ places, claudePid, prompt, env }: HookInput): object {
  attempt(() => keepBlockedPrompt(places, claudePid, prompt), undefined);
  return { decision: 'block', reason: hookText(languageFrom(env), message('hooks.heldBack')) };
}

function answer(
  input: HookInput,
  memory: ProjectMemory,
  settings: Settings,
  words: Words,
  areRulesDue: boolean,
  request = '',
): Answer {
  if (areRulesDue) addRules(input, memory, words);
  warnOfContext(input, settings, words);
  words.forClaude.push(request);
  return words.answer();
}

/** What Claude and the user are told. */
class Words {
  readonly language: Language;
  readonly forClaude: string[] = [];
  /** Rendered, but for problems. */
  readonly forUser: (string | Message)[] = [];

  constructor(language: Language) {
    this.language = language;
  }

  tellUser(said: Message): void {
    this.forUser.push(hookText(this.language, said));
  }

  tellProblem(reason: Message): void {
    this.forUser.push(message('hooks.rulesError', { reason }));
  }

  answer(): Answer {
    if (this.forUser.every((said) => typeof said === 'string')) return this.#answer(this.forUser);
    return import('./problem-text.ts').then(({ problemText }) =>
      this.#answer(this.forUser.map((said) => problemText(this.language, said))),
    );
  }

  #answer(forUser: readonly string[]): object | undefined {
    const additionalContext = this.forClaude.filter((text) => text !== '').join('\n\n');
    if (additionalContext === '' && forUser.length === 0) return undefined;
    return {
      ...(forUser.length > 0 && { systemMessage: forUser.join('\n') }),
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext },
    };
  }
}

function addRules(input: HookInput, memory: ProjectMemory, words: Words): void {
  const { text, problems } = readRules(input.places, memory.root, words.language);
  if (text !== '') {
    words.forClaude.push(`<rules source="the user, by Memory Keeper">\n${text}\n</rules>`);
    words.tellUser(message('hooks.rulesInjected'));
  }
  for (const reason of problems) words.tellProblem(reason);
}

function warnOfContext(input: HookInput, { thresholds }: Settings, words: Words): void {
  const reading = contextOf(input, thresholds);
  if (reading === undefined || reading.level === 'ok') return;
  const { level, percent, window } = reading;
  words.tellUser(message(`hooks.${level}`, { percent, window }));
  words.forClaude.push(hookText(words.language, message(`hooks.${level}Claude`, { percent })));
}

export const run = hookProgram(onPrompt);
