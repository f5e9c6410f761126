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
export function parseOptions<T extends ParseArgsConfig>(command: string, config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [message = ''] = (error as Error).message.split('. ');
    throw new UsageError(message.charAt(0).toLowerCase() + message.slice(1), `memory-keeper ${command} --help`);
  }
}

/** Where the user is; a folder that was removed meanwhile is told in words. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new ExpectedError('the folder you are in does not exist any more');
  }
}
