/**
 * Which place each terminal names for a process, from what its command line prints. tmux, screen
 * and kitty are run for real in tests/e2e; zellij, WezTerm and iTerm2 could not be, and their
 * output here is written after their documentation.
 */
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { message } from '../../messages/message.ts';
import type { ProcessInfo } from '../../platform/process/process-table.ts';
import type { RunProgram } from '../../platform/process/run-program.ts';
import {
  type ClearTarget,
  type DeliveryTools,
  type Driver,
  driverName,
  FIXED_TEXTS,
  type MakeDriver,
} from './driver.ts';
import { iterm2Driver } from './iterm2.ts';
import { kittyDriver } from './kitty.ts';
import { fromHardcopy, screenDriver } from './screen.ts';
import { tmuxDriver } from './tmux.ts';
import { withTtyCheck } from './tty-check.ts';
import { weztermDriver } from './wezterm.ts';
import { zellijDriver } from './zellij.ts';

/** A file in place of a tty: when it was read last tells whether keys were heard there. */
const TTY = join(mkdtempSync(join(tmpdir(), 'memory-keeper-test-')), 'tty');
writeFileSync(TTY, '');
const LONG_AGO = new Date(0);
const LATER = new Date(Date.now() + 600_000);
utimesSync(TTY, LONG_AGO, LONG_AGO);
afterAll(() => rmSync(dirname(TTY), { recursive: true }));

const notIn = (name: Driver['name']) => message('driver.notIn', { driver: driverName(name) });

const TARGET: ClearTarget = { sessionId: 'a', pid: 300, processStart: '5000' };
const CLAUDE: ProcessInfo = {
  pid: 300,
  parentPid: 200,
  startTime: '5000',
  name: 'claude',
  tty: TTY,
};
const SHELL: ProcessInfo = { pid: 200, parentPid: 100, startTime: '4000', name: 'zsh', tty: TTY };

const RULE = '─'.repeat(60);
const boxWith = (text: string) => [
  '● Done.',
  '',
  RULE,
  `❯\u00a0${text}`,
  RULE,
  '  ? for shortcuts',
];

interface World {
  env?: Record<number, Record<string, string>>;
  parents?: ProcessInfo[];
  /** Answers by what the command line contains; the first that fits. */
  answers?: [string, string | (() => string)][];
}

