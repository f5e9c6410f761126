/**
 * In the window (M1, T1): a moved repository is offered its memory, by the keyboard alone; a project
 * whose folder is gone keeps its name and path; and what 0.1.0 left in a project is shown, taken over
 * in parts, or refused for good.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { placesFrom } from '../../core/platform/store/places.ts';
import { findProjectMemory } from '../../core/projects/project-memory.ts';
import { Served } from '../bed/app-bed.ts';
import { AppPage } from '../bed/app-page.ts';
import { violations } from '../bed/axe.ts';
import { MadeMemory } from '../bed/made-memory.ts';
import { describeWith } from '../bed/with-pieces.ts';

const OLD = 'The logo is blue.';
const NEW = 'Prices are kept in cents.';
const GONE = 'Tea is at four.';
const UNPROVEN = 'The shop closes at eight.';

describeWith('a moved project in the window', ['chromium'] as const, (paths) => {
  const folder = mkdtempSync(join(tmpdir(), 'memory-keeper-moved-'));
  const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), LANG: 'en_US.UTF-8' };
  const places = placesFrom(env);
  const root = join(env.HOME, 'new', 'app');
  const former = join(env.HOME, 'old', 'app');
  const gone = join(env.HOME, 'gone', 'app');
  let served: Served;
  let browser: Browser;
  let page: Page;
  let window: AppPage;

  /** Neither a transcript nor our home knows its session. */
  function leave010(): void {
    const made = new MadeMemory({ root: join(folder, 'elsewhere') });
    made.decide('11111111-1111-4111-8111-111111111111', UNPROVEN);
    for (const part of ['memory', 'sessions'])
      cpSync(join(made.memory.base, part), join(root, '.claude', part), { recursive: true });
  }

  beforeAll(async () => {
    for (const name of ['old', 'new', 'gone']) mkdirSync(join(env.HOME, name), { recursive: true });
    new MadeMemory({ root: join(env.HOME, 'gone'), places }).decide('s3', GONE);
    new MadeMemory({ root: join(env.HOME, 'old'), places }).decide('s1', OLD);
    renameSync(former, root);
    new MadeMemory({ root: join(env.HOME, 'new'), places }).decide('s2', NEW);
    rmSync(gone, { recursive: true });
    leave010();
    served = await Served.start(env);
    browser = await chromium.launch({
      executablePath: paths.chromium,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    page = await browser.newPage({ locale: 'en-US' });
    window = new AppPage(page);
    await page.goto(served.address);
    await window.waitForLook('en', 'light');
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const onDisk = (name: string) =>
    readFileSync(join(findProjectMemory(places, root)?.folder ?? '', name), 'utf8');
  const offer = (path: string) =>
    page.getByText(window.text('memory.linkMoved_one', { path, count: 1 }));

  async function choose(path: string): Promise<void> {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(path);
    await page.getByRole('option').filter({ hasText: path }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  it('M1 a project whose folder is gone keeps its name, its path and its memory', async () => {
    await choose(gone);
    await window.open('memory');
    await window.openTab('memory.facts');
    await page.getByText(GONE).first().waitFor();
    await page.keyboard.press('Control+k');
    const option = page.getByRole('option').filter({ hasText: gone });
    expect(await option.innerText()).toMatch(new RegExp(`^app\\s+${gone}`));
    expect(await option.innerText()).toContain(window.text('shell.projectGone'));
    await page.keyboard.press('Escape');
  });

  it('M1 a moved one is offered its memory, and has both once they are linked', async () => {
    await choose(root);
    await offer('~/old/app').waitFor();
    expect(await violations(page)).toEqual([]);
    // The one that is gone has the same name: it is not this one.
    await page
      .getByRole('paragraph')
      .filter({ hasText: '~/gone/app' })
      .getByRole('button', { name: window.text('memory.linkNot') })
      .click();
    await offer('~/gone/app').waitFor({ state: 'detached' });
    await window.tabTo(window.text('memory.link'));
    await page.keyboard.press('Enter');
    await page.getByText(window.text('memory.linkDone', { path: '~/old/app' })).waitFor();
    await offer('~/old/app').waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: OLD }).waitFor();
    await page.getByRole('row').filter({ hasText: NEW }).waitFor();
  });

  it('T1 what an earlier version left is shown and taken over, or refused for good', async () => {
    const look = page.getByRole('button', { name: window.text('memory.earlierLook') });
    const dialog = page.getByRole('dialog', { name: window.text('memory.earlierTitle') });
    await look.click();
    await dialog.getByText(UNPROVEN).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: window.text('memory.earlierRefuse') }).click();
    await look.waitFor({ state: 'detached' });
    expect(onDisk('facts.json')).not.toContain(UNPROVEN);
    await page
      .locator('.toasts')
      .getByRole('button', { name: window.text('shell.undo') })
      .click();
    await look.focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('checkbox', { name: '1 session' }).focus();
    await page.keyboard.press('Space');
    await window.tabTo(window.text('memory.earlierAdopt'));
    await page.keyboard.press('Enter');
    await page.getByText(window.text('memory.earlierAdopted')).waitFor();
    await page.getByRole('row').filter({ hasText: UNPROVEN }).waitFor();
    expect(onDisk('facts.json')).toContain(UNPROVEN);
  });
});
