/**
 * The console driver against consoles that are played: what Windows would say of processes and
 * cells. The real calls are run under Wine (tests/e2e/windows), whose console gives no screen.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { saveBriefing } from '../../memory/restore/briefing-file.ts';
import { type Message, message } from '../../messages/message.ts';
import type { ProcessInfo } from '../../platform/process/process-table.ts';
import type { ProcessIdentity, WindowsApi } from '../../platform/process/windows-api.ts';
import type { RequestOf } from './asked-child.ts';
import { attachedConsole, type ConsoleRequests } from './attached-console.ts';
import { type ConsoleChild, consoleDriver } from './console.ts';
import type { ConsoleCalls } from './console-calls.ts';
import { type KeyEvent, keyEvents } from './console-keys.ts';
import { type ConsoleCells, consoleScreen } from './console-screen.ts';
import { type ClearTarget, type DeliveryTools, FIXED_TEXTS } from './driver.ts';
import { guardPath, saveBlockedPrompt } from './guard.ts';
import { readPromptBox } from './prompt-box.ts';
import recorded from './recorded-screens.json' with { type: 'json' };

const TARGET: ClearTarget = { sessionId: 'old', pid: 300, processStart: '134394859946649830' };
const CHILD = 900;
const RULE = '─'.repeat(60);
const ESCAPE = '\x1b';
const SGR = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g');
const ORDINARY: ProcessIdentity = { user: '0105', integrity: 0x2000 };

/** As ReadConsoleOutput returns a line: a wide letter takes two cells. */
function cellsOf(line: string): Buffer {
  const cells = [...line].flatMap((char) => {
    const unit = char.charCodeAt(0);
    return /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]/u.test(char)
      ? [
          [unit, 0x107],
          [unit, 0x207],
        ]
      : [[unit, 7]];
  });
  const row = Buffer.alloc(cells.length * 4);
  for (const [index, [unit = 0, attributes = 0]] of cells.entries()) {
    row.writeUInt16LE(unit, index * 4);
    row.writeUInt16LE(attributes, index * 4 + 2);
  }
  return row;
}

/** A console with one prompt box in it, and every key that it got. */
class PlayedConsole implements ConsoleCalls {
  text = '';
  stash: string | undefined;
  keys = '';
  pids = [TARGET.pid, CHILD];
  attachError = 0;
  takesKeys = true;
  isRaw = false;
  /** What happens once a key was pressed. */
  meanwhile: (key: string) => void = () => undefined;

  attach(): number {
    return this.attachError;
  }

  processes(): number[] {
    return this.pids;
  }

  write(keys: readonly KeyEvent[]): number {
    if (!this.takesKeys) return 0;
    for (const { character } of keys) {
      const key = String.fromCharCode(character);
      this.keys += key;
      this.#press(key);
      this.meanwhile(key);
    }
    return keys.length;
  }

  cells(): ConsoleCells {
    const hint = this.stash === undefined ? '' : `${' '.repeat(49)}› stashed`;
    const lines = [hint, RULE, `❯\u00a0${this.text}`, RULE, '  ? for shortcuts'];
    if (this.isRaw) lines.push(`${ESCAPE}[?25h`);
    const cursor = { row: 2, column: cellsOf(`❯\u00a0${this.text}`).length / 4 };
    return { rows: lines.map(cellsOf), cursor };
  }

  #press(key: string): void {
    if (key === '\x13') {
      [this.text, this.stash] = [this.stash ?? '', this.text || undefined];
    } else if (key === '\b') this.text = this.text.slice(0, -1);
    else if (key === '\r') {
      [this.text, this.stash] = [this.stash ?? '', undefined];
    } else if (key !== ESCAPE) this.text += key;
  }
}

interface World {
  console?: PlayedConsole;
  identities?: Record<number, ProcessIdentity | undefined>;
  startTime?: string;
  parents?: string[];
  refusal?: () => Message | undefined;
  /** Other sessions that Claude Code has registered. */
  others?: number[];
}

function play(world: World = {}) {
  const { console = new PlayedConsole(), identities = {}, parents = [], others = [] } = world;
  const home = tempFolder();
  const places = { claude: home, home };
  const claude: ProcessInfo = {
    pid: TARGET.pid,
    parentPid: 200,
    startTime: world.startTime ?? TARGET.processStart,
    name: 'claude.exe',
  };
  const chain = parents.map((name, index) => ({
    pid: 200 - index,
    parentPid: 199 - index,
    startTime: '1',
    name,
  }));
  const table = new Map([claude, ...chain].map((info) => [info.pid, info]));
  const api: WindowsApi = {
    process: (pid) => table.get(pid),
    identity: (pid) => (pid in identities ? identities[pid] : ORDINARY),
  };
  mkdirSync(join(home, 'sessions'));
  for (const pid of others) {
    const entry = { pid, sessionId: `s${pid}`, cwd: 'C:\\x', status: 'idle' };
    writeFileSync(join(home, 'sessions', `${pid}.json`), JSON.stringify(entry));
  }
  const handlers = attachedConsole(console, api, CHILD);
  const ask = async (request: RequestOf<ConsoleRequests> & { ask: keyof ConsoleRequests }) => {
    const handle = handlers[request.ask] as (request: unknown) => Promise<unknown>;
    return { ok: true as const, value: await handle(request) };
  };
  const child = { ask, leave: () => undefined } as unknown as ConsoleChild;
  const tools = {
    places,
    env: {},
    echoTimeoutMs: 50,
    refusal: async () => world.refusal?.(),
    processes: {
      lookUp: async (pids: readonly number[]) =>
        new Map(pids.flatMap((pid) => table.get(pid) ?? []).map((info) => [info.pid, info])),
      environment: async () => ({}),
    },
  } as unknown as DeliveryTools;
  const driver = consoleDriver(tools, 'win32', async () => ({ ok: true, value: child }));
  return { console, places, driver, tools, handlers };
}

