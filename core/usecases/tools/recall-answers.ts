/**
 * Answers the mod's questions about a prompt (K7) for the project that Claude Code was started in:
 * whether notes are wanted at all, and which. What goes wrong is logged and costs the prompt nothing.
 */
import * as v from 'valibot';
import { Recall } from '../../memory/recall/recall.ts';
import { isExpected } from '../../messages/expected-error.ts';
import { SessionId } from '../../platform/store/session-id.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { readSettingsAt } from '../../settings/settings.ts';
import { logBug } from '../methods/log-bug.ts';
import { SessionMemory } from './session-memory.ts';
import { saidId } from './shown-ids.ts';

const optional = <T extends v.GenericSchema>(schema: T) =>
  v.fallback(v.optional(schema), undefined);

const Question = v.object({
  session: SessionId,
  compactedAt: optional(v.pipe(v.string(), v.isoTimestamp())),
  given: optional(v.number()),
  /** Without one, the session has begun or a turn has ended. */
  prompt: optional(v.string()),
});

export interface RecallAnswer {
  /** Prompts may ask. */
  isReady: boolean;
  number?: number;
  text?: string;
}

const NOT_READY: RecallAnswer = { isReady: false };

export class RecallAnswers {
  readonly #memory: SessionMemory;
  #recall: { base: string; recall: Recall } | undefined;

  constructor(env: NodeJS.ProcessEnv, cwd: string) {
    this.#memory = new SessionMemory(env, cwd);
  }

  answer(question: unknown): RecallAnswer {
    const parsed = v.safeParse(Question, question);
    if (!parsed.success) return NOT_READY;
    try {
      const { prompt, ...now } = parsed.output;
      const { places, project } = this.#memory;
      const { enabled, maxChars } = readSettingsAt(places, project.memory).settings.recall;
      if (!enabled || maxChars === 0) return NOT_READY;
      const recall = this.#recallOf(project.memory);
      if (prompt !== undefined) return { isReady: true, ...recall.recall(now, prompt, maxChars) };
      recall.prepare(now);
      return { isReady: true };
    } catch (error) {
      if (!isExpected(error)) logBug(this.#memory.places, 'recall', error);
      return NOT_READY; // nothing is kept yet
    }
  }

  #recallOf(memory: ProjectMemory): Recall {
    if (this.#recall?.base !== memory.base)
      this.#recall = { base: memory.base, recall: new Recall(this.#memory.places, memory, saidId) };
    return this.#recall.recall;
  }
}
