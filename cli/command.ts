/** What a command of the command line is. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ExpectedError } from '../core/expected-error.ts';

export interface Command {
  name: string;
  summary: string;
  help: string;
  run(args: string[]): Promise<void>;
}

/** The user's words are off: told with a pointer to the help, exit code 2. */
export class UsageError extends ExpectedError {
  override name = 'UsageError';
  readonly see: string;

  constructor(message: string, see: string) {
    super(message);
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

function parserWords(message: string): string {
  const [, option, how] =
    /^Option '(?:-\w, )?(--[\w-]+).*' argument (missing|is ambiguous)/.exec(message) ?? [];
  if (how === 'missing') return `${option} needs a value behind it`;
  if (how !== undefined)
    return `${option} needs a value behind it; one that begins with a dash is written ${option}=-1`;
  const [first = ''] = message.split('. ');
  return first.charAt(0).toLowerCase() + first.slice(1);
}

/** Where the user is; a folder that was removed meanwhile is told in words. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new ExpectedError('the folder you are in does not exist any more');
  }
}
