/** What a command of the command line is. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ExpectedError, message } from '../core/usecases/messages.ts';

export interface Command {
  name: string;
  summary: string;
  help: string;
  run(args: string[]): Promise<void>;
}

/** A mistyped command: the error points to the help, exit code 2. */
export class UsageError extends ExpectedError {
  override name = 'UsageError';
  readonly see: string;

  constructor(words: string, see: string) {
    super(message('cli.usage', { words }));
    this.see = see;
  }
}

/** node's own parser, with an error that a person can use. */
export function parseOptions<T extends ParseArgsConfig>(
  command: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(parserWords((error as Error).message), `memory-keeper ${command} --help`);
  }
}

function parserWords(words: string): string {
  const [, option, how] =
    /^Option '(?:-\w, )?(--[\w-]+).*' argument (missing|is ambiguous)/.exec(words) ?? [];
  if (how === 'missing') return `${option} needs a value`;
  if (how !== undefined)
    return `${option} needs a value; write ${option}=-1 for one that starts with a dash`;
  const [first = ''] = words.split('. ');
  return first;
}

/** Where the user is; the folder may have been removed meanwhile. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new ExpectedError(message('cli.folderGone'));
  }
}
