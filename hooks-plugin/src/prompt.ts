/** UserPromptSubmit: the user's rules go along (M14), and a context that fills up is told to both (C5). It never blocks a prompt. */
import { contextReading } from '../../core/context/reading.ts';
import { readReportedWindow } from '../../core/context/reported.ts';
import { contextWindow, isSwitchedOn } from '../../core/context/window.ts';
import { memoryIndexFile } from '../../core/memory/memory-index.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../core/memory/project-memory.ts';
import { readRules } from '../../core/memory/rules.ts';
import { type Language, languageFrom, message } from '../../core/messages.ts';
import { readSettings, type Settings } from '../../core/settings/settings.ts';
import { updateDocument } from '../../core/store/document.ts';
import { placesFrom } from '../../core/store/places.ts';
import { readContextHistory } from '../../core/transcript/context-history.ts';
import type { HookInput } from './hook-input.ts';
import { memoryOf } from './keep.ts';

interface Words {
  forClaude: string[];
  forUser: string[];
}

export async function onPrompt(input: HookInput): Promise<object | undefined> {
  const memory = await memoryOf(input);
  const places = placesFrom(input.env);
  const language = languageFrom(input.env);
  const { settings, problems } = await readSettings(places, memory.root);
  const words: Words = { forClaude: [], forUser: problems.map((reason) => message(language, 'rulesError', { reason })) };
  const tell = (reason: string) => void words.forUser.push(message(language, 'rulesError', { reason }));
  if (await isDue(memory, settings.rulesInjectionFrequency, tell)) {
    const rules = await readRules(places, memory.root, language);
    words.forClaude.push(`<rules source="the user, by Memory Keeper">\n${rules.text}\n</rules>`);
    words.forUser.push(message(language, 'rulesInjected'));
    rules.problems.forEach(tell);
  }
  await warnOfContext(input, settings, language, words);
  if (words.forClaude.length + words.forUser.length === 0) return undefined;
  return {
    ...(words.forUser.length > 0 && { systemMessage: words.forUser.join('\n') }),
    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: words.forClaude.join('\n\n') },
  };
}

/** The count goes on across sessions. If it cannot be written the rules go along: too often is better than never. */
async function isDue(memory: ProjectMemory, frequency: number, tell: (reason: string) => void): Promise<boolean> {
  if (frequency === 0) return false;
  if (frequency === 1) return true;
  try {
    await prepareProjectMemory(memory);
    const { value } = await updateDocument(memory.index, memoryIndexFile, (index) => ({
      ...index,
      rulesInjectionCount: (index.rulesInjectionCount ?? 0) + 1,
    }));
    return ((value.rulesInjectionCount ?? 1) - 1) % frequency === 0;
  } catch (error) {
    tell((error as Error).message);
    return true;
  }
}

async function warnOfContext(input: HookInput, { thresholds }: Settings, language: Language, words: Words): Promise<void> {
  const history = await readContextHistory(input.transcript, 1);
  const now = history?.turns.at(-1);
  if (history === undefined || now === undefined) return;
  const window = contextWindow({
    model: now.model,
    tokensInUse: now.tokens,
    isExtendedDisabled: isSwitchedOn(input.env.CLAUDE_CODE_DISABLE_1M_CONTEXT),
    reported: await readReportedWindow(placesFrom(input.env).home, input.sessionId),
  });
  const reading = contextReading(history.turns, window, thresholds);
  if (reading === undefined || reading.level === 'ok') return;
  const values = { percent: reading.percent, window: reading.window.toLocaleString('en-US') };
  words.forUser.push(message(language, reading.level, values));
  words.forClaude.push(message(language, `${reading.level}Claude`, values));
}
