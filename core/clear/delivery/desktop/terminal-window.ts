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
import type { DesktopWindow } from './typist-words.ts';

export type TerminalWindow = { window: number; pid: number; name: string } | { why: Message };

type WindowsOf = (pids: readonly number[]) => Promise<DesktopWindow[] | Message>;

export async function terminalWindow(
  processes: ProcessTable,
  pid: number,
  windowsOf: WindowsOf,
  run: RunProgram,
): Promise<TerminalWindow> {
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
  const why = await otherTerminals(session, parents.slice(0, parents.indexOf(owner)), owner, run);
  return why === undefined ? { window: window.id, pid: owner.pid, name } : { why };
}

/** Why the window may show something else than the session's terminal. */
async function otherTerminals(
  session: ProcessInfo,
  between: readonly ProcessInfo[],
  owner: ProcessInfo,
  run: RunProgram,
): Promise<Message | undefined> {
  if (process.platform === 'win32') return message('driver.windowsTabs');
  if (session.tty === undefined) return message('driver.noTerminal');
  const stranger = between.find(({ tty }) => tty !== session.tty);
  if (stranger !== undefined) return message('driver.programBetween', { name: stranger.name });
  const shown = new Set(
    process.platform === 'linux'
      ? terminalsOnLinux(owner.pid)
      : await terminalsOnDarwin(owner.pid, run),
  );
  const { name } = owner;
  if (!shown.has(session.tty)) return message('driver.terminalNotShown', { name });
  return shown.size > 1
    ? message('driver.terminalsSeveral', { name, count: shown.size })
    : undefined;
}

/**
 * Those it holds the other end of, and those of its children: the first cannot be read of every
 * program.
 */
function terminalsOnLinux(pid: number): string[] {
  const folder = `/proc/${pid}/fdinfo`;
  const files = attempt(() => readdirSync(folder), []).map((name) =>
    attempt(() => readFileSync(join(folder, name), 'utf8'), ''),
  );
  const held = files
    .flatMap((text) => /^tty-index:\s*(\d+)/m.exec(text)?.[1] ?? [])
    .map((index) => `/dev/pts/${index}`);
  const all = attempt(() => readdirSync('/proc'), []).filter((name) => /^\d+$/.test(name));
  const children = all.map((name) =>
    parseStat(attempt(() => readFileSync(`/proc/${name}/stat`, 'utf8'), '')),
  );
  return [
    ...held,
    ...children.flatMap((child) =>
      child?.parentPid === pid && child.tty !== undefined ? [child.tty] : [],
    ),
  ];
}

async function terminalsOnDarwin(pid: number, run: RunProgram): Promise<string[]> {
  const { stdout } = await run('/bin/ps', ['-axo', 'ppid=,tty=']);
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  return pairs.flatMap(([parent, tty]) =>
    Number(parent) === pid && tty !== undefined && tty !== '??' ? [`/dev/${tty}`] : [],
  );
}
