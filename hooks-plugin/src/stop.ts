/**
 * Stop, while the user waits: enforcement (M15) and, if wished, a line on what was saved. Runs only
 * where a setting asks for it (hooks-plugin/run.sh looks), because it would cost everybody else the
 * time.
 */

import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { readMemoryIndex, updateMemoryIndex } from '../../core/memory/log/memory-index.ts';
import { type Layer, missingLayers } from '../../core/memory/tiers/missing-layers.ts';
import { languageFrom } from '../../core/messages/language.ts';
import { type Message, message } from '../../core/messages/message.ts';
import type { ProjectMemory } from '../../core/projects/project-memory.ts';
import { readSettings } from '../../core/settings/settings.ts';
import type { HookInput } from './hook-input.ts';
import { hookProgram } from './hook-program.ts';
import { hookText } from './hook-text.ts';
import { keepAnswer } from './keep-answer.ts';
import { ownMemoryOf } from './project.ts';

function onStop(input: HookInput): object | undefined {
  const memory = ownMemoryOf(input);
  const { settings } = readSettings(input.places, memory.root);
  const language = languageFrom(input.env);
  const note = settings.quietStop ? {} : keptNote(memory, input);
  const index = readMemoryIndex(memory);
  if (settings.enforcement === 'off' || input.isStopActive) return emptyAsNone(note);
  const asked = index.askedFor?.[input.sessionId] ?? [];
  const missing = missingLayers(memory, index).filter((layer) => !asked.includes(layer));
  // Concepts come with the facts: there is nothing to do for them alone.
  if (missing.every((layer) => layer === 'l3')) return emptyAsNone(note);
  updateMemoryIndex(memory, (current) => ({
    ...current,
    askedFor: { ...current.askedFor, [input.sessionId]: [...asked, ...missing] },
  }));
  const steps = missing.map((layer) => hookText(language, stepFor(layer, memory))).join('\n');
  if (settings.enforcement === 'remind')
    return { systemMessage: hookText(language, message('hooks.remindMissing', { steps })) };
  const reason = hookText(language, message('hooks.blockMissing', { steps }));
  return { ...note, decision: 'block', reason };
}

function stepFor(layer: Layer, { folder }: ProjectMemory): Message {
  return layer === 'memory'
    ? message('hooks.missing.memory', { folder })
    : message(`hooks.missing.${layer}`);
}

/**
 * The hook that keeps runs at the same time; what is said to be kept is kept. A transcript that is
 * not there yet is not waited for.
 */
function keptNote(memory: ProjectMemory, input: HookInput): { systemMessage?: string } {
  if (!existsSync(input.transcript)) return {};
  const path = keepAnswer(memory, input)?.file ?? '';
  if (path === '') return {};
  const said = message('hooks.saved', { file: basename(path) });
  return { systemMessage: hookText(languageFrom(input.env), said) };
}

function emptyAsNone(answer: object): object | undefined {
  return Object.keys(answer).length === 0 ? undefined : answer;
}

export const run = hookProgram(onStop);
