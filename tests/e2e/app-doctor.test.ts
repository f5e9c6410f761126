/**
 * The doctor in the window, in both hosts, with the real CLI (G4, A9): each finding is shown, a fix
 * says what it changes before it does, does it and is seen at once; auto-compact is switched off
 * and on again, and nothing else in Claude Code's settings is touched.
 */
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areClearsPaused, pauseClears } from '../../core/clear/clear-requests.ts';
import { renderMessage } from '../../core/messages/all-messages.ts';
import { type Message, message } from '../../core/messages/message.ts';
import { HOSTS, type OpenApp, openApp } from '../bed/app-bed.ts';
import { AppPage } from '../bed/app-page.ts';
import { DemoHome } from '../bed/demo/demo-home.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const SETTINGS = '{\n  // mine\n  "model": "opus",\n  "unknown": { "kept": [1, 2] }\n}\n';

const english = (said: Message) => renderMessage('en', said);

describeWith(
  'the doctor in the window',
  ['claude', 'chromium', 'electron', 'Xvfb', 'openbox', 'dbus-daemon'],
  (paths) => {
    describe.each(HOSTS)('in %s', (host) => {
      let demo: DemoHome;
      let app: OpenApp;
      let window: AppPage;

      beforeAll(async () => {
        demo = new DemoHome();
        demo.configure({ autoClear: { mode: 'auto' } });
        chmodSync(join(demo.places.home, 'config.json'), 0o644);
        pauseClears(demo.places);
        writeFileSync(settings(), SETTINGS);
        const programs = join(demo.home, 'bin');
        mkdirSync(programs);
        symlinkSync(paths.claude, join(programs, 'claude'));
        app = await openApp(
          host,
          demo.environment({ PATH: `${programs}:${process.env.PATH}` }),
          paths,
        );
        window = new AppPage(app.page);
        await window.open('plugin');
      });

      afterAll(async () => {
        await app?.stop();
        await demo?.remove();
      });

      const settings = () => join(demo.places.claude, 'settings.json');
      const modeOf = () => statSync(join(demo.places.home, 'config.json')).mode & 0o777;
      const dialog = () => app.page.getByRole('dialog');
      const finding = (title: string) =>
        app.page.getByRole('listitem', { name: title, exact: true });
      const looked = () => app.page.locator('.findings[aria-busy="false"]').waitFor();
      const apply = () => window.button('plugin.fixNow').click();

      it('G4 every check is shown with its state in words, what was found and why it matters; what needs somebody comes first', async () => {
        await window.openTab('plugin.tabDoctor');
        await looked();
        expect(await app.page.locator('.finding').count()).toBe(22);
        const states = await app.page.evaluate<string[]>(
          '[...document.querySelectorAll(".finding > svg")].map((icon) => icon.getAttribute("aria-label"))',
        );
        const order = ['problem', 'notice', 'unknown', 'well'].map((state) =>
          window.text(`plugin.state_${state}`),
        );
        expect(states).toEqual(
          [...states].sort((one, other) => order.indexOf(one) - order.indexOf(other)),
        );
        const plugin = finding('Plugin');
        await plugin.getByText(english(message('doctor.pluginWhy'))).waitFor();
        expect(await plugin.textContent()).not.toContain('memory-keeper doctor --fix');
      });

      it('G4 a fix shows first what it changes, and Cancel changes nothing', async () => {
        await finding('File permissions').getByRole('button').click();
        await dialog().getByText('~/.claude/memory-keeper/config.json: 0644 → 0600').waitFor();
        await window.button('shell.cancel').click();
        await dialog().waitFor({ state: 'detached' });
        expect(modeOf()).toBe(0o644);
      });

      it('G4 a fix does what it showed, says so, and what was found before stays until it has looked again', async () => {
        await finding('File permissions').getByRole('button').click();
        await apply();
        await dialog().getByText(window.text('plugin.fixDone')).waitFor();
        await dialog().getByText('~/.claude/memory-keeper/config.json: 0644 → 0600').waitFor();
        expect(await app.page.locator('.finding').count()).toBe(22);
        expect(modeOf()).toBe(0o600);
        await window.button('shell.close').last().click();
        await finding('File permissions')
          .getByText(english(message('doctor.permissionsFound')))
          .waitFor();

        await finding('Automatic clears').getByRole('button').click();
        await apply();
        await dialog()
          .getByText(english(message('doctor.pausedResumed')))
          .waitFor();
        expect(areClearsPaused(demo.places)).toBe(false);
        await app.page.keyboard.press('Escape');
      });

      it('A9 auto-compact is switched off and on again from the Plugin view; of settings.json one line is another, and it says when it would act', async () => {
        await window.openTab('plugin.tabPlugin');
        const toggle = app.page.getByRole('switch', { name: window.text('plugin.compact') });
        await toggle.waitFor();
        expect(await toggle.isChecked()).toBe(true);
        await app.page
          .getByText('Window of 200k tokens: cleared at 140k, auto-compact at about 167k')
          .waitFor();

        await toggle.click();
        await dialog().getByText('+ "autoCompactEnabled": false').waitFor();
        expect(readFileSync(settings(), 'utf8')).toBe(SETTINGS);
        await apply();
        await dialog().getByText(window.text('plugin.fixDone')).waitFor();
        const off = SETTINGS.replace('[1, 2] }', '[1, 2] },\n  "autoCompactEnabled": false');
        expect(readFileSync(settings(), 'utf8')).toBe(off);
        await app.page.keyboard.press('Escape');
        await waitFor('the switch to be off', async () => !(await toggle.isChecked()));
        await app.page.getByText(window.text('plugin.compactOffAuto')).waitFor();

        await toggle.click();
        await apply();
        await dialog().getByText(window.text('plugin.fixDone')).waitFor();
        expect(readFileSync(settings(), 'utf8')).toBe(off.replace('false', 'true'));
        await app.page.keyboard.press('Escape');
        await waitFor('the switch to be on', () => toggle.isChecked());
      });

      it('A9 settings.json that cannot be changed safely leaves the switch locked, and it says so', async () => {
        writeFileSync(settings(), '{ "half": ');
        await app.page.reload();
        await window.open('plugin');
        const toggle = app.page.getByRole('switch', { name: window.text('plugin.compact') });
        await toggle.waitFor();
        expect(await toggle.isDisabled()).toBe(true);
        await app.page.getByText(window.text('plugin.compactLocked')).waitFor();
        await window.openTab('plugin.tabDoctor');
        await finding('Claude Code settings').getByText('is not valid JSON').waitFor();
        expect(readFileSync(settings(), 'utf8')).toBe('{ "half": ');
        writeFileSync(settings(), SETTINGS.replace('  // mine\n', ''));
      });

      it('G4 the plugin is installed from the doctor, and the tab beside it knows', async () => {
        await window.button('plugin.lookAgain').click();
        await looked();
        await finding('Plugin').getByRole('button').click();
        await dialog().getByText('for all projects').waitFor();
        await apply();
        await dialog()
          .getByText(english(message('plugin.restartSessions')))
          .waitFor();
        await app.page.keyboard.press('Escape');
        await finding('Plugin').getByText('is installed, turned on and up to date').waitFor();
        await window.openTab('plugin.tabPlugin');
        await app.page.getByText(window.text('plugin.allWell')).waitFor();
        expect([app.strayRequests, app.surprises]).toEqual([[], []]);
      });
    });
  },
);
