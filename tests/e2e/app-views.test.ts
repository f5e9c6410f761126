/**
 * The window beside a real Claude Code, in both hosts (G1, G2, G3, C3, A6): it follows the
 * session's percentage, clears it, and lets the user cancel or put off a clear that is counting
 * down, and offers one at the hard limit, and leads back to what was cleared. One CLI with the plugin for all of it.
 */

import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRecord } from '../../core/clear/clear-record.ts';
import { readBriefing } from '../../core/memory/restore/briefing-file.ts';
import { renderMessage } from '../../core/messages/all-messages.ts';
import { HOSTS, type OpenApp, openApp } from '../bed/app-bed.ts';
import { AppPage, VIEWS } from '../bed/app-page.ts';
import type { ClaudeSession } from '../bed/claude.ts';
import { CLI } from '../bed/memory-keeper.ts';
import { PluginBed } from '../bed/plugin-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

/** Of a window of 200,000. */
const QUARTER = { input_tokens: 50_010 };
const THIRD = { input_tokens: 66_010 };
/** As the API says that nothing more fits in. */
const TOO_LONG = {
  errorStatus: 400,
  errorMessage: 'prompt is too long: 213456 tokens > 200000 maximum',
};
const OVER_THRESHOLD = { input_tokens: 145_010 };
/** Longer than any test: only the user ends it. */
const COUNTING_DOWN = {
  autoClear: { countdownSeconds: 3600, cooldownMinutes: 0, snoozeMinutes: 1, summary: false },
};

/** A terminal breaks a line wherever it ends. */
const withoutBreaks = (text: string) => text.replaceAll(/\s+/g, '');

/** Wholly, without scrolling. */
async function isInSight(button: Locator): Promise<boolean> {
  const box = await button.boundingBox();
  const [width, height] = await button
    .page()
    .evaluate<[number, number]>('[innerWidth, innerHeight]');
  return (
    box !== null &&
    box.x >= 0 &&
    box.y >= 0 &&
    box.x + box.width <= width &&
    box.y + box.height <= height
  );
}

