/**
 * Runs a helper program of the system (ps, tmux, powershell, claude): bounded in time and output,
 * never a shell.
 */
import { execFile } from 'node:child_process';
import { type Message, message } from '../../messages/message.ts';

export interface ProgramResult {
  ok: boolean;
  stdout: string;
  /** Why it failed: its own words, or that it is missing or does not answer. */
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
    const { timeoutMs: timeout = DEFAULT_TIMEOUT_MS, ...others } = options;
    const limits = { timeout, maxBuffer: MAX_OUTPUT_BYTES, killSignal: 'SIGKILL' } as const;
    execFile(file, args, { ...others, ...limits, windowsHide: true }, (error, stdout, stderr) => {
      if (error === null) return resolve({ ok: true, stdout, reason: '' });
      const isMissing = error.code === 'ENOENT' || error.code === 'EACCES';
      const reason = isMissing
        ? message('system.notInstalled', { program: file })
        : error.killed
          ? message('system.noAnswer', { program: file })
          : stderr.trim() || error.message;
      resolve({ ok: false, stdout, reason });
    });
  });