const clear = (driver: ReturnType<typeof play>['driver']) =>
  driver.deliver(TARGET, FIXED_TEXTS.clear);

describe('P2 which console is certain', () => {
  it('the one that Windows lists the very process in', async () => {
    expect(await play().driver.certainty(TARGET)).toEqual({
      certain: true,
      how: message('driver.consoleHow', { pid: '300' }),
    });
  });

  it.each<[string, World, Message]>([
    ['a process that has its pid now', { startTime: '1' }, processReplaced()],
    [
      'another user’s',
      { identities: { [TARGET.pid]: { ...ORDINARY, user: '0106' } } },
      message('driver.consoleOtherUser'),
    ],
    [
      'one that Windows says nothing of',
      { identities: { [TARGET.pid]: undefined } },
      message('driver.consoleOtherUser'),
    ],
    [
      'an administrator’s',
      { identities: { [TARGET.pid]: { ...ORDINARY, integrity: 0x3000 } } },
      message('driver.consoleElevated'),
    ],
    [
      'ours, as administrator',
      { identities: { [CHILD]: { ...ORDINARY, integrity: 0x3000 } } },
      message('driver.consoleElevated'),
    ],
    ['mintty’s', { parents: ['bash.exe', 'mintty.exe'] }, message('driver.consoleMintty')],
    ['WSL’s', { parents: ['wsl.exe'] }, message('driver.consoleWsl')],
    ['none', { console: played({ attachError: 6 }) }, message('driver.consoleNone')],
    [
      'one that Windows refuses',
      { console: played({ attachError: 5 }) },
      message('driver.consoleRefused', { code: '5' }),
    ],
    [
      'one that the process is not in',
      { console: played({ pids: [CHILD] }) },
      message('driver.consoleOther'),
    ],
    [
      'one that two sessions read',
      { console: played({ pids: [TARGET.pid, 301, CHILD] }), others: [300, 301] },
      message('driver.consoleShared', { pid: '301' }),
    ],
  ])('never %s: no key is sent', async (_, world, why) => {
    const { console, driver } = play(world);
    expect(await driver.certainty(TARGET)).toEqual({ certain: false, why });
    expect(await clear(driver)).toEqual({ done: false, reason: why, touched: false });
    expect(console.keys).toBe('');
  });

  it('none elsewhere than on Windows', async () => {
    const { tools } = play();
    expect(await consoleDriver(tools, 'linux').certainty(TARGET)).toEqual({
      certain: false,
      why: message('driver.consoleWindowsOnly'),
    });
  });
});

describe('P2 A5 a console whose screen can be read', () => {
  it('gets /clear and Enter once the box shows it', async () => {
    const { console, driver } = play();
    expect(await clear(driver)).toEqual({ done: true });
    expect(console.keys).toBe('/clear\r');
  });

  it('has a draft, in any letters, stashed before and back after', async () => {
    const console = played({ text: '오늘은 fix the login' });
    const { driver } = play({ console });
    expect(await clear(driver)).toEqual({ done: true });
    expect(console.keys).toBe('\x13/clear\r');
    expect(console.text).toBe('오늘은 fix the login');
  });

  it('gets no Enter when the user types meanwhile', async () => {
    const console = new PlayedConsole();
    console.meanwhile = (key) => {
      if (key === 'r') console.text += ' wait';
    };
    const { driver } = play({ console });
    expect(await clear(driver)).toMatchObject({ done: false, touched: true });
    expect(console.keys).not.toContain('\r');
  });

  it('A3 B16 gets no key while a dialog covers the box, nor when the session asks', async () => {
    const covered = new PlayedConsole();
    covered.cells = () => ({
      rows: [cellsOf(' Do you want to proceed?')],
      cursor: { row: 0, column: 0 },
    });
    expect(await clear(play({ console: covered }).driver)).toEqual({
      done: false,
      reason: message('driver.boxHidden'),
      touched: false,
    });
    expect(covered.keys).toBe('');
    const why = message('clear.waitingForAnswer');
    const { console, driver } = play({ refusal: () => why });
    expect(await clear(driver)).toEqual({ done: false, reason: why, touched: false });
    expect(console.keys).toBe('');
  });

  it('A3 gets no more keys once the process has ended and its shell reads them', async () => {
    const console = new PlayedConsole();
    console.meanwhile = () => {
      console.pids = [CHILD, 200];
    };
    expect(await clear(play({ console }).driver)).toMatchObject({ done: false, touched: true });
    expect(console.keys).toBe('/');
  });

  it('says so if the console takes no keys', async () => {
    const { driver } = play({ console: played({ takesKeys: false }) });
    expect(await clear(driver)).toMatchObject({ reason: message('driver.consoleFull') });
  });

  it.each(
    Object.entries(recorded).flatMap(([version, screens]) =>
      Object.entries(screens).map(([name, screen]) => ({ version, name, screen })),
    ),
  )('shows the box of $version, $name, as other terminals do', ({ screen }) => {
    const [column = 0, row = 0] = screen.cursor;
    const cursor = { row, column };
    const plain = screen.lines.map((line) => line.replaceAll(SGR, ''));
    const fromConsole = consoleScreen({ rows: plain.map(cellsOf), cursor });
    const styled = readPromptBox({ lines: screen.lines, isStyled: true, cursor });
    const read = fromConsole && readPromptBox(fromConsole);
    expect(read?.box?.mode).toBe(styled.box?.mode);
    // Without styles a suggestion looks like a draft, and is marked as uncertain.
    if (read?.box?.isUncertain !== true) expect(read?.box?.text).toBe(styled.box?.text);
  });
});

