/** A made memory that is asked by tools, as Claude asks in a session of its project (K8). */
import { ToolAnswers } from '../../core/usecases/tools/answer-tool.ts';
import { MadeMemory } from './made-memory.ts';

export class ToolMemory extends MadeMemory {
  readonly tools = new ToolAnswers(
    {
      CLAUDE_CONFIG_DIR: this.places.claude,
      MEMORY_KEEPER_HOME: this.places.home,
      HOME: this.places.claude,
      CLAUDE_PROJECT_DIR: this.root,
    },
    '/nowhere',
  );

  ask(tool: string, args: unknown = {}): string {
    const { text, isError } = this.tools.answer(tool, args);
    if (isError) throw new Error(text);
    return text;
  }

  /** The id of the first line that a list shows. */
  first(tool: string, args: unknown = {}): string {
    return /^(\S+) · /m.exec(this.ask(tool, args))?.[1] ?? 'none';
  }
}
