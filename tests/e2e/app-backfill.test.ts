/**
 * Past conversations in the window (L1d): offered with their real figures, imported by one click,
 * cancelled and continued, found in Memory, and taken back. In a real browser; Electron shows the
 * same pages.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenApp, openInBrowser } from '../bed/app-bed.ts';
import { AppPage } from '../bed/app-page.ts';
import { violations } from '../bed/axe.ts';
import { PastHome } from '../bed/past-home.ts';
import { describeWith } from '../bed/with-pieces.ts';

const ids = (first: number, count: number) =>
  Array.from(
    { length: count },
    (_, index) => `${String(first + index).padStart(8, '0')}-0000-4000-8000-000000000000`,
  );

describeWith('past conversations in the window', ['chromium'], (paths) => {
  let folder: string;
  let past: PastHome;
  let boat: string;
  let app: OpenApp;
  let window: AppPage;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'memory-keeper-past-'));
    past = new PastHome(folder);
    boat = past.makeFolder('boat');
    for (const id of ids(1, 4)) past.talk(id, { day: daysAgo(40), asked: ['Paint the hull.'] });
    for (const id of ids(10, 2)) past.talk(id, { day: daysAgo(3), cwd: boat });
    past.talk('00000020-0000-4000-8000-000000000000', {
      day: daysAgo(2),
      cwd: boat,
      asked: ['Which rope holds the anchor?'],
      answered: 'The blue one holds it.',
    });
    writeFileSync(join(past.places.claude, 'settings.json'), '{"cleanupPeriodDays": 45}');
    const env = { ...past.env, PATH: process.env.PATH, LANG: 'C.UTF-8' };
    app = await openInBrowser(env, paths.chromium);
    window = new AppPage(app.page);
  });

  afterAll(async () => {
    await app?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const daysAgo = (days: number) =>
    new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const offer = () => app.page.locator('.backfill-offer');
  const foot = () => app.page.locator('.backfill-line');
  const dialog = () => app.page.getByRole('dialog');

  it('L1d says what is on this machine and how long Claude Code keeps it; a project can be left out', async () => {
    await offer().getByText('7 conversations in 2 projects').waitFor();
    expect(await offer().textContent()).toContain('45 days');
    await window.button('backfill.choose').click();
    await dialog().getByText('7 conversations in 2 projects').waitFor();
    expect(await violations(app.page)).toEqual([]);
    await dialog()
      .getByRole('checkbox', { name: window.text('backfill.include', { name: 'app' }) })
      .click();
    await dialog().getByText('3 conversations in 1 project').waitFor();
    await dialog().getByLabel(window.text('backfill.since')).fill(daysAgo(1));
    await dialog().getByText(window.text('backfill.noneSince')).waitFor();
    await app.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('L1d imports all by one click, and what was said is found in Memory', async () => {
    await window.button('backfill.importAll').click();
    await foot().getByText('7 past conversations imported').waitFor();
    expect(await violations(app.page)).toEqual([]);
    await window.chooseProject('boat');
    await window.open('memory');
    await window.openTab('memory.transcript');
    await app.page.locator('.session-row').filter({ hasText: 'Which rope' }).click();
    await app.page.getByText('The blue one holds it.').waitFor();
  });

  it('L1d takes it back after a question, and offers it no longer but in the menu', async () => {
    await foot()
      .getByRole('button', { name: window.text('backfill.undo') })
      .click();
    await dialog().getByText('7 conversations in 2 projects').waitFor();
    expect(await violations(app.page)).toEqual([]);
    await window.button('backfill.undoNow').click();
    await app.page.getByText('7 conversations moved to the trash').waitFor();
    await app.page.locator('.session-row').first().waitFor({ state: 'detached' });
    await app.page.reload();
    await window.open('memory');
    await window.button('shell.more').click();
    await app.page.getByRole('menuitem', { name: window.text('memory.work_past') }).click();
    await window.button('backfill.start_other', { count: 7 }).waitFor();
    expect(await offer().count()).toBe(0);
  });

  it('L1d goes on without its dialog, is cancelled from the foot of the window, and continued', async () => {
    // Many enough to be cancelled, wherever this runs.
    for (const id of ids(100, 400)) past.talk(id, { day: daysAgo(5) });
    await app.page.keyboard.press('Escape');
    await window.button('shell.more').click();
    await app.page.getByRole('menuitem', { name: window.text('memory.work_past') }).click();
    await window.button('backfill.start_other', { count: 407 }).click();
    await dialog().getByRole('progressbar').waitFor();
    await app.page.keyboard.press('Escape');
    await foot()
      .getByText(/\b[1-9]\d* of 407\b/)
      .first()
      .waitFor();
    await foot()
      .getByRole('button', { name: window.text('backfill.cancel') })
      .click();
    await foot().getByText('Cancelled:').waitFor();
    await foot()
      .getByRole('button', { name: window.text('backfill.goOn') })
      .click();
    await foot()
      .getByText(/^\d+ past conversations imported/)
      .waitFor();
    await foot()
      .getByRole('button', { name: window.text('backfill.details') })
      .click();
    await dialog().getByText('407 already in memory').waitFor();
    expect(app.surprises).toEqual([]);
  });
});
