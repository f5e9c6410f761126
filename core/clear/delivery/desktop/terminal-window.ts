/**
 * Finds the window that shows a session (A3), from the process upwards, never by a title. It is
 * certain only if a process has one window and shows one terminal, and that terminal is the
 * session's: with a multiplexer, a remote shell or tabs, the window may show something else.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, message } from '../../../messages/message.ts';
import { parseStat } from '../../../platform/process/linux.ts';
import {
  ancestry,
  type ProcessInfo,
  type ProcessTable,
} from '../../../platform/process/process-table.ts';
import type { RunProgram } from '../../../platform/process/run-program.ts';
import { attempt } from '../../../platform/store/attempt.ts';
import type { DesktopWindow } from './typist-protocol.ts';

export interface TerminalWindow {
  window: number;
  pid: number;
  name: string;
}

export async function terminalWindow(
  processes: ProcessTable,
  pid: number,
  windowsOf: (pids: readonly number[]) => Promise<DesktopWindow[] | Message>,
  run: RunProgram,
): Promise<TerminalWindow | { why: Message }> {
  const [session, ...parents] = await ancestry(processes, pid);
  if (session === undefined) return { why: message('clear.processEnded', { pid: String(pid) }) };
  const windows = await windowsOf(parents.map((parent) => parent.pid));
  if ('code' in windows) return { why: windows };
  const owner = parents.find((parent) => windows.some((window) => window.pid === parent.pid));
  if (owner === undefined) return { why: message('driver.windowNotFound') };
  const { name } = owner;
  const owned = windows.filter((window) => window.pid === owner.pid);
  const [window] = owned;
  if (window === undefined || owned.length > 1)
    return { why: message('driver.windowsSeveral', { name, count: owned.length }) };
  if (window.isMinimised) return { why: message('driver.windowMinimized', { name }) };
  const between = parents.slice(0, parents.indexOf(owner));
  const why = await whyOtherContent(session, between, owner, run);
  return why === undefined ? { window: window.id, pid: owner.pid, name } : { why };
}

/** Why the window may show something else than the session's terminal. */
async function whyOtherContent(
  { tty }: ProcessInfo,
  between: readonly ProcessInfo[],
  { pid, name }: ProcessInfo,
  run: RunProgram,
): Promise<Message | undefined> {
  if (process.platform === 'win32') return message('driver.windowsTabs');
  if (tty === undefined) return message('driver.noTerminal');
  const stranger = between.find((parent) => parent.tty !== tty);
  if (stranger !== undefined) return message('driver.programBetween', { name: stranger.name });
  const isLinux = process.platform === 'linux';
  const shown = new Set(isLinux ? terminalsOnLinux(pid) : await terminalsOnDarwin(pid, run));
  if (!shown.has(tty)) return message('driver.terminalNotShown', { name });
  return shown.size > 1
    ? message('driver.terminalsSeveral', { name, count: shown.size })
    : undefined;
}

/** By open files, which not every program lets us read, and by child processes. */
function terminalsOnLinux(pid: number): string[] {
  const texts = (folder: string, file: (name: string) => string) =>
    attempt(() => readdirSync(folder), []).map((name) =>
      attempt(() => readFileSync(join(folder, file(name)), 'utf8'), ''),
    );
  const held = texts(`/proc/${pid}/fdinfo`, (name) => name)
    .flatMap((text) => /^tty-index:\s*(\d+)/m.exec(text)?.[1] ?? [])
    .map((index) => `/dev/pts/${index}`);
  const children = texts('/proc', (name) => join(name, 'stat'))
    .map(parseStat)
    .filter((process) => process?.parentPid === pid);
  return [...held, ...children.flatMap((child) => child?.tty ?? [])];
}

async function terminalsOnDarwin(pid: number, run: RunProgram): Promise<string[]> {
  const { stdout } = await run('/bin/ps', ['-axo', 'ppid=,tty=']);
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  return pairs.flatMap(([parent, tty]) =>
    Number(parent) === pid && tty !== undefined && tty !== '??' ? [`/dev/${tty}`] : [],
  );
}
