/**
 * The desktop application in a real Electron: its tray over the session bus as a panel sees it, its
 * window, what its pages may not do, and a real CLI that is watched, announced and cleared from it.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallResult, LiveState } from '../../core/usecases/contract.ts';
import type { HostPort } from '../../core/usecases/host-port.ts';
import { AppPage } from '../bed/app-page.ts';
import type { ClaudeSession } from '../bed/claude.ts';
import { type ElectronBed, ElectronDesktop, isRunning } from '../bed/electron-bed.ts';
import { PluginBed } from '../bed/plugin-bed.ts';
import { cpuMs } from '../bed/process-use.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

declare global {
  /** What the preload gives a page; the test's own functions run there. */
  var memoryKeeperHost: HostPort | undefined;
}

/** What the click does takes the page away, perhaps before the button is up. */
async function clickAway(button: Locator): Promise<void> {
  await button.click().catch((error: Error) => {
    if (!/has been closed/.test(error.message)) throw error;
  });
}

const PIECES = ['electron', 'Xvfb', 'openbox', 'xdotool', 'dbus-daemon'] as const;

describeWith('the desktop application', PIECES, (paths) => {
  let desktop: ElectronDesktop;
  let bed: ElectronBed;
  const home = () => join(desktop.desktop.root, '.claude', 'memory-keeper');

  beforeAll(async () => {
    desktop = await ElectronDesktop.start(paths.electron);
    bed = await desktop.open();
  });
  afterAll(async () => {
    await bed?.stop();
    await desktop?.remove();
  });

  describe('the tray', () => {
    it('G1 is an item on the session bus with an icon, a tooltip and a menu', async () => {
      const [icon] = await bed.tray.icons();
      expect([icon?.width, icon?.height]).toEqual([22, 22]);
      const opaque = [...(icon?.pixels ?? [])].filter((byte, index) => index % 4 === 0 && byte > 0);
      expect(opaque.length).toBeGreaterThan(40);
      expect(await bed.tray.tooltip()).toBe('Memory Keeper · no active sessions');
      expect(await bed.tray.labels()).toEqual([
        'Memory Keeper · no active sessions',
        'Pause watching',
        'Open Memory Keeper',
        'Quit',
      ]);
    });

    it('G1 Pause pauses, Resume resumes, and the icon and the tooltip say so', async () => {
      const pixels = async () =>
        Buffer.from((await bed.tray.icons())[0]?.pixels ?? []).toString('hex');
      const before = await pixels();
      await bed.tray.click('Pause watching');
      await waitFor(
        'the pause',
        async () => (await bed.tray.tooltip()) === 'Memory Keeper · no active sessions · paused',
      );
      expect(existsSync(join(home(), 'paused.json'))).toBe(true);
      expect(await pixels()).not.toBe(before);
      await bed.tray.click('Resume watching');
      await waitFor(
        'the end of the pause',
        async () => (await bed.tray.tooltip()) === 'Memory Keeper · no active sessions',
      );
      expect(existsSync(join(home(), 'paused.json'))).toBe(false);
      expect(await pixels()).toBe(before);
    });

    it('G6 speaks Korean as soon as the setting says so', async () => {
      const page = await bed.window();
      const change = (value: string | null) =>
        page.evaluate(
          (wanted) =>
            memoryKeeperHost?.call('settings.change', { key: 'app.language', value: wanted }),
          value,
        );
      await change('ko');
      await waitFor('Korean', async () => (await bed.tray.labels()).at(-1) === '종료');
      expect(await bed.tray.tooltip()).toBe('Memory Keeper · 실행 중인 세션 없음');
      await change('en');
      await waitFor('English', async () => (await bed.tray.labels()).at(-1) === 'Quit');
    });

    it('G1 starts at login if that is wished, and no longer if not', async () => {
      const page = await bed.window();
      const entry = join(desktop.desktop.root, '.config', 'autostart', 'memory-keeper.desktop');
      const change = (value: boolean) =>
        page.evaluate(
          (wanted) =>
            memoryKeeperHost?.call('settings.change', { key: 'app.startAtLogin', value: wanted }),
          value,
        );
      expect(existsSync(entry)).toBe(false);
      await change(true);
      await waitFor('the entry', () => existsSync(entry));
      expect(readFileSync(entry, 'utf8')).toMatch(/^Exec="[^"]+electron" "[^"]+" "--hidden"$/m);
      await change(false);
      await waitFor('the entry to go', () => !existsSync(entry));
    });
  });

  describe('the window', () => {
    it('G1 closing it keeps the tray; Open, a click on the icon and a second start bring it to the front', async () => {
      const close = () =>
        bed.evaluate(({ BrowserWindow }) => {
          for (const window of BrowserWindow.getAllWindows()) window.close();
        });
      const ways = [
        () => bed.tray.click('Open Memory Keeper'),
        () => bed.tray.activate(),
        () => desktop.startAgain(),
      ];
      for (const open of ways) {
        await close();
        await bed.waitForWindow('hidden');
        expect(await bed.tray.tooltip()).toContain('Memory Keeper');
        await open();
        await bed.waitForWindow('shown');
        await waitFor('the focus', async () => (await bed.visible())[0]?.isFocused);
      }
      expect(await bed.visible()).toHaveLength(1);
    });

    it('G1 draws nothing while it is hidden, whatever moved in it, and moves again when it is shown', async () => {
      const page = await bed.window();
      await page.evaluate(`{
        const turning = document.createElement('div');
        turning.id = 'turning';
        turning.textContent = 'turning';
        turning.style.cssText = 'position: fixed; inset: 40% auto auto 40%; animation: turn 0.7s linear infinite';
        document.body.append(turning);
      }`);
      const turns = () =>
        page.evaluate(`getComputedStyle(document.querySelector('#turning')).animationName`);
      const used = async () => {
        const before = bed.processes().reduce((sum, pid) => sum + cpuMs(pid), 0);
        await sleep(3000);
        return bed.processes().reduce((sum, pid) => sum + cpuMs(pid), 0) - before;
      };
      const whileShown = await used();
      await bed.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
      await bed.waitForWindow('hidden');
      await waitFor('it to stand still', async () => (await turns()) === 'none');
      await sleep(1000); // drawn for the last time
      expect(await used()).toBeLessThan(whileShown / 3);
      await bed.tray.activate();
      await bed.waitForWindow('shown');
      await waitFor('it to move again', async () => (await turns()) === 'turn');
      await page.evaluate(`document.querySelector('#turning').remove()`);
    });

    it('G1 a second start ends at once and leaves no process', async () => {
      const before = new Set(bed.processes());
      // More than one where the bed had to start the application again to connect to it.
      const items = desktop.tray.count;
      expect(await desktop.startAgain()).toBe(0);
      expect(desktop.tray.count).toBe(items);
      // The first one may have started or ended a process of its own meanwhile.
      await waitFor('the second start to leave no process', () =>
        bed.processes().every((pid) => before.has(pid)),
      );
    });

    it('G3 is told what happens, and asks the engine', async () => {
      const page = await bed.window();
      const told = page.evaluate(
        () =>
          new Promise<boolean>((resolve) => {
            const stop = memoryKeeperHost?.onEvent((event) => {
              if (event.name !== 'state' || !event.value.isPaused) return;
              stop?.();
              resolve(event.value.isPaused);
            });
          }),
      );
      const answer = await page.evaluate(() =>
        memoryKeeperHost?.call('sessions.pause', { isPaused: true }),
      );
      expect(answer).toEqual({ ok: true, value: {} });
      expect(await told).toBe(true);
      await page.evaluate(() => memoryKeeperHost?.call('sessions.pause', { isPaused: false }));
      const refused = await page.evaluate(() =>
        memoryKeeperHost?.call('sessions.pause', { isPaused: 'yes' }),
      );
      expect(refused).toMatchObject({ ok: false, isBug: false });
    });
  });

  describe('what a page may not do', () => {
    const ask = (address: string) =>
      bed.evaluate(async ({ BrowserWindow, app }, url) => {
        const preload = `${app.getAppPath()}/dist/electron/preload.cjs`;
        const window = new BrowserWindow({
          show: false,
          webPreferences: { preload, sandbox: true },
        });
        await window.loadURL(url).catch(() => undefined);
        const answer = await window.webContents.executeJavaScript(
          'memoryKeeperHost.call("sessions.state", {})',
        );
        window.destroy();
        return answer as CallResult;
      }, address);

    it('G3 another page with our preload is refused, and so is our own page in a window that is not ours', async () => {
      const refused = { ok: false, message: { code: 'api.notAllowed' }, isBug: false };
      expect(await ask('data:text/html,<p>foreign</p>')).toEqual(refused);
      expect(await ask('app://memory-keeper/index.html')).toEqual(refused);
    });

    it('G3 a frame within our page has no way to us', async () => {
      const page = await bed.window();
      const kind = await page.evaluate(`(async () => {
        const frame = document.createElement('iframe');
        frame.srcdoc = '<p>inner</p>';
        const loaded = new Promise((resolve) => { frame.onload = resolve; });
        document.body.append(frame);
        await loaded;
        const kind = typeof frame.contentWindow.memoryKeeperHost;
        frame.remove();
        return kind;
      })()`);
      expect(kind).toBe('undefined');
    });

    it('it reaches neither Node nor Electron, only what its port has', async () => {
      const page = await bed.window();
      const found = await page.evaluate(() => ({
        names: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'].filter(
          (name) => name in globalThis,
        ),
        port: Object.keys(memoryKeeperHost ?? {}).sort(),
      }));
      expect(found).toEqual({
        names: [],
        port: ['call', 'choose', 'download', 'kind', 'onEvent', 'openLink'],
      });
    });

    it('it goes nowhere else, opens no window, runs no script of others, and asks for nothing', async () => {
      const page = await bed.window();
      const address = page.url();
      const opened = await page.evaluate(`(async () => {
        location.href = 'https://example.com/';
        const inline = document.createElement('script');
        inline.textContent = 'globalThis.wasRun = true';
        document.body.append(inline);
        const outcome = (promise) => promise.then(() => 'given', () => 'refused');
        return {
          window: open('https://example.com/') === null,
          wasRun: 'wasRun' in globalThis,
          fetched: await outcome(fetch('https://example.com/')),
          camera: await outcome(navigator.mediaDevices.getUserMedia({ video: true })),
          notifications: await Notification.requestPermission(),
        };
      })()`);
      expect(opened).toEqual({
        window: true,
        wasRun: false,
        fetched: 'refused',
        camera: 'refused',
        notifications: 'denied',
      });
      expect(page.url()).toBe(address);
      expect(bed.app.windows()).toHaveLength(1);
    });

    it('its protocol serves the built window alone, with its policy', async () => {
      const fetched = await bed.evaluate(async ({ net }) => {
        const look = async (address: string) => {
          const response = await net.fetch(address);
          return [
            response.status,
            response.headers.get('content-security-policy'),
            response.headers.get('x-content-type-options'),
          ];
        };
        return {
          page: await look('app://memory-keeper/index.html'),
          above: await look('app://memory-keeper/..%2f..%2fpackage.json'),
          otherHost: await look('app://elsewhere/index.html'),
        };
      });
      expect(fetched.page[0]).toBe(200);
      expect(fetched.page[1]).toContain("default-src 'none'; script-src 'self'");
      expect(fetched.page[2]).toBe('nosniff');
      expect([fetched.above[0], fetched.otherHost[0]]).toEqual([404, 404]);
    });

    it('links are opened for the web alone, and only after a yes', async () => {
      await bed.evaluate(({ dialog, shell }) => {
        const seen: string[] = [];
        Object.assign(globalThis, { seen, answer: 1 });
        dialog.showMessageBox = (async (_window: unknown, options: { detail: string }) => {
          seen.push(`asked ${options.detail}`);
          return {
            response: (globalThis as unknown as { answer: number }).answer,
            checkboxChecked: false,
          };
        }) as unknown as typeof dialog.showMessageBox;
        shell.openExternal = async (url) => {
          seen.push(`opened ${url}`);
        };
      });
      const page = await bed.window();
      const open = (url: string) =>
        page.evaluate((address) => memoryKeeperHost?.openLink(address), url);
      for (const url of [
        'javascript:alert(1)',
        'file:///etc/passwd',
        'vscode://x',
        'nonsense',
        'https://example.com/a',
      ])
        await open(url);
      await bed.evaluate(() => Object.assign(globalThis, { answer: 0 }));
      await open('https://example.com/b');
      const seen = await bed.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
      expect(seen).toEqual([
        'asked https://example.com/a',
        'asked https://example.com/b',
        'opened https://example.com/b',
      ]);
    });
  });

  it('G1 a window that is closed before its page is there leaves no report of a crash', async () => {
    const log = join(home(), 'crash.log');
    await bed.evaluate(async ({ app, BrowserWindow }) => {
      const destroy = () => BrowserWindow.getAllWindows().map((window) => window.destroy());
      const show = () => app.emit('second-instance', {}, [], '');
      destroy();
      show();
      if (destroy().length !== 1) throw new Error('no window was made');
      // a rejection that nobody caught is told a moment later
      await new Promise((resolve) => setTimeout(resolve, 500));
      show();
    });
    await bed.waitForWindow('shown');
    expect(existsSync(log)).toBe(false);
  });

  it('what should not happen is written down, and sent to nobody', async () => {
    await bed.evaluate(({ crashReporter }) => {
      void Promise.reject(
        new Error('a made-up failure with sk-ant-api03-Qm7xT2vLp9Zk4RwB8nYc3JhD6sFg1aVe5uXt'),
      );
      return crashReporter.getUploadToServer();
    });
    const log = join(home(), 'crash.log');
    await waitFor(
      'the report',
      () => existsSync(log) && readFileSync(log, 'utf8').includes('a made-up failure'),
    );
    expect(readFileSync(log, 'utf8')).not.toContain('Qm7xT2vLp9Zk4RwB8nYc3JhD6sFg1aVe5uXt');
    expect(await bed.evaluate(({ crashReporter }) => crashReporter.getUploadToServer())).toBe(
      false,
    );
  });

  it('G1 Quit ends it all and leaves no process; it comes back where it was, or hidden', async () => {
    await bed.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 60, y: 50, width: 900, height: 600 });
    });
    const processes = bed.processes();
    expect(processes.length).toBeGreaterThan(2);
    // It takes its time, and meanwhile something happens that there is no tray any more to show.
    await bed.evaluate(
      ({ BrowserWindow }, path) => {
        const [window] = BrowserWindow.getAllWindows();
        window?.on('close', (event) => {
          event.preventDefault();
          process
            .getBuiltinModule('node:fs')
            .writeFileSync(path, '{"paused":true}', { mode: 0o600 });
          setTimeout(() => window.destroy(), 1000);
        });
      },
      join(home(), 'paused.json'),
    );
    await bed.quit();
    await waitFor(
      () => `the end of ${processes.filter(isRunning)}`,
      () => !processes.some(isRunning),
    );
    rmSync(join(home(), 'paused.json'), { force: true });
    const log = join(home(), 'app.log');
    expect(existsSync(log) ? readFileSync(log, 'utf8') : '').not.toContain('a listener to state');
    bed = await desktop.open({}, '--hidden');
    expect(await bed.visible()).toEqual([]);
    await bed.tray.click('Open Memory Keeper');
    await bed.waitForWindow('shown');
    const size = await bed.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.getSize(),
    );
    expect(size).toEqual([900, 600]);
  });

  it('M19 what was typed and not saved is there again after Quit, and after an end by a signal in the middle of a word', async () => {
    const rules = async () => {
      const window = new AppPage(await bed.window());
      await window.open('settings');
      await window.openTab('settings.tabRules');
      return window.page.getByRole('textbox', {
        name: window.text('settings.rule', { number: 1 }),
      });
    };
    await (await rules()).fill('Answer as the lighthouse would.');
    await bed.quit();
    bed = await desktop.open();
    expect(await (await rules()).inputValue()).toBe('Answer as the lighthouse would.');
    await (await rules()).fill('Answer as the harb');
    await bed.stop();
    bed = await desktop.open();
    expect(await (await rules()).inputValue()).toBe('Answer as the harb');
    const window = new AppPage(await bed.window());
    await window.button('settings.discard').click();
    await bed.quit();
    bed = await desktop.open();
    expect(await (await rules()).inputValue()).not.toContain('harb');
  });

  it('G1 a page that was killed is there again when the window is wanted; one that is seen comes back by itself, but not without end', async () => {
    const page = () =>
      bed.evaluate(async ({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        if (contents === undefined || contents.isCrashed())
          return { isCrashed: true, isDrawn: false, pid: 0 };
        // A page that goes in the middle of it never answers.
        const later = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 1000));
        const drawn = contents.isLoading()
          ? later
          : contents.executeJavaScript('document.querySelector(".rail") !== null');
        const isDrawn = (await Promise.race([drawn, later])) as boolean;
        return { isCrashed: false, isDrawn, pid: contents.getOSProcessId() };
      });
    const kill = async () => {
      const { pid } = await waitFor('the page', async () => {
        const now = await page();
        return now.isDrawn ? now : undefined;
      });
      process.kill(pid, 'SIGKILL');
      return pid;
    };
    const isBack = (killed: number) =>
      waitFor('the page to be back', async () => {
        const { isDrawn, pid } = await page();
        return isDrawn && pid !== killed;
      });
    const hide = () =>
      bed.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());

    await bed.evaluate(({ dialog }) => {
      const told: string[] = [];
      Object.assign(globalThis, { told });
      dialog.showMessageBox = (async ({ message }: { message: string }) => {
        told.push(message);
        return { response: 0, checkboxChecked: false };
      }) as unknown as typeof dialog.showMessageBox;
    });
    const told = () => bed.evaluate(() => (globalThis as unknown as { told: string[] }).told);
    await bed.waitForWindow('shown');
    await hide();
    await bed.waitForWindow('hidden');
    const hidden = await kill();
    await waitFor('the end of the page', async () => (await page()).isCrashed);
    await bed.tray.click('Open Memory Keeper');
    await isBack(hidden);
    await bed.waitForWindow('shown');
    for (const _time of [1, 2, 3]) await isBack(await kill());
    expect(await told()).toEqual([]);
    const last = await kill();
    await waitFor('the message', async () => (await told()).length > 0);
    expect(await told()).toEqual(['The window of Memory Keeper failed several times in a row']);
    expect((await page()).isCrashed).toBe(true);
    await bed.tray.click('Open Memory Keeper');
    await isBack(last);
  });
});