function tools({
  env = {},
  parents = [],
  answers = [],
}: World): DeliveryTools & { ran: string[][] } {
  const home = mkdtempSync(join(tmpdir(), 'memory-keeper-test-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const table = new Map([CLAUDE, SHELL, ...parents].map((info) => [info.pid, info]));
  const ran: string[][] = [];
  const run: RunProgram = async (file, args) => {
    ran.push([file, ...args]);
    const answer = answers.find(([part]) => [file, ...args].join(' ').includes(part))?.[1];
    if (answer === undefined) return { ok: false, stdout: '', reason: `${file} is not installed` };
    return { ok: true, stdout: typeof answer === 'string' ? answer : answer(), reason: '' };
  };
  return {
    ...{ places: { claude: home, home }, env: {}, run, ran, refusal: async () => undefined },
    echoTimeoutMs: 100,
    processes: {
      lookUp: async (pids) =>
        new Map(
          pids.flatMap((pid) => (table.has(pid) ? [[pid, table.get(pid) as ProcessInfo]] : [])),
        ),
      environment: async (pid, names) =>
        Object.fromEntries(Object.entries(env[pid] ?? {}).filter(([name]) => names.includes(name))),
    },
  };
}

const certainty = (make: MakeDriver, world: World) => make(tools(world)).certainty(TARGET);

describe('every terminal', () => {
  const drivers = {
    tmuxDriver,
    screenDriver,
    kittyDriver,
    zellijDriver,
    weztermDriver,
    iterm2Driver,
  };

  it.each(Object.entries(drivers))(
    'A3 is not certain where nothing answers: %s',
    async (_, make) => {
      expect(await certainty(make, {})).toMatchObject({ certain: false });
      expect(await make(tools({})).deliver(TARGET, FIXED_TEXTS.clear)).toMatchObject({
        done: false,
        touched: false,
      });
    },
  );

  it.each(Object.entries(drivers))(
    'A3 is not certain for another process with the same pid: %s',
    async (_, make) => {
      const driver = make(tools({}));
      expect(await driver.certainty({ ...TARGET, processStart: '1' })).toEqual({
        certain: false,
        why: message('clear.processEnded', { pid: '300' }),
      });
    },
  );
});

/** Plays the terminal: what is sent shows in the box, and Enter empties it. */
function playing(isSending: (args: string[]) => string | undefined) {
  let text = '';
  const sent: string[] = [];
  const hear = (args: string[]) => {
    for (const key of isSending(args) ?? '') {
      sent.push(key);
      utimesSync(TTY, LATER, LATER);
      onTestFinished(() => utimesSync(TTY, LONG_AGO, LONG_AGO));
      text = key === '\r' ? '' : text + key;
    }
  };
  return { hear, sent, screen: () => boxWith(text).join('\n') };
}

async function deliverPlaying(
  make: MakeDriver,
  world: World,
  keysOf: (args: string[]) => string | undefined,
  reading: string,
) {
  const play = playing(keysOf);
  const made = tools({ ...world, answers: [[reading, play.screen], ...(world.answers ?? [])] });
  const { run } = made;
  made.run = (file, args, options) => {
    play.hear([file, ...args]);
    return run(file, args, options);
  };
  return {
    delivery: await make(made).deliver(TARGET, FIXED_TEXTS.clear),
    keys: play.sent.join(''),
  };
}

describe('WezTerm', () => {
  const pane = (id: number, tty: string | null) => ({
    ...{
      window_id: 0,
      tab_id: 0,
      pane_id: id,
      workspace: 'default',
      size: { rows: 37, cols: 118, dpi: 96 },
      title: 'claude',
    },
    ...{
      cwd: 'file://host/home/someone/project',
      cursor_x: 2,
      cursor_y: 35,
      cursor_visibility: 'Hidden',
      is_active: id === 0,
    },
    tty_name: tty,
  });
  const env = {
    300: { WEZTERM_PANE: '4', WEZTERM_UNIX_SOCKET: '/run/user/1000/wezterm/gui-sock-900' },
  };
  const listing = (...panes: object[]): World => ({
    env,
    answers: [
      ['list --format json', JSON.stringify(panes)],
      ['send-text', ''],
    ],
  });

  it('A4 the pane is the one with the tty', async () => {
    const world = listing(pane(0, '/dev/pts/3'), pane(4, TTY), pane(5, null));
    expect(await certainty(weztermDriver, world)).toEqual({
      certain: true,
      how: message('driver.weztermHow', { pane: '4' }),
    });
    const keysOf = (args: string[]) => (args.includes('send-text') ? args.at(-1) : undefined);
    const result = await deliverPlaying(
      weztermDriver,
      world,
      keysOf,
      'get-text --pane-id 4 --escapes',
    );
    expect(result).toEqual({ delivery: { done: true }, keys: '/clear\r' });
  });

  it('A3 no pane, or two of them, is not certain', async () => {
    expect(await certainty(weztermDriver, listing(pane(4, '/dev/pts/3')))).toMatchObject({
      certain: false,
    });
    expect(await certainty(weztermDriver, listing(pane(4, TTY), pane(5, TTY)))).toMatchObject({
      certain: false,
    });
    expect(await certainty(weztermDriver, { ...listing(pane(4, TTY)), env: {} })).toMatchObject({
      why: notIn('wezterm'),
    });
    expect(await certainty(weztermDriver, { env, answers: [['list', 'not json']] })).toMatchObject({
      certain: false,
    });
  });
});

describe('kitty', () => {
  const env = { 300: { KITTY_LISTEN_ON: 'unix:/tmp/kitty-900', KITTY_WINDOW_ID: '2' } };
  const shown = (id: number, ...pids: number[]) => ({
    ...{
      id,
      is_focused: false,
      title: 'claude',
      pid: 200,
      cwd: '/home/someone/project',
      columns: 71,
      lines: 22,
    },
    foreground_processes: pids.map((pid) => ({
      pid,
      cmdline: ['claude'],
      cwd: '/home/someone/project',
    })),
  });
  const listing = (...windows: object[]): World => ({
    env,
    answers: [
      [
        '@ --to unix:/tmp/kitty-900 ls',
        JSON.stringify([{ id: 1, tabs: [{ id: 1, title: 'zsh', windows }] }]),
      ],
    ],
  });

  it('A4 the window is the one in whose foreground the process is', async () => {
    expect(await certainty(kittyDriver, listing(shown(1, 77), shown(2, 300)))).toEqual({
      certain: true,
      how: message('driver.kittyHow', { window: '2' }),
    });
  });

  it('A3 variables that a multiplexer inherited are not believed, nor two windows', async () => {
    expect(await certainty(kittyDriver, listing(shown(1, 77), shown(2, 78)))).toMatchObject({
      certain: false,
    });
    expect(await certainty(kittyDriver, listing(shown(3, 300)))).toMatchObject({ certain: false });
    expect(await certainty(kittyDriver, listing(shown(2, 300), shown(3, 300)))).toMatchObject({
      certain: false,
    });
  });

  it('A4 says how to switch the remote control on', async () => {
    const world = { env: { 300: { KITTY_WINDOW_ID: '2' } } };
    expect(await certainty(kittyDriver, world)).toMatchObject({
      why: message('driver.kittyRemoteOff'),
    });
  });
});

describe('zellij', () => {
  const server: ProcessInfo = { pid: 100, parentPid: 1, startTime: '10', name: 'zellij' };
  const env = { 200: { ZELLIJ: '0', ZELLIJ_SESSION_NAME: 'quiet-lake', ZELLIJ_PANE_ID: '3' } };
  const pane = (id: number, isPlugin = false) => ({
    ...{
      id,
      is_plugin: isPlugin,
      is_focused: true,
      is_fullscreen: false,
      is_floating: false,
      is_suppressed: false,
      title: 'claude',
    },
    ...{
      exited: false,
      exit_status: null,
      is_held: false,
      pane_x: 0,
      pane_content_x: 1,
      pane_y: 1,
      pane_content_y: 2,
      pane_rows: 24,
    },
    ...{
      cursor_coordinates_in_pane: [2, 20],
      terminal_command: null,
      plugin_url: null,
      is_selectable: true,
    },
    ...{
      tab_id: 0,
      tab_position: 0,
      tab_name: 'Tab #1',
      pane_command: 'claude',
      pane_cwd: '/home/someone/project',
    },
  });
  const tab = {
    position: 0,
    name: 'Tab #1',
    active: true,
    is_fullscreen_active: false,
    is_sync_panes_active: false,
    tab_id: 0,
  };
  const world = (isSynchronised = false): World => ({
    env,
    parents: [server],
    answers: [
      ['list-panes', JSON.stringify([pane(3, true), pane(3), pane(4)])],
      ['list-tabs', JSON.stringify([{ ...tab, is_sync_panes_active: isSynchronised }])],
      ['action write', ''],
    ],
  });
  const keysOf = (args: string[]) =>
    args.includes('write')
      ? String.fromCharCode(...args.slice(args.indexOf('terminal_3') + 1).map(Number))
      : undefined;

  it('A4 the pane is the one whose number zellij gave to what it started on the tty', async () => {
    expect(await certainty(zellijDriver, world())).toEqual({
      certain: true,
      how: message('driver.zellijHow', { pane: '3', session: 'quiet-lake' }),
    });
    const result = await deliverPlaying(
      zellijDriver,
      world(),
      keysOf,
      'dump-screen --pane-id terminal_3 --ansi',
    );
    expect(result).toEqual({ delivery: { done: true }, keys: '/clear\r' });
  });

  it('A3 panes that share their keys get none', async () => {
    const { delivery, keys } = await deliverPlaying(
      zellijDriver,
      world(true),
      keysOf,
      'dump-screen',
    );
    expect(delivery).toMatchObject({
      done: false,
      reason: message('driver.zellijSynchronized'),
      touched: false,
    });
    expect(keys).toBe('');
  });

  it('A3 variables alone are not believed: the server must be a parent, on another terminal', async () => {
    expect(await certainty(zellijDriver, { ...world(), parents: [] })).toMatchObject({
      why: notIn('zellij'),
    });
    const elsewhere = {
      ...world(),
      env: { 200: { ZELLIJ_SESSION_NAME: 'quiet-lake', ZELLIJ_PANE_ID: '9' } },
    };
    expect(await certainty(zellijDriver, elsewhere)).toMatchObject({
      why: message('driver.zellijNoPane'),
    });
  });
});

describe('iTerm2', () => {
  it('A4 the session is the one with the tty, and the screen is read without styles', async () => {
    const world: World = { answers: [['osascript', 'found\n']] };
    expect(await certainty(iterm2Driver, world)).toEqual({
      certain: true,
      how: message('driver.iterm2How', { tty: TTY }),
    });
    const play = playing((args) =>
      args[2]?.includes('write text')
        ? String.fromCharCode(...args.slice(args.indexOf(TTY) + 1).map(Number))
        : undefined,
    );
    const made = tools({ answers: [['osascript', () => `found\n${play.screen()}\n`]] });
    const { run } = made;
    made.run = (file, args, options) => {
      play.hear([file, ...args]);
      return run(file, args, options);
    };
    expect(await iterm2Driver(made).deliver(TARGET, FIXED_TEXTS.clear)).toEqual({ done: true });
    expect(play.sent.join('')).toBe('/clear\r');
    // Nothing of what is typed or meant is ever part of the script itself.
    expect(
      made.ran.every(([, , script]) => !script?.includes(TTY) && !script?.includes('clear')),
    ).toBe(true);
  });

  it.each([
    ['not running', message('driver.iterm2NotRunning')],
    ['not one', message('driver.iterm2NoSession')],
    ['odd', message('driver.programFailed', { driver: driverName('iterm2'), reason: 'odd' })],
  ])('A3 is not certain: %s', async (answer, why) => {
    const world: World = { answers: [['osascript', `${answer}\n`]] };
    expect(await certainty(iterm2Driver, world)).toEqual({ certain: false, why });
  });
});

describe('a terminal that does not report the tty', () => {
  it('A3 is not read any more once keys were sent that the tty did not read', async () => {
    const shown = { lines: boxWith('/'), isStyled: true };
    const terminal = withTtyCheck(TTY, {
      read: async () => shown,
      send: async () => ({ ok: true }),
    });
    onTestFinished(() => utimesSync(TTY, LONG_AGO, LONG_AGO));
    expect(await terminal.settle?.()).toBe(true);
    expect(await terminal.read()).toEqual(shown);
    await terminal.send('/');
    expect(await terminal.read()).toEqual({ unreadable: message('driver.keysLost') });
    utimesSync(TTY, LATER, LATER);
    expect(await terminal.read()).toEqual(shown);
    const busy = withTtyCheck(TTY, {
      read: async () => shown,
      send: async () => ({ ok: true }),
    });
    expect(await busy.send('/')).toEqual({
      ok: false,
      reason: message('driver.someoneTyping'),
    });
  });
});

describe('screen', () => {
  const server: ProcessInfo = { pid: 100, parentPid: 1, startTime: '10', name: 'screen' };
  const env = { 200: { STY: '100.pts-1.host', WINDOW: '2' } };
  const info: [string, string] = ['-Q info', '(3,4)/(60,24)+1024 +flow UTF-8 2(zsh)'];

  it('A4 the window is the one whose number screen gave to what it started on the tty', async () => {
    expect(await certainty(screenDriver, { env, parents: [server], answers: [info] })).toEqual({
      certain: true,
      how: message('driver.screenHow', { window: '2', session: '100.pts-1.host' }),
    });
  });

  it('A3 variables of another screen are not believed', async () => {
    const other = { 200: { STY: '99.pts-1.host', WINDOW: '2' } };
    expect(
      await certainty(screenDriver, { env: other, parents: [server], answers: [info] }),
    ).toMatchObject({ certain: false });
    expect(await certainty(screenDriver, { env, answers: [info] })).toMatchObject({
      why: notIn('screen'),
    });
    expect(await certainty(screenDriver, { env, parents: [server] })).toMatchObject({
      certain: false,
    });
  });

  it('A5 the low bytes that it writes are enough to know the box by', () => {
    const line = '\0'.repeat(60);
    const { lines } = fromHardcopy(
      Buffer.from(`${line}\no\xa0/clear\n${line}\n  o /clear  Start\n   : stashed\n`, 'latin1'),
    );
    expect(lines).toEqual([RULE, '❯\u00a0/clear', RULE, '  ❯ /clear  Start', '   › stashed', '']);
  });

  it('A3 the file that screen writes the window into is gone afterwards', async () => {
    const made = tools({ env, parents: [server], answers: [info] });
    const { run } = made;
    made.run = async (file, args, options) => {
      const at = args.indexOf('hardcopy');
      if (at > 0)
        writeFileSync(args[at + 1] ?? '', Buffer.from(boxWith('a draft').join('\n'), 'latin1'));
      return run(file, args, options);
    };
    await screenDriver(made).deliver(TARGET, FIXED_TEXTS.clear);
    expect(readdirSync(made.places.home)).toEqual([]);
  });
});
