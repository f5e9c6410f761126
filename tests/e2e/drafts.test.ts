/**
 * Text that was typed and not saved, in a real Chromium (M19): a reload and a new start of
 * `memory-keeper serve` lose nothing of it, it is found where its item or project is gone, and what
 * was discarded can be had back without haste. And a connection that was lost (G3).
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Dialog, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderMessage } from '../../core/messages/all-messages.ts';
import { message } from '../../core/messages/message.ts';
import { placesFrom } from '../../core/platform/store/places.ts';
import { Served } from '../bed/app-bed.ts';
import { AppPage } from '../bed/app-page.ts';
import { violations } from '../bed/axe.ts';
import { makeDemoProject } from '../bed/demo/demo-memory.ts';
import { toolStory } from '../bed/demo/tool-story.ts';
import { CLI } from '../bed/memory-keeper.ts';
import { run } from '../bed/run.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const MINE = 'Answer as the lighthouse would.';

describeWith('text that was not saved', ['chromium'] as const, (paths) => {
  const folder = mkdtempSync(join(tmpdir(), 'memory-keeper-drafts-'));
  const root = join(folder, 'home', 'logsift');
  const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), LANG: 'en_US.UTF-8' };
  let served: Served;
  let context: BrowserContext;
  let page: Page;
  let window: AppPage;
  const dialogs: string[] = [];

  beforeAll(async () => {
    mkdirSync(env.HOME);
    makeDemoProject(placesFrom(env), root, toolStory);
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

  const rule = () =>
    page.getByRole('textbox', { name: window.text('settings.rule', { number: 1 }) });
  const openRules = async () => {
    await window.open('settings');
    await window.openTab('settings.tabRules');
    await rule().waitFor();
  };
  /** In our own folder; of the page's storage none is left. */
  const keptFiles = () =>
    readdirSync(join(placesFrom(env).home, 'drafts', 'browser')).filter((name) =>
      name.endsWith('.json'),
    );
  const inPage = () =>
    page.evaluate(
      `Object.keys(localStorage).filter((name) => name.startsWith('memory-keeper-draft'))`,
    );
  const noDraftIsLeft = () => waitFor('the draft to go', () => keptFiles().length === 0);

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

  it('M19 a host that was killed leaves it in view, and the address of the next one, at another port, finds it again', async () => {
    const { origin } = new URL(served.address);
    process.kill(served.pid, 'SIGKILL');
    await page.getByText(window.text('shell.connectionLost')).waitFor({ timeout: 60_000 });
    expect(await rule().inputValue()).toBe(MINE);
    served = await Served.start(env);
    expect(new URL(served.address).origin).not.toBe(origin);
    await page.goto(served.address);
    await openRules();
    expect(await rule().inputValue()).toBe(MINE);
  });

  it('M19 what is saved is kept no longer, and nothing is asked', async () => {
    const before = dialogs.length;
    await window.button('shell.save').click();
    await page.getByText(window.text('settings.rulesSaved')).waitFor();
    await noDraftIsLeft();
    await page.reload();
    await openRules();
    expect(await rule().inputValue()).toBe(MINE);
    expect(dialogs.length).toBe(before);
  });

  const messages = () => page.getByLabel(window.text('shell.notifications'));
  const content = () => page.getByRole('textbox', { name: window.text('memory.field_content') });
  const unsaved = (count: number) =>
    page.getByRole('button', {
      name: window.text(`shell.unsaved_${count === 1 ? 'one' : 'other'}`, { count }),
    });
  const openFacts = async () => {
    await window.open('memory');
    await window.openTab('memory.facts');
    await page.getByRole('row').nth(1).waitFor();
  };

  it('M19 what was discarded can be had back for as long as somebody is at the message', async () => {
    await window.chooseProject('logsift');
    await openFacts();
    await page.clock.install();
    await page.getByRole('row').nth(1).click();
    await window.button('memory.edit').click();
    await content().fill(MINE);
    await page.keyboard.press('Escape');
    const undo = messages().getByRole('button', { name: window.text('shell.undo') });
    await undo.focus();
    await page.clock.fastForward(60_000);
    await undo.hover();
    await page.evaluate('document.activeElement.blur()');
    await page.clock.fastForward(60_000);
    await undo.click();
    expect(await content().inputValue()).toBe(MINE);
    await page.keyboard.press('Escape');
    await undo.waitFor();
    await page.mouse.move(0, 0);
    await page.clock.fastForward(60_000);
    await undo.waitFor({ state: 'detached' });
  });

  it('M19 what was typed for a fact that is gone is found from the foot, read there, and discarded', async () => {
    await window.button('memory.edit').click();
    await content().fill(MINE);
    await unsaved(1).waitFor();
    const id = (await page.locator('.detail-head code').textContent()) ?? '';
    await run(process.execPath, [CLI, 'memory', 'forget', id], { env, cwd: root });
    await page.reload();
    await unsaved(1).click();
    await page.getByRole('button', { name: `${window.text('shell.open')}:` }).click();
    await page.getByText(renderMessage('en', message('edit.noFact', { id }))).waitFor();
    expect(await content().inputValue()).toBe(MINE);
    await window.button('memory.discard').click();
    await content().waitFor({ state: 'detached' });
    await unsaved(1).waitFor({ state: 'detached' });
  });

  it('M19 the text of a project that is gone, which version 0.1.0 kept in the page, is taken over, shown, and discarded', async () => {
    await page.evaluate(
      `localStorage.setItem('memory-keeper-draft memory.md /gone/project', '{"at":1,"value":{"base":"v1","text":"${MINE}"}}')`,
    );
    await page.reload();
    await unsaved(1).click();
    expect([keptFiles().length, await inPage()]).toEqual([1, []]);
    await page.getByText(window.text('shell.unsavedNoProject')).waitFor();
    await page.getByText(MINE).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: `${window.text('memory.discard')}:` }).click();
    await noDraftIsLeft();
    await unsaved(1).waitFor({ state: 'detached' });
  });

  it('G3 a list that could not be read while the connection was lost is there as soon as that is back', async () => {
    await openFacts();
    await page.route('**/api/**', (route) => route.abort());
    await page.clock.fastForward(60_000); // silence ends the stream that is open
    await page.getByText(window.text('shell.connectionLost')).waitFor();
    await page.getByRole('searchbox', { name: window.text('memory.filterWords') }).fill('e');
    await page.getByRole('alert').waitFor();
    await page.unroute('**/api/**');
    await page.getByRole('row').nth(1).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});
