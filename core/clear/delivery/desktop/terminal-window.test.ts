import { closeSync, openSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Message, message } from '../../../messages/message.ts';
import type { ProcessInfo, ProcessTable } from '../../../platform/process/process-table.ts';
import { runProgram } from '../../../platform/process/run-program.ts';
import { terminalWindow } from './terminal-window.ts';
import type { DesktopWindow } from './typist-protocol.ts';

/** Makes this very process a terminal, as far as the system can tell. */
function openPty(): string {
  const master = openSync('/dev/ptmx', 'r+');
  onTestFinished(() => closeSync(master));
  const [, index] =
    /^tty-index:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${master}`, 'utf8')) ?? [];
  return `/dev/pts/${index}`;
}

const SHELL = 999_999_001;
const SESSION = 999_999_002;

function find(
  tty: string | undefined,
  shellTty: string | undefined,
  windows: DesktopWindow[] | Message,
) {
  const known: ProcessInfo[] = [
    {
      pid: SESSION,
      parentPid: SHELL,
      startTime: '1',
      name: 'claude',
      ...(tty !== undefined && { tty }),
    },
    {
      pid: SHELL,
      parentPid: process.pid,
      startTime: '1',
      name: 'bash',
      ...(shellTty !== undefined && { tty: shellTty }),
    },
    { pid: process.pid, parentPid: 1, startTime: '1', name: 'konsole' },
  ];
  const table: ProcessTable = {
    lookUp: async (pids) =>
      new Map(known.filter(({ pid }) => pids.includes(pid)).map((info) => [info.pid, info])),
    environment: async () => ({}),
  };
  return terminalWindow(table, SESSION, async () => windows, runProgram);
}

const window = (id: number, isMinimised = false) => ({ id, pid: process.pid, isMinimised });

describe.runIf(process.platform === 'linux')('A3 the window that shows a session', () => {
  it('is the only one of the process that holds its terminal', async () => {
    const tty = openPty();
    expect(await find(tty, tty, [window(7)])).toEqual({
      window: 7,
      pid: process.pid,
      name: 'konsole',
    });
  });

  it('is not known where the window has more than one tab', async () => {
    const tty = openPty();
    openPty();
    const why = message('driver.terminalsSeveral', { name: 'konsole', count: 2 });
    expect(await find(tty, tty, [window(7)])).toEqual({ why });
  });

  it('is not known where the process shows another terminal', async () => {
    openPty();
    expect(await find('/dev/pts/9999', '/dev/pts/9999', [window(7)])).toEqual({
      why: message('driver.terminalNotShown', { name: 'konsole' }),
    });
  });

  it('is not known behind a process with a terminal of its own', async () => {
    const tty = openPty();
    expect(await find(tty, undefined, [window(7)])).toEqual({
      why: message('driver.programBetween', { name: 'bash' }),
    });
  });

  it.each<[string, DesktopWindow[] | Message, Message]>([
    [
      'two windows',
      [window(7), window(8)],
      message('driver.windowsSeveral', { name: 'konsole', count: 2 }),
    ],
    [
      'a minimized window',
      [window(7, true)],
      message('driver.windowMinimized', { name: 'konsole' }),
    ],
    ['no window', [], message('driver.windowNotFound')],
    ['nobody to ask', message('driver.typistSilent'), message('driver.typistSilent')],
  ])('is not known with %s', async (_, windows, why) => {
    const tty = openPty();
    expect(await find(tty, tty, windows)).toEqual({ why });
  });

  it('is not known of a process without a terminal', async () => {
    expect(await find(undefined, undefined, [window(7)])).toEqual({
      why: message('driver.noTerminal'),
    });
  });
});
