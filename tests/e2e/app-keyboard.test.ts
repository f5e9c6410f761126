/** The work of a day in the window by the keyboard alone (G6). In a real browser. */
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRecord } from '../../core/clear/clear-record.ts';
import { factsPath } from '../../core/projects/memory-paths.ts';
import { type OpenApp, openInBrowser } from '../bed/app-bed.ts';
import { AppPage, type Language, MOST_TABS } from '../bed/app-page.ts';
import { DemoHome } from '../bed/demo/demo-home.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

describeWith('the window by the keyboard', ['chromium', 'tmux'], (paths) => {
  let demo: DemoHome;
  let app: OpenApp;
  let window: AppPage;

  beforeAll(async () => {
    demo = new DemoHome();
    demo.configure({ autoClear: { mode: 'off' } });
    await demo.startSessions();
    app = await openInBrowser(demo.environment(), paths.chromium);
    window = new AppPage(app.page);
  });

  afterAll(async () => {
    await app?.stop();
    await demo?.remove();
  });

  async function look(language: Language, theme: 'light' | 'dark'): Promise<void> {
    demo.configure({ autoClear: { mode: 'off' }, app: { language, theme } });
    await window.waitForLook(language, theme);
  }

  /** The view gets the focus a moment after its key; what is chosen before that loses it. */
  async function goTo(key: string): Promise<void> {
    await app.page.keyboard.press(key);
    await app.page.locator('#content:focus').waitFor();
  }

  it('G6 a session is cleared, a fact edited and taken back, something searched and a setting changed, all by the keyboard', async () => {
    const { keyboard } = app.page;
    await look('en', 'light');
    const { shop } = demo.sessions ?? {};
    if (shop === undefined) throw new Error('no sessions');
    await app.page.reload();
    await window.rail('sessions').waitFor();
    // Escape and the shortcuts are keys, too.
    await keyboard.press('Control+k');
    await keyboard.type('harbour-store');
    await app.page.getByRole('option').filter({ hasText: 'harbour-store' }).waitFor();
    await keyboard.press('Enter');
    await window.tabTo(window.text('sessions.clearNow'));
    await keyboard.press('Enter');
    await waitFor('a clear that was begun', () => readRecord(demo.places, shop.sessionId));

    await goTo('2');
    await window.tabTo('memory.md');
    await keyboard.press('ArrowRight');
    await app.page.getByRole('grid').waitFor();
    await window.quiet();
    await window.tabTo(window.text('memory.facts')); // the table
    for (const key of ['Home', 'ArrowDown', 'Enter']) await keyboard.press(key);
    await window.tabTo(window.text('memory.edit'));
    await keyboard.press('Enter');
    await app.page.getByRole('form').waitFor();
    const before = readFileSync(factsPath(demo.projects.shop.memory), 'utf8');
    await keyboard.press('Control+End');
    await keyboard.type(' By keys alone.');
    await keyboard.press('Control+Enter');
    await waitFor('the change on disk', () =>
      readFileSync(factsPath(demo.projects.shop.memory), 'utf8').includes('By keys alone.'),
    );
    await window.tabTo(window.text('shell.undo'));
    await keyboard.press('Enter');
    await waitFor(
      'the change to be taken back',
      () => !readFileSync(factsPath(demo.projects.shop.memory), 'utf8').includes('By keys alone.'),
    );
    expect(before).not.toContain('By keys alone.');

    await keyboard.press('Escape');
    await goTo('3');
    await app.page.getByRole('searchbox').waitFor();
    await keyboard.press('/');
    await keyboard.type('idempotency key');
    await app.page.locator('.search-results[aria-busy="false"] mark').first().waitFor(); // not those of the first letters
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await app.page.locator('.rail-item[aria-current="page"][aria-keyshortcuts="2"]').waitFor();

    await goTo('6');
    await window.tabTo(window.text('settings.label_autoClear.countdownSeconds'));
    await keyboard.press('Control+a');
    await keyboard.type('33');
    await keyboard.press('Enter');
    await waitFor('the setting on disk', () =>
      readFileSync(join(demo.places.home, 'config.json'), 'utf8').includes('33'),
    );
  });

  it('G6 the doctor mends, auto-compact is switched and an import is begun, all by the keyboard', async () => {
    const { keyboard } = app.page;
    const config = join(demo.places.home, 'config.json');
    await look('en', 'light');
    chmodSync(config, 0o644);
    await window.chooseProject('harbour-store');
    await app.page.evaluate('document.activeElement?.blur()'); // a digit in a field is a digit
    await goTo('5');
    await app.page.getByRole('switch', { name: window.text('plugin.compact') }).waitFor();
    await window.tabTo(window.text('plugin.compact'));
    await keyboard.press('Space');
    await app.page.getByRole('dialog').waitFor();
    await window.tabTo(window.text('plugin.fixNow'));
    await keyboard.press('Enter');
    await app.page.getByText(window.text('plugin.fixDone')).waitFor();
    expect(readFileSync(join(demo.places.claude, 'settings.json'), 'utf8')).toContain(
      '"autoCompactEnabled": false',
    );
    await keyboard.press('Escape');
    const isOnTab = () =>
      app.page.evaluate<boolean>('document.activeElement?.getAttribute("role") === "tab"');
    for (let tabs = 0; tabs < MOST_TABS && !(await isOnTab()); tabs++)
      await keyboard.press('Shift+Tab');
    await keyboard.press('ArrowRight');
    await app.page.locator('.findings[aria-busy="false"]').waitFor();
    await window.tabTo('Make them private');
    await keyboard.press('Enter');
    await app.page.getByRole('dialog').waitFor();
    await window.tabTo(window.text('plugin.fixNow'));
    await keyboard.press('Enter');
    await waitFor('the rights to be set', () => (statSync(config).mode & 0o777) === 0o600);
    await app.page.getByText(window.text('plugin.fixDone')).waitFor();
    await keyboard.press('Escape');
    await goTo('2');
    await window.tabTo(window.text('shell.more'));
    await keyboard.press('Enter');
    await app.page.getByRole('menu').waitFor();
    await keyboard.press('End');
    await app.page
      .locator('.menu-item[data-highlighted]')
      .filter({ hasText: window.text('memory.work_import') })
      .waitFor();
    await keyboard.press('Enter');
    await app.page.getByRole('dialog').waitFor();
    await window.tabTo(window.text('memory.importFile'));
    await keyboard.press('Escape');
  });

  it('G6 Escape leaves the editor of memory.md, and the next key opens a view instead of being typed', async () => {
    await look('en', 'light');
    await window.chooseProject('harbour-store');
    await window.open('memory');
    await window.openTab('memory.text');
    const editor = app.page.getByRole('textbox', { name: window.text('memory.sourceLabel') });
    const text = await editor.innerText();
    await editor.click();
    for (const key of ['Escape', '4']) await app.page.keyboard.press(key);
    await app.page.locator('.rail-item[aria-current="page"][aria-keyshortcuts="4"]').waitFor();
    await window.open('memory');
    expect(await editor.innerText()).toBe(text);
  });
});
