/**
 * Runs a program to its end and gives back what it printed; a failure is an error that carries its
 * stderr.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

export async function run(file: string, args: string[], options: RunOptions = {}): Promise<string> {
  const { stdout } = await execFileAsync(file, args, { maxBuffer: 64 * 1024 * 1024, ...options });
  return stdout;
}
