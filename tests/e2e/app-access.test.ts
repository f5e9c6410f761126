/**
 * The window for people who do not see it, or use no mouse (G6): axe-core looks at every view,
 * dialog and empty state in both themes and languages, and the work of a day is done by the
 * keyboard alone. In a real browser; Electron shows the same pages.
 */
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRecord, recordsFolder } from '../../core/clear/clear-record.ts';
import { factsPath } from '../../core/memory/project/memory-paths.ts';
import { type OpenApp, openInBrowser } from '../bed/app-bed.ts';
import { AppPage, type Language, VIEWS } from '../bed/app-page.ts';
import { violations } from '../bed/axe.ts';
import { DemoHome } from '../bed/demo/demo-home.ts';
import { CLI } from '../bed/memory-keeper.ts';
import { run } from '../bed/run.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const LOOKS: [Language, 'light' | 'dark'][] = [
  ['en', 'light'],
  ['en', 'dark'],
  ['ko', 'light'],
  ['ko', 'dark'],
];

describeWith('the window for everybody', ['chromium', 'tmux'], (paths) => {
  let demo: DemoHome;
  let app: OpenApp;
  let window: AppPage;
  let archive: string;

  beforeAll(async () => {
    demo = new DemoHome();
    demo.configure({ autoClear: { mode: 'off' } });
    archive = join(demo.home, 'clinic.zip');
    await run(process.execPath, [CLI, 'memory', 'export', archive], {
      env: demo.environment(),
      cwd: demo.projects.clinic.root,
    });
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

  /** What axe finds in what is shown now, with the name of the place before it. */
  async function found(place: string): Promise<string[]> {
    await window.quiet();
    return (await violations(app.page)).map((violation) => `${place}: ${violation}`);
  }

  it.each(LOOKS)('G6 axe finds nothing in any view: %s, %s', async (language, theme) => {
    await look(language, theme);
    await window.chooseProject('harbour-store');
    const all: string[] = [];
    for (const view of VIEWS) {
      await window.open(view);
      all.push(...(await found(view)));
    }
    await window.open('memory');
    for (const tab of ['facts', 'concepts', 'permanent', 'transcript', 'history']) {
      await window.openTab(`memory.${tab}`);
      if (tab !== 'history' && tab !== 'transcript') await app.page.getByRole('row').nth(1).click();
      all.push(...(await found(`memory, ${tab}`)));
    }
    await window.openTab('memory.facts');
    await app.page.getByRole('row').nth(1).click();
    await window.button('memory.edit').click();
    all.push(...(await found('the form of a fact')));
    await app.page.keyboard.press('Escape');
    await window.open('settings');
    await window.openTab('settings.tabRules');
    all.push(...(await found('rules')));
    await window.open('plugin');
    await window.openTab('plugin.tabDoctor');
    await app.page.locator('.findings[aria-busy="false"]').waitFor();
    all.push(...(await found('the doctor')));
    await app.page.locator('.finding button').first().click();
    all.push(...(await found('a fix of the doctor')));
    await app.page.keyboard.press('Escape');
    await window.open('memory');
    await window.button('shell.more').click();
    await app.page.getByRole('menuitem', { name: window.text('memory.work_import') }).click();
    all.push(...(await found('import')));
    await app.choose(archive, () => window.button('memory.importFile').click());
    await app.page.locator('.import-figures').waitFor();
    all.push(...(await found('the preview of an import')));
    await app.choose(factsPath(demo.projects.shop.memory), () =>
      window.button('memory.importOther').click(),
    );
    await app.page.getByRole('alert').waitFor();
    all.push(...(await found('an import that is refused')));
    await app.page.keyboard.press('Escape');
    await window.open('search');
    await app.page.getByRole('searchbox').fill('cents');
    await app.page.locator('mark').first().waitFor();
    all.push(...(await found('search with hits')));
    await window.open('activity');
    await window.button('activity.seeText').first().click();
    all.push(...(await found('the text that was given')));
    await app.page.keyboard.press('Escape');
    await window.open('sessions');
    for (const keys of ['Control+k', '?']) {
      await app.page.keyboard.press(keys);
      await app.page.getByRole('dialog').waitFor();
      all.push(...(await found(`the dialog of ${keys}`)));
      await app.page.keyboard.press('Escape');
      await app.page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(all).toEqual([]);
  });

  const MOST_TABS = 120;

  /**
   * Presses Tab until the control with this name has the focus, as somebody without a mouse does.
   */
  async function tabTo(name: string): Promise<void> {
    const told: string[] = [];
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      await app.page.keyboard.press('Tab');
      const focused = await app.page.evaluate<string>(
        '(document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent ?? "").trim()',
      );
      if (focused.startsWith(name)) return;
      told.push(focused.slice(0, 40));
    }
    throw new Error(`Tab never came to "${name}", but to ${told.join(' | ')}`);
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
    await tabTo(window.text('sessions.clearNow'));
    await keyboard.press('Enter');
    await waitFor('a clear that was begun', () => readRecord(demo.places, shop.sessionId));

    await goTo('2');
    await tabTo('memory.md');
    await keyboard.press('ArrowRight');
    await app.page.getByRole('grid').waitFor();
    await window.quiet();
    await tabTo(window.text('memory.facts')); // the table
    for (const key of ['Home', 'ArrowDown', 'Enter']) await keyboard.press(key);
    await tabTo(window.text('memory.edit'));
    await keyboard.press('Enter');
    await app.page.getByRole('form').waitFor();
    const before = readFileSync(factsPath(demo.projects.shop.memory), 'utf8');
    await keyboard.press('Control+End');
    await keyboard.type(' By keys alone.');
    await keyboard.press('Control+Enter');
    await waitFor('the change on disk', () =>
      readFileSync(factsPath(demo.projects.shop.memory), 'utf8').includes('By keys alone.'),
    );
    await tabTo(window.text('shell.undo'));
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
    await tabTo(window.text('settings.label_autoClear.countdownSeconds'));
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
    await tabTo(window.text('plugin.compact'));
    await keyboard.press('Space');
    await app.page.getByRole('dialog').waitFor();
    await tabTo(window.text('plugin.fixNow'));
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
    await tabTo('Make them private');
    await keyboard.press('Enter');
    await app.page.getByRole('dialog').waitFor();
    await tabTo(window.text('plugin.fixNow'));
    await keyboard.press('Enter');
    await waitFor('the rights to be set', () => (statSync(config).mode & 0o777) === 0o600);
    await app.page.getByText(window.text('plugin.fixDone')).waitFor();
    await keyboard.press('Escape');
    await goTo('2');
    await tabTo(window.text('shell.more'));
    await keyboard.press('Enter');
    await app.page.getByRole('menu').waitFor();
    await keyboard.press('End');
    await app.page
      .locator('.menu-item[data-highlighted]')
      .filter({ hasText: window.text('memory.work_import') })
      .waitFor();
    await keyboard.press('Enter');
    await app.page.getByRole('dialog').waitFor();
    await tabTo(window.text('memory.importFile'));
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

  it.each(LOOKS)(
    'A6 G6 axe finds nothing in a clear that is near, and it is cancelled by keys: %s, %s',
    async (language, theme) => {
      const { clinic } = demo.sessions ?? {};
      if (clinic === undefined) throw new Error('no sessions');
      const autoClear = { threshold: 20, countdownSeconds: 3600, cooldownMinutes: 0 };
      demo.configure({ autoClear, app: { language, theme } });
      await window.waitForLook(language, theme);
      await window.open('activity');
      demo.signal(clinic, 338_900, 1_000_000);
      await app.page.locator('.clear-line').waitFor();
      expect(await found('a clear that is near')).toEqual([]);
      await tabTo(window.text('sessions.cancel'));
      await app.page.keyboard.press('Enter');
      await app.page.locator('.clear-line').waitFor({ state: 'detached' });
      rmSync(join(recordsFolder(demo.places), `${clinic.sessionId}.json`)); // else it is left alone for a while
    },
  );

  it.each(['en', 'ko'] as const)(
    'G6 axe finds nothing where there is nothing yet, or something is wrong: %s',
    async (language) => {
      await look(language, 'light');
      await window.chooseProject('field-notes');
      const all: string[] = [];
      await window.open('memory');
      for (const tab of ['text', 'facts', 'concepts', 'permanent', 'transcript', 'history']) {
        await window.openTab(`memory.${tab}`);
        all.push(...(await found(`empty ${tab}`)));
      }
      await window.open('search');
      await app.page.getByRole('searchbox').fill('qqqqzzzz');
      all.push(...(await found('search without a hit')));
      writeFileSync(join(demo.projects.tool.memory.folder, 'facts.json'), '{ "broken');
      await window.chooseProject('logsift');
      await window.open('memory');
      await window.openTab('memory.facts');
      await app.page.getByRole('alert').first().waitFor();
      all.push(...(await found('a broken file')));
      expect(all).toEqual([]);
    },
  );
});