describe('P2 A5 a console whose screen cannot be read', () => {
  function raw(text = '') {
    const console = played({ isRaw: true, text });
    const scene = play({ console });
    saveBriefing(scene.places, TARGET.sessionId, 'given');
    const cleared = () => {
      const entry = { pid: TARGET.pid, sessionId: 'new', cwd: 'C:\\x', status: 'idle' };
      writeFileSync(join(scene.places.claude, 'sessions/300.json'), JSON.stringify(entry));
    };
    return { ...scene, console, cleared };
  }

  it('gets the draft stashed, /clear and Enter, with the guard up until the session is another', async () => {
    const { console, driver, places, cleared } = raw();
    const guarded: boolean[] = [];
    console.meanwhile = (key) => {
      guarded.push(existsSync(guardPath(places, TARGET.pid)));
      if (key === '\r') cleared();
    };
    expect(await clear(driver)).toEqual({ done: true });
    expect(console.keys).toBe('\x13\x1b/clear\r');
    expect(guarded).not.toContain(false);
    expect(existsSync(guardPath(places, TARGET.pid))).toBe(false);
  });

  it('gives the user’s words back if they were sent along and blocked', async () => {
    const { console, driver, places } = raw();
    console.meanwhile = (key) => {
      if (key === '\r') saveBlockedPrompt(places, String(TARGET.pid), 'my words/clear');
    };
    expect(await clear(driver)).toEqual({
      done: false,
      touched: true,
      reason: message('driver.otherWordsInHistory', { words: 'my words' }),
    });
  });

  it('gets nothing with vim keys, without the plugin, or but /clear', async () => {
    const { console, driver, places } = raw();
    expect(await driver.deliver(TARGET, FIXED_TEXTS.continue)).toMatchObject({
      reason: message('driver.consoleOnlyClear'),
    });
    writeFileSync(join(places.claude, 'settings.json'), '{"editorMode": "vim"}');
    expect(await clear(driver)).toMatchObject({ reason: message('driver.consoleVim') });
    expect(await clear(play({ console: played({ isRaw: true }) }).driver)).toMatchObject({
      reason: message('driver.desktopNoPlugin'),
    });
    expect(console.keys).toBe('');
  });
});

describe('P2 the keys of a console', () => {
  it('are those that a keyboard would send, and the characters are the very ones', () => {
    const all = Object.values(FIXED_TEXTS).join('');
    expect(
      keyEvents(all)
        .map(({ character }) => String.fromCharCode(character))
        .join(''),
    ).toBe(all);
    expect(keyEvents('\x13')).toEqual([
      { virtualKey: 0x53, scanCode: 0x1f, character: 0x13, controlState: 0x08 },
    ]);
    expect(keyEvents('/\r')).toEqual([
      { virtualKey: 0xbf, scanCode: 0x35, character: 0x2f, controlState: 0 },
      { virtualKey: 0x0d, scanCode: 0x1c, character: 0x0d, controlState: 0 },
    ]);
    expect(keyEvents('\x1b[A')).toEqual([
      { virtualKey: 0x26, scanCode: 0x48, character: 0, controlState: 0x100 },
    ]);
  });

  it('are no others: Ctrl+C would go to every process of the console', () => {
    expect(() => keyEvents('ㅎ')).toThrow();
    expect(() => keyEvents('\x03')).toThrow();
  });
});

function played(state: Partial<PlayedConsole>): PlayedConsole {
  return Object.assign(new PlayedConsole(), state);
}

function processReplaced(): Message {
  return message('clear.processReplaced', { pid: '300' });
}