/** What axe finds wrong, in words. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<{ violations: { id: string; help: string }[] }>(
    'axe.run()',
  );
  return found.map(({ id, help }) => `${id}: ${help}`);
}

/** 73 % of the window that this model has. */
const FULL = { input_tokens: 145_010 };
/** For the first reply after a clear: a session that is full from the beginning is left alone. */
const SMALL = { input_tokens: 10 };

describeWith(
  'the desktop application and a real CLI',
  [...PIECES, 'claude', 'tmux', 'xterm'] as const,
  (paths) => {
    let desktop: ElectronDesktop;
    let bed: ElectronBed;
    let plugin: PluginBed;
    let session: ClaudeSession;

    beforeAll(async () => {
      plugin = await PluginBed.start(paths.claude);
      plugin.configure({
        autoClear: { countdownSeconds: 600, cooldownMinutes: 0, summary: false },
      });
      desktop = await ElectronDesktop.start(paths.electron);
      bed = await desktop.open(plugin.bed.environment(plugin.api), '--hidden');
      session = await plugin.start();
    });
    afterAll(async () => {
      await bed?.stop();
      await desktop?.remove();
      await plugin?.remove();
    });

    const sessionId = async () => (await session.waitForState('idle')).sessionId;
    const tooltipIs = (wanted: string) =>
      waitFor(
        () => `the tooltip ${wanted}`,
        async () => (await bed.tray.tooltip()) === wanted,
      );

    async function fill(request: string, answer: string, usage = FULL): Promise<string> {
      const before = await sessionId();
      plugin.api.enqueue({ text: answer, usage });
      await session.say(request);
      await session.waitForScreen(answer);
      return before;
    }

    it('G1 C3 the tray follows the session: its state, then its percentage', async () => {
      await tooltipIs('project · nothing said yet · idle');
      await fill('how full are you', 'A little.', { input_tokens: 42_010 });
      await tooltipIs('project · 21 % of 200k · idle');
      expect(await bed.tray.labels()).toEqual([
        'project · 21 % of 200k · idle',
        'project · 21 % · idle',
        'Clear now',
        'How would it be cleared?',
        'Open',
        'Pause watching',
        'Open Memory Keeper',
        'Quit',
      ]);
    });

    it('G1 A4 Clear now in the tray clears the real CLI', async () => {
      const before = await sessionId();
      await bed.tray.click('project · 21 % · idle', 'Clear now');
      await waitFor('the new session', async () => (await sessionId()) !== before);
      await tooltipIs('project · nothing said yet · idle');
    });

    it('A6 a clear that counts down is announced without taking the focus, and Cancel cancels it', async () => {
      const terminal = await bed.desktop.openTerminal(['cat']);
      await bed.desktop.focus(terminal.window);
      await fill('are you there', 'Here I am.', SMALL);
      const before = await fill('which colour has the logo', 'The colour is teal.');
      const page = await bed.countdown();
      await page.getByText('project').first().waitFor();
      expect(await page.locator('h1').innerText()).toMatch(/^project\s+clears in \d+:\d\d$/);
      expect(await page.locator('.what').innerText()).toBe(
        '73 % of 200k. The conversation is saved and restored.',
      );
      expect(await violations(page)).toEqual([]);
      const labels = await bed.tray.labels();
      expect(labels.slice(1, 5)).toEqual([
        'project is about to be cleared',
        'Cancel',
        'Snooze',
        'Clear now',
      ]);
      await waitFor('the window', () =>
        bed.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()),
      );
      expect(await bed.desktop.activeWindow()).toBe(terminal.window);
      await clickAway(page.getByRole('button', { name: 'Cancel: project' }));
      await waitFor('the end of the countdown', () => !bed.hasCountdown());
      expect(await sessionId()).toBe(before);
      await waitFor(
        'the menu without it',
        async () => !(await bed.tray.labels()).includes('project is about to be cleared'),
      );
      await session.clear(); // what was cancelled is left alone for a while
    });

    it('A6 Clear now of the announcement clears the real CLI at once, and what was said is given back', async () => {
      const before = await fill('and the banner', 'The banner is blue.');
      const page = await bed.countdown();
      await clickAway(page.getByRole('button', { name: 'Clear now: project' }));
      await waitFor('the new session', async () => (await sessionId()) !== before);
      await waitFor('the end of the announcement', () => !bed.hasCountdown());
      expect(plugin.said).toEqual(
        expect.arrayContaining(['and the banner', 'The banner is blue.']),
      );
      const told = await waitFor('the notification', () => desktop.notifications.shown.at(-1));
      expect(told.title).toBe('project was cleared');
      expect(told.body).toMatch(
        /^Cleared at \d+ % · conversation saved · [\d,]+-character briefing restored\. To go back: claude --resume /,
      );
    });

    it('A6 in the mode ask it asks, in Korean if wished, and takes a no by the keyboard', async () => {
      plugin.configure({
        autoClear: { mode: 'ask', cooldownMinutes: 0, summary: false },
        app: { language: 'ko', theme: 'dark' },
      });
      await fill('are you there', 'Here again.', SMALL);
      const before = await fill('and the footer', 'The footer is grey.');
      const page = await bed.countdown();
      await page.getByRole('button', { name: '예, 비우기: project' }).waitFor();
      expect(await page.locator('h1').innerText()).toMatch(
        /^project\s+가득 찼습니다\. 지금 비울까요\?$/,
      );
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement?.textContent')).toBe(
        '아니요, 그대로 두기',
      );
      await page.keyboard.press('Enter').catch(() => undefined); // the window may be gone before the key is up
      await waitFor('the end of the question', () => !bed.hasCountdown());
      expect(await sessionId()).toBe(before);
      await session.clear(); // what was refused is left alone for a while
    });

    it('A6 the announcement may stop and hurry clears, and nothing else', async () => {
      plugin.configure({
        autoClear: { countdownSeconds: 600, cooldownMinutes: 0, summary: false },
      });
      await fill('once more', 'Once more.');
      const page = await bed.countdown();
      const answers = await page.evaluate(async () => {
        const state = (await memoryKeeperHost?.call('sessions.state', {})) as CallResult<LiveState>;
        return [state.ok, await memoryKeeperHost?.call('projects.list', {})];
      });
      expect(answers).toEqual([
        true,
        { ok: false, message: { code: 'api.notAllowed' }, isBug: false },
      ]);
    });

    it('A2 quitting during the countdown leaves the clear to the next start, and no process', async () => {
      const processes = bed.processes();
      await bed.quit();
      await waitFor(
        () => `the end of ${processes.filter(isRunning)}`,
        () => !processes.some(isRunning),
      );
      bed = await desktop.open(plugin.bed.environment(plugin.api), '--hidden');
      const page = await bed.countdown();
      await page.getByRole('button', { name: 'Snooze: project' }).click();
      await waitFor('the end of the countdown', () => !bed.hasCountdown());
    });

    it('G1 Open of a session leads to its project, and does not load the page anew', async () => {
      const label = await waitFor('the session', async () =>
        (await bed.tray.labels()).slice(1).find((line) => line.startsWith('project ·')),
      );
      await bed.tray.click(label, 'Open');
      await bed.waitForWindow('shown');
      const page = await bed.window();
      await page.locator('.rail-project').getByText('project', { exact: true }).waitFor();
      await page.evaluate('globalThis.isTheSame = true');
      await page.locator('.rail-item[aria-keyshortcuts="6"]').click();
      await page.locator('.rail-item[aria-keyshortcuts="6"][aria-current="page"]').waitFor();
      await bed.tray.click(label, 'Open');
      await page.locator('.rail-item[aria-keyshortcuts="1"][aria-current="page"]').waitFor();
      expect(await page.evaluate('globalThis.isTheSame')).toBe(true);
      expect(page.url()).toBe('app://memory-keeper/index.html');
    });
  },
);
