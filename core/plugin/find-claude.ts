/**
 * Finds the `claude` program and its version (G4): the first of the possible places whose program
 * prints a version. A program that does not run is reported, because "not installed" would mislead
 * the user.
 */

import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { type Message, message } from '../messages/message.ts';
import type { RunProgram } from '../platform/process/run-program.ts';
import { attempt } from '../platform/store/attempt.ts';
import { claudePlaces } from './claude-places.ts';

const VERSION_TIMEOUT_MS = 15_000;
/** Plugins may bring code that runs inside from this version on. */
const FIRST_WITH_MODS = '2.1.287';

export interface ClaudeProgram {
  path: string;
  version: string;
}

export interface FindOptions {
  env: NodeJS.ProcessEnv;
  run: RunProgram;
  platform?: NodeJS.Platform;
  /** Instead of all places of this system. */
  candidates?: readonly string[];
}

export type ClaudeSearch = { ok: true; claude: ClaudeProgram } | { ok: false; problem: Message };

export async function findClaude(options: FindOptions): Promise<ClaudeSearch> {
  const platform = options.platform ?? process.platform;
  const failures: Message[] = [];
  for (const path of (options.candidates ?? claudePlaces(platform, options.env)).filter(
    isProgram,
  )) {
    const answer = await options.run(path, ['--version'], {
      timeoutMs: VERSION_TIMEOUT_MS,
      env: claudeEnvironment(path, options.env, platform),
    });
    const version = /\d+\.\d+\.\d+/.exec(answer.stdout)?.[0];
    if (answer.ok && version !== undefined) return { ok: true, claude: { path, version } };
    failures.push(
      answer.ok
        ? message('plugin.claudeNoVersion', { path })
        : message('plugin.claudeFails', { path, reason: firstLine(answer.reason) }),
    );
  }
  return { ok: false, problem: failures[0] ?? message('plugin.claudeNotFound') };
}

function firstLine(reason: Message | string): Message | string {
  return typeof reason === 'string' ? (reason.split('\n')[0] ?? '') : reason;
}

/**
 * For a run that does one thing: no update of itself, nothing sent home. Where `claude` is a script
 * of npm, its Node.js lies beside it. Inside a session of Claude Code it must not take itself for a
 * part of that session.
 */
export function claudeEnvironment(
  path: string,
  env: NodeJS.ProcessEnv,
  platform = process.platform,
): NodeJS.ProcessEnv {
  const { CLAUDECODE: _, CLAUDE_CODE_ENTRYPOINT: __, ...rest } = env;
  const [name = 'PATH', folders = ''] =
    Object.entries(env).find(([key]) => key.toUpperCase() === 'PATH') ?? [];
  const beside =
    platform === 'win32'
      ? `${folders};${win32.dirname(path)}`
      : `${folders}:${posix.dirname(path)}`;
  return {
    ...rest,
    [name]: beside.replace(/^[:;]/, ''),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
}

export function hasMods({ version }: ClaudeProgram): boolean {
  return compareVersions(version, FIRST_WITH_MODS) >= 0;
}

/** Below zero if the first is the older one. */
export function compareVersions(a: string, b: string): number {
  const numbers = (version: string) =>
    (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isProgram(path: string): boolean {
  const isExecutableFile = () => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  };
  return attempt(isExecutableFile, false); // most places have none
}
