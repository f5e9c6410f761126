/** Text that was typed and not saved, in a real Chromium (M19): a reload and a new start of `memory-keeper serve` lose nothing of it. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Dialog, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Served } from '../bed/app-bed.ts';
import { AppPage } from '../bed/app-page.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const MINE = 'Answer as the lighthouse would.';

describeWith('text that was not saved', ['chromium'] as const, (paths) => {
  const folder = mkdtempSync(join(tmpdir(), 'memory-keeper-drafts-'));
  const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), LANG: 'en_US.UTF-8' };
  let served: Served;
  let context: BrowserContext;
  let page: Page;
  let window: AppPage;
  const dialogs: string[] = [];

  beforeAll(async () => {
    mkdirSync(env.HOME);
    served = await Served.start(env);
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: paths.chromium,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      locale: 'en-US',
    });
    page = context.pages()[0] ?? (await context.newPage());
    page.on('dialog', (dialog: Dialog) => {
      dialogs.push(dialog.type());
      void dialog.accept();
    });
    window = new AppPage(page);
    await page.goto(served.address);
  });
  afterAll(async () => {
    await context?.close();
    await served?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const rule = () => page.getByRole('textbox', { name: window.text('settings.rule', { number: 1 }) });
  const openRules = async () => {
    await window.open('settings');
    await window.openTab('settings.tabRules');
    await rule().waitFor();
  };
  const keptNames = () => page.evaluate(`Object.keys(localStorage).filter((name) => name.startsWith('memory-keeper-draft'))`);

  it('M19 a reload asks first, and finds it again', async () => {
    await openRules();
    await rule().fill(MINE);
    await page.reload();
    expect(dialogs).toEqual(['beforeunload']);
    await page.getByText(window.text('shell.draftsKept')).waitFor();
    await openRules();
    expect(await rule().inputValue()).toBe(MINE);
    await page.getByText(window.text('settings.rulesDirty'), { exact: true }).waitFor();
  });

  it('M19 a new start of the host leaves it in view, and its new address in the same tab finds it again', async () => {
    const { origin } = new URL(served.address);
    await served.stop();
    served = await Served.start(env);
    expect(new URL(served.address).origin).toBe(origin);
    await page.getByText(window.text('shell.refusedTitle')).waitFor({ timeout: 60_000 });
    expect(await rule().inputValue()).toBe(MINE);
    await page.goto(served.address);
    await waitFor('the banner to go', async () => (await page.getByText(window.text('shell.refusedTitle')).count()) === 0);
    await openRules();
    expect(await rule().inputValue()).toBe(MINE);
  });

  it('M19 what is saved is kept no longer, and nothing is asked', async () => {
    const before = dialogs.length;
    await window.button('shell.save').click();
    await page.getByText(window.text('settings.rulesSaved')).waitFor();
    await waitFor('the draft to go', async () => ((await keptNames()) as string[]).length === 0);
    await page.reload();
    await openRules();
    expect(await rule().inputValue()).toBe(MINE);
    expect(dialogs.length).toBe(before);
  });
});
