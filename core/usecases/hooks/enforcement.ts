/**
 * Stop, while the user waits: reminds of what is missing in today's memory, or has Claude add it
 * before it stops (M15); and says what was saved, where the user wants that.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { DELTA_FILE } from '../../memory/log/delta-text.ts';
import { readMemoryIndex, updateMemoryIndex } from '../../memory/log/memory-index.ts';
import { agentFile } from '../../memory/model/agent-files.ts';
import { type EnforcedLayer, missingLayers } from '../../memory/tiers/missing-layers.ts';
import { type Message, message } from '../../messages/message.ts';
import { escapeInLine } from '../../platform/text/escape-markers.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { readSettings } from '../../settings/settings.ts';
import type { HookInput, HookOutput } from './hook-input.ts';
import { hookText } from './hook-text.ts';
import { saveReply } from './save-reply.ts';

export function enforceMemory(input: HookInput): HookOutput | undefined {
  const { places, memory } = input;
  const { enforcement, quietStop } = readSettings(places, memory.root).settings;
  const note = quietStop ? undefined : savedNote(input);
  const missing = enforcement === 'off' || input.isStopActive ? [] : takeMissing(input);
  if (missing.length === 0) return note;
  const steps = missing.map((layer) => hookText(input, stepFor(layer, memory))).join('\n');
  if (enforcement === 'remind')
    return { systemMessage: hookText(input, message('hooks.remindMissing', { steps })) };
  const reason = hookText(input, message('hooks.blockMissing', { steps }));
  return { ...note, decision: 'block', reason };
}

/** The layers that the session has not been asked for yet; each is asked for once. */
function takeMissing({ memory, sessionId }: HookInput): EnforcedLayer[] {
  const index = readMemoryIndex(memory);
  const asked = index.askedFor?.[sessionId] ?? [];
  const missing = missingLayers(memory, index).filter((layer) => !asked.includes(layer));
  // Concepts come with the facts: there is nothing to do for them alone.
  if (missing.every((layer) => layer === 'l3')) return [];
  updateMemoryIndex(memory, (current) => ({
    ...current,
    askedFor: { ...current.askedFor, [sessionId]: [...asked, ...missing] },
  }));
  return missing;
}

function stepFor(layer: EnforcedLayer, memory: ProjectMemory): Message {
  return layer === 'memory'
    ? message('hooks.missing.memory', { file: escapeInLine(agentFile(memory, DELTA_FILE)) })
    : message(`hooks.missing.${layer}`);
}

/** Saves first, because the hook that does so may be later; but not if there is no transcript yet. */
function savedNote(input: HookInput): HookOutput | undefined {
  const file = existsSync(input.transcript) ? saveReply(input)?.file : undefined;
  if (!file) return undefined;
  return { systemMessage: hookText(input, message('hooks.saved', { file: basename(file) })) };
}