describeWith(
  'the window beside a real session',
  ['claude', 'tmux', 'chromium', 'electron', 'Xvfb', 'openbox', 'dbus-daemon'],
  (paths) => {
    let bed: PluginBed;
    let session: ClaudeSession;

    beforeAll(async () => {
      bed = await PluginBed.start(paths.claude);
      session = await bed.start();
    });

    afterAll(() => bed?.remove());

    async function turn(request: string, answer: string, usage: object): Promise<void> {
      await session.waitForState('idle');
      bed.api.enqueue({ text: answer, usage });
      await session.say(request);
      await session.waitForScreen(answer);
      await session.waitForState('idle');
    }

    describe.each(HOSTS)('in %s', (host) => {
      let app: OpenApp;
      let window: AppPage;

      beforeAll(async () => {
        bed.configure({ autoClear: { mode: 'off' } });
        app = await openApp(host, bed.bed.environment(bed.api), paths);
        window = new AppPage(app.page);
      });

      afterAll(() => app?.stop());

      const button = (name: string) => app.page.getByRole('button', { name });

      it('C3 G2 shows the session, and its percentage as it grows', async () => {
        await window.open('sessions');
        await turn(`how full are you in ${host}`, `a quarter in ${host}`, QUARTER);
        await gauge(50_010).waitFor();
        await turn(`and now in ${host}`, `a third in ${host}`, THIRD);
        await gauge(66_010).waitFor();
        expect(await app.page.getByText('33 %').first().isVisible()).toBe(true);
      });

      it('G2 A2 Clear now clears the real session, and says so', async () => {
        const before = await session.waitForState('idle');
        await button(`${window.text('sessions.clearNow')}:`).click();
        const { sessionId } = await session.waitForSessionAfter(before);
        const record = await waitFor('the end of the clear', () => {
          const known = readRecord(bed.bed.places, before.sessionId);
          return known?.state === 'restored' && known;
        });
        expect(record.newSessionId).toBe(sessionId);
        await app.page.getByText(/Cleared at 33 % · conversation saved · /).waitFor();
      });

      it('K9 after an automatic clear the session, the card and Activity say what came back, and the old conversation is resumed from each place', async () => {
        await turn(`begin with the harbour in ${host}`, `begun in ${host}`, QUARTER);
        const before = await session.waitForState('idle');
        bed.configure({ autoClear: { countdownSeconds: 0, cooldownMinutes: 0, summary: false } });
        bed.api.enqueue({ text: `the berth is full in ${host}`, usage: OVER_THRESHOLD });
        await session.say(`fill the berth in ${host}`);
        const { sessionId } = await session.waitForSessionAfter(before);
        bed.configure({ autoClear: { mode: 'off' } });
        const characters = await waitFor('the briefing', () =>
          readBriefing(bed.bed.places, sessionId)?.length.toLocaleString('en'),
        );
        const outcome = `Cleared at 73 % · conversation saved · ${characters}-character briefing restored`;
        const line = `${outcome}. To go back: claude --resume ${before.sessionId}`;
        const screen = await waitFor('the line in the session', async () => {
          const shown = withoutBreaks(await session.screen());
          return shown.includes(withoutBreaks(line)) && shown;
        });
        expect(screen.split(withoutBreaks('conversation saved'))).toHaveLength(2); // once

        const printed = await bed.bed.memoryKeeper(bed.api, 'resume', '--print', before.sessionId);
        const commands = [];
        for (const view of ['sessions', 'activity'] as const) {
          await window.open(view);
          await app.page.getByText(outcome).first().waitFor();
          commands.push(await copiedCommand());
        }
        expect(commands).toEqual([printed.trim(), printed.trim()]);

        const command = host === 'browser' ? `${process.execPath} ${CLI} resume` : commands[0];
        const resumed = await bed.bed.startCommand(bed.api, command ?? '', before.sessionId);
        bed.api.enqueue({ text: `back in ${host}` });
        await resumed.say(`where were we in ${host}`);
        await resumed.waitForScreen(`back in ${host}`);
        const request = JSON.stringify(bed.conversation.at(-1)?.body.messages);
        for (const words of ['begin with the harbour', 'the berth is full', 'where were we'])
          expect(request).toContain(`${words} in ${host}`);
        await resumed.stop();
        await window.open('sessions');
      });

      /** Of the newest clear that is shown: what "Resume the old conversation" gives. */
      async function copiedCommand(): Promise<string> {
        await button(`${window.text('shell.resumeOld')}:`)
          .first()
          .click();
        const way = app.page.getByRole('dialog');
        const shown = (await way.locator('pre').textContent()) ?? '';
        await way.getByRole('button', { name: window.text('shell.resumeCopy') }).click();
        await way.getByText(window.text('shell.copied')).waitFor();
        await app.page.keyboard.press('Escape');
        if (host === 'electron') return shown;
        await app.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        expect(await app.page.evaluate('navigator.clipboard.readText()')).toBe(shown);
        return shown;
      }

      it('A9 a session that has hit the hard limit is offered a clear; what was said is kept, and the last request given back', async () => {
        await turn(`the berth of ${host} is number nine`, `noted for ${host}`, QUARTER);
        const before = await session.waitForState('idle');
        bed.answer = ({ body }) => (body.stream === true ? TOO_LONG : undefined);
        await session.say(`one more thing in ${host}`);
        await app.page.getByText(window.text('sessions.nextFull')).waitFor();
        await session.waitForState('idle');
        bed.answer = () => undefined;
        await button(`${window.text('sessions.clearNow')}:`).click();
        const { sessionId } = await session.waitForSessionAfter(before);
        await app.page.getByText(window.text('sessions.nextFull')).waitFor({ state: 'detached' });
        const given = await waitFor('what was given back', () =>
          readBriefing(bed.bed.places, sessionId),
        );
        expect(given).toContain(`one more thing in ${host}`);
        await bed.kept(`the berth of ${host} is number nine`);
      });

      it.each(['cancel', 'snooze'] as const)(
        'A6 G2 a clear that counts down is stopped by %s',
        async (wish) => {
          bed.configure(COUNTING_DOWN);
          await turn(`begin for ${wish} in ${host}`, `begun for ${wish} in ${host}`, QUARTER);
          await turn(
            `fill up for ${wish} in ${host}`,
            `full for ${wish} in ${host}`,
            OVER_THRESHOLD,
          );
          const { sessionId } = await session.waitForState('idle');
          await app.page.getByText(/^clear in \d/).waitFor();
          await app.page
            .getByRole('article')
            .getByRole('button', { name: window.text(`sessions.${wish}`) })
            .click();
          expect(await stopped(sessionId)).toContain(wish === 'cancel' ? 'Cancelled' : 'Snoozed');
          await app.page.getByText(/^clear in \d/).waitFor({ state: 'detached' });
          expect((await session.waitForState('idle')).sessionId).toBe(sessionId);
          bed.configure({ autoClear: { mode: 'off' } });
          await session.clear(); // what was put off is over with a new session
        },
      );

      it('A6 G2 a clear that counts down is seen in every view and in the title, and is cancelled from the settings', async () => {
        bed.configure(COUNTING_DOWN);
        await turn(`begin for all views in ${host}`, `begun for all views in ${host}`, QUARTER);
        await turn(
          `fill up for all views in ${host}`,
          `full for all views in ${host}`,
          OVER_THRESHOLD,
        );
        const { sessionId } = await session.waitForState('idle');
        const banner = app.page.getByRole('region', { name: 'Upcoming clears' });
        for (const view of VIEWS) {
          await window.open(view);
          await banner.getByText(/clears in \d/).waitFor();
          for (const wish of ['cancel', 'snooze'] as const)
            expect(
              await isInSight(
                banner.getByRole('button', { name: window.text(`sessions.${wish}`) }),
              ),
            ).toBe(true);
          expect(await app.page.title()).toContain('is about to be cleared');
        }
        await banner.getByRole('button', { name: window.text('sessions.cancel') }).click();
        expect(await stopped(sessionId)).toContain('Cancelled');
        await banner.waitFor({ state: 'detached' });
        await waitFor('the title of the view', async () =>
          (await app.page.title()).startsWith(window.text('shell.settings')),
        );
        bed.configure({ autoClear: { mode: 'off' } });
        await session.clear();
      });

      it('G3 nothing of it asked for anything off this machine, and nothing went wrong', () => {
        expect(app.strayRequests).toEqual([]);
        expect(app.surprises).toEqual([]);
      });

      /** Why. */
      async function stopped(sessionId: string): Promise<string> {
        const record = await waitFor('the clear to be stopped', () => {
          const known = readRecord(bed.bed.places, sessionId);
          return known?.state === 'cancelled' && known;
        });
        return renderMessage('en', record.steps.at(-1)?.note ?? '');
      }

      const gauge = (tokens: number) =>
        app.page.locator(`[role="meter"][aria-valuenow="${tokens}"]`);
    });
  },
);
