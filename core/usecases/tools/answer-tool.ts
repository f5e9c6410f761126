/**
 * Answers a tool call of Claude's (K8). What cannot be done is told to the model as a failed call;
 * what should not have happened goes to our log, and never ends the server.
 */

import { renderMessage } from '../../messages/all-messages.ts';
import { isExpected, messageOf } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { escapeMarkers } from '../../platform/text/escape-markers.ts';
import { logBug } from '../methods/log-bug.ts';
import { getTool } from './get-tool.ts';
import { searchTool } from './search-tool.ts';
import { SessionMemory } from './session-memory.ts';
import { proposeForgetTool, rememberTool } from './suggest-tools.ts';
import { timelineTool } from './timeline-tool.ts';
import {
  GetArguments,
  ProposeForgetArguments,
  parseArguments,
  RememberArguments,
  SearchArguments,
  TimelineArguments,
} from './tool-arguments.ts';

export interface ToolAnswer {
  text: string;
  isError: boolean;
}

type Answer = (memory: SessionMemory, args: unknown) => string;

const ANSWERS = new Map<string, Answer>([
  ['search', (memory, args) => searchTool(memory, parseArguments(SearchArguments, args))],
  ['get', (memory, args) => getTool(memory, parseArguments(GetArguments, args))],
  ['remember', (memory, args) => rememberTool(memory, parseArguments(RememberArguments, args))],
  [
    'propose_forget',
    (memory, args) => proposeForgetTool(memory, parseArguments(ProposeForgetArguments, args)),
  ],
  ['timeline', (memory, args) => timelineTool(memory, parseArguments(TimelineArguments, args))],
]);

export class ToolAnswers {
  readonly #memory: SessionMemory;

  constructor(env: NodeJS.ProcessEnv, cwd: string) {
    this.#memory = new SessionMemory(env, cwd);
  }

  answer(tool: string, args: unknown): ToolAnswer {
    try {
      const answer = ANSWERS.get(tool);
      if (answer === undefined) return failed(renderMessage('en', message('tools.noTool')));
      return { text: answer(this.#memory, args), isError: false };
    } catch (error) {
      if (isExpected(error)) return failed(renderMessage('en', messageOf(error)));
      logBug(this.#memory.places, `tool ${tool}`, error);
      return failed(renderMessage('en', message('tools.failed')));
    }
  }
}

function failed(words: string): ToolAnswer {
  return { text: escapeMarkers(words), isError: true };
}
