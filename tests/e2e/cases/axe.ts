/**
 * The window for people who do not see it (G6): axe-core looks at every view, dialog and empty
 * state in both themes. In a real browser; Electron shows the same pages.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordsFolder } from '../../../core/clear/clear-record-place.ts';
import { factsPath } from '../../../core/projects/memory-paths.ts';
import { type OpenApp, openInBrowser } from '../../bed/app-bed.ts';
import { AppPage, type Language, VIEWS } from '../../bed/app-page.ts';
import { violations } from '../../bed/axe.ts';
import { DemoHome } from '../../bed/demo/demo-home.ts';
import { CLI } from '../../bed/memory-keeper.ts';
import { run } from '../../bed/run.ts';
import { describeWith } from '../../bed/with-pieces.ts';

export function axeFindsNothing(language: Language): void {
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

    async function look(theme: 'light' | 'dark'): Promise<void> {
      demo.configure({ autoClear: { mode: 'off' }, app: { language, theme } });
      await window.waitForLook(language, theme);
    }

    /** What axe finds in what is shown now, with the name of the place before it. */
    async function found(place: string): Promise<string[]> {
      await window.quiet();
      return (await violations(app.page)).map((violation) => `${place}: ${violation}`);
    }

    it.each(['light', 'dark'] as const)(
      `G6 axe finds nothing in any view: ${language}, %s`,
      async (theme) => {
        await look(theme);
        await window.chooseProject('harbour-store');
        const all: string[] = [];
        for (const view of VIEWS) {
          await window.open(view);
          all.push(...(await found(view)));
        }
        await window.open('memory');
        for (const tab of ['facts', 'concepts', 'permanent', 'transcript', 'history']) {
          await window.openTab(`memory.${tab}`);
          if (tab !== 'history' && tab !== 'transcript')
            await app.page.getByRole('row').nth(1).click();
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
      },
    );

    it.each(['light', 'dark'] as const)(
      `A6 G6 axe finds nothing in a clear that is near, and it is cancelled by keys: ${language}, %s`,
      async (theme) => {
        const { clinic } = demo.sessions ?? {};
        if (clinic === undefined) throw new Error('no sessions');
        const autoClear = { threshold: 20, countdownSeconds: 3600, cooldownMinutes: 0 };
        demo.configure({ autoClear, app: { language, theme } });
        await window.waitForLook(language, theme);
        await window.open('activity');
        demo.signal(clinic, 338_900, 1_000_000);
        await app.page.locator('.clear-line').waitFor();
        expect(await found('a clear that is near')).toEqual([]);
        await window.tabTo(window.text('sessions.cancel'));
        await app.page.keyboard.press('Enter');
        await app.page.locator('.clear-line').waitFor({ state: 'detached' });
        rmSync(join(recordsFolder(demo.places), `${clinic.sessionId}.json`)); // else it is left alone for a while
      },
    );

    it(`G6 axe finds nothing where there is nothing yet, or something is wrong: ${language}`, async () => {
      await look('light');
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
    });
  });
}
