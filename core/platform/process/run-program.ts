/**
 * Runs a helper program of the system (ps, tmux, powershell, claude): bounded in time and output,
 * never a shell.
 */
import { execFile } from 'node:child_process';
import { type Message, message } from '../../messages/message.ts';

export interface ProgramResult {
  ok: boolean;
  stdout: string;
  /** Why it failed: in its own words, or that it is missing or does not answer. */
  reason: Message | string;
}

export interface ProgramOptions {
  timeoutMs?: number;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

export type RunProgram = (
  file: string,
  args: readonly string[],
  options?: ProgramOptions,
) => Promise<ProgramResult>;

const DEFAULT_TIMEOUT_MS = 5000;
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

export const runProgram: RunProgram = (file, args, options = {}) =>
  new Promise((resolve) => {
    const timeout = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    execFile(
      file,
      [...args],
      {
        timeout,
        maxBuffer: MAX_OUTPUT_BYTES,
        windowsHide: true,
        env: options.env ?? process.env,
        killSignal: 'SIGKILL',
        ...(options.cwd !== undefined && { cwd: options.cwd }),
      },
      (error, stdout, stderr) => {
        if (error === null) return resolve({ ok: true, stdout, reason: '' });
        const missing = error.code === 'ENOENT' || error.code === 'EACCES';
        const reason = missing
          ? message('system.notInstalled', { program: file })
          : error.killed
            ? message('system.noAnswer', { program: file })
            : stderr.trim() || error.message;
        resolve({ ok: false, stdout, reason });
      },
    );
  });
