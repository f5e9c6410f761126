/**
 * A person's own words in a Korean window (G6): names, facts and drafts that read like messages of
 * ours are shown as they were typed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { placesFrom } from '../../core/platform/store/places.ts';
import { createEngine } from '../../core/usecases/engine.ts';
import { Served } from '../bed/app-bed.ts';
import { AppPage } from '../bed/app-page.ts';
import { makeDemoProject } from '../bed/demo/demo-memory.ts';
import { toolStory } from '../bed/demo/tool-story.ts';
import { describeWith } from '../bed/with-pieces.ts';

const PROJECT = '5 tokens';
const FACT = 'no session runs';
const DRAFT = '1 minute';

describeWith('words of a person in a Korean window', ['chromium'] as const, (paths) => {
  const folder = mkdtempSync(join(tmpdir(), 'memory-keeper-words-'));
  const root = join(folder, 'home', PROJECT);
  const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), LANG: 'ko_KR.UTF-8' };
  let served: Served;
  let browser: Browser;
  let page: Page;
  let window: AppPage;

  beforeAll(async () => {
    mkdirSync(env.HOME);
    makeDemoProject(placesFrom(env), root, toolStory);
    const engine = await createEngine({ env }).open();
    const part = 'decisions';
    const added = await engine.call('memory.addFact', {
      project: root,
      part,
      change: { content: FACT },
    });
    expect(added).toMatchObject({ ok: true });
    await engine.close();
    served = await Served.start(env);
    browser = await chromium.launch({
      executablePath: paths.chromium,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    page = await browser.newPage({ locale: 'ko-KR' });
    window = new AppPage(page);
    await page.goto(served.address);
    await window.waitForLook('ko', 'light');
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  it('G6 a project, a fact and a draft are shown as typed', async () => {
    await window.chooseProject(PROJECT);
    await window.open('memory');
    await page.getByText(PROJECT, { exact: true }).first().waitFor();
    await window.openTab('memory.facts');
    const detail = await window.chooseRow(FACT);
    await detail.getByText(FACT, { exact: true }).first().waitFor();
    await window.open('settings');
    await window.openTab('settings.tabRules');
    const rule = page.getByRole('textbox', { name: window.text('settings.rule', { number: 1 }) });
    await rule.fill(DRAFT);
    await window.open('sessions');
    await page
      .getByRole('button', { name: window.text('shell.unsaved_other', { count: 1 }) })
      .click();
    await page.locator('.status-problem-list').getByText(DRAFT).waitFor();
    await page.keyboard.press('Escape');
    await window.open('settings');
    await window.openTab('settings.tabRules');
    expect(await rule.inputValue()).toBe(DRAFT);
  });
});
