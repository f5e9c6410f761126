/**
 * Somebody types or reads in the window while something else happens there, in a real Chromium: a
 * save that is under way, an undo, another writer, an impatient key (M19, G2, F1). What was typed
 * stays and is written once, and what is read stays in view.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placesFrom } from '../../core/platform/store/places.ts';
import { factsPath, memoryMdPath } from '../../core/projects/memory-paths.ts';
import type { ProjectMemory } from '../../core/projects/project-memory.ts';
import { type OpenApp, openInBrowser } from '../bed/app-bed.ts';
import { AppPage } from '../bed/app-page.ts';
import { makeDemoProject } from '../bed/demo/demo-memory.ts';
import { toolStory } from '../bed/demo/tool-story.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

describeWith('at work in the window', ['chromium'] as const, (paths) => {
  const folder = mkdtempSync(join(tmpdir(), 'memory-keeper-meanwhile-'));
  const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), LANG: 'en_US.UTF-8' };
  let memory: ProjectMemory;
  let app: OpenApp;
  let page: Page;
  let window: AppPage;

  beforeAll(async () => {
    mkdirSync(env.HOME);
    ({ memory } = makeDemoProject(placesFrom(env), join(env.HOME, 'logsift'), toolStory));
    app = await openInBrowser(env, paths.chromium);
    page = app.page;
    window = new AppPage(page);
    await window.rail('sessions').waitFor();
    await window.chooseProject('logsift');
  });
  afterAll(async () => {
    await app?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const toast = (key: string) =>
    page.getByLabel(window.text('shell.notifications')).getByText(window.text(key));
  const undoInToast = () =>
    page
      .getByLabel(window.text('shell.notifications'))
      .getByRole('button', { name: window.text('shell.undo') })
      .last();

  /** Calls of this method wait until the function that comes back is called. */
  async function hold(method: string): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(`**/api/${method}`, async (route) => {
      await promise;
      await route.continue();
    });
    return resolve;
  }

  describe('in the rules', () => {
    const rule = () =>
      page.getByRole('textbox', { name: window.text('settings.rule', { number: 1 }) });
    const isNotSaved = () => page.getByText(window.text('settings.rulesDirty'), { exact: true });
    const file = join(placesFrom(env).home, 'rules.md');
    const isOnDisk = (text: string) =>
      existsSync(file) && readFileSync(file, 'utf8').includes(text);

    beforeAll(async () => {
      await window.open('settings');
      await window.openTab('settings.tabRules');
      await rule().waitFor();
    });

    it('M19 what is typed while a save is under way stays, and a second Ctrl+S is no conflict with oneself', async () => {
      const letGo = await hold('rules.save');
      await rule().fill('First.');
      await rule().press('Control+s');
      await rule().press('Control+s');
      await rule().pressSequentially(' And more.');
      letGo();
      await toast('settings.rulesSaved').waitFor();
      expect(isOnDisk('First.')).toBe(true);
      expect(await rule().inputValue()).toBe('First. And more.');
      await isNotSaved().waitFor();
      await rule().press('Control+s');
      await waitFor('the second save', () => isOnDisk('First. And more.'));
      await isNotSaved().waitFor({ state: 'detached' });
      expect(await rule().inputValue()).toBe('First. And more.');
    });

    it.each([
      ['the Undo of an earlier save', () => undoInToast(), 'settings.rulesUndone'],
      ['a reset', () => window.button('settings.rulesReset'), 'settings.rulesResetDone'],
    ] as const)(
      'M19 %s keeps what was typed since, and saving it shows both versions',
      async (_what, button, done) => {
        await rule().fill('Second.');
        await rule().press('Control+s');
        await isNotSaved().waitFor({ state: 'detached' });
        await rule().fill('Second. A thought that is not saved.');
        await button().click();
        await toast(done).waitFor();
        await page.getByText(window.text('settings.rulesChanged')).waitFor();
        expect(await rule().inputValue()).toBe('Second. A thought that is not saved.');
        await rule().press('Control+s');
        await page.getByRole('heading', { name: window.text('settings.conflictTitle') }).waitFor();
        await window.button('settings.keepMine').click();
        expect(await rule().inputValue()).toBe('Second. A thought that is not saved.');
        await rule().press('Control+s');
        await waitFor('the save', () => isOnDisk('A thought that is not saved.'));
        await isNotSaved().waitFor({ state: 'detached' });
      },
    );

    it('M19 what was discarded can be had back', async () => {
      await rule().fill('A thought that is thrown away.');
      await window.button('settings.discard').click();
      expect(await rule().inputValue()).not.toContain('thrown away');
      await undoInToast().click();
      expect(await rule().inputValue()).toBe('A thought that is thrown away.');
      await window.button('settings.discard').click();
    });
  });

  it('M19 what finds no room beyond the page says so where it is typed, until there is room', async () => {
    const rule = page.getByRole('textbox', { name: window.text('settings.rule', { number: 1 }) });
    const drafts = join(placesFrom(env).home, 'drafts');
    rmSync(drafts, { recursive: true, force: true });
    writeFileSync(drafts, 'a file where the folder should be');
    await rule.fill('A thought without room.');
    await page.getByText(window.text('shell.notKept')).waitFor();
    rmSync(drafts);
    await rule.fill('A thought with room.');
    await page.getByText(window.text('shell.notKept')).waitFor({ state: 'detached' });
    await window.button('settings.discard').click();
  });

  describe('in memory.md', () => {
    const editor = () => page.getByRole('textbox', { name: window.text('memory.sourceLabel') });
    const entry = (stamp: string, text: string) => `### ${stamp}\n\n${text}\n\n`;
    const text = (said: string, more = '') =>
      `# Project Memory: logsift\n\n## Core Decisions\n\n## Current State\n\n## Recent Context\n\n${entry('2026-11-16_0900', said)}${more}## Known Issues\n`;
    const onDisk = () => readFileSync(memoryMdPath(memory), 'utf8');

    it('M19 a summary that comes in while a conflict is open is not written over', async () => {
      await window.open('memory');
      await window.openTab('memory.text');
      await editor().fill(text('One.'));
      await page.keyboard.press('Control+s');
      await page.getByText(window.text('memory.allSaved'), { exact: true }).waitFor();
      await editor().fill(text('One, mine.'));
      writeFileSync(memoryMdPath(memory), text('One, theirs.'));
      await page.getByText(window.text('memory.changedOnDisk')).waitFor();
      await page.keyboard.press('Control+s');
      await page.getByRole('heading', { name: window.text('memory.conflictTitle') }).waitFor();
      await window.button('memory.keepMine').click();
      writeFileSync(
        memoryMdPath(memory),
        text('One, theirs.', entry('2026-11-16_0930', 'It just came in.')),
      );
      await page.getByText(window.text('memory.changedOnDisk')).waitFor();
      await window.button('memory.saveResult').click();
      await window.button('memory.useBoth').click();
      await window.button('memory.saveResult').click();
      await page.getByText(window.text('memory.allSaved'), { exact: true }).waitFor();
      expect(onDisk()).toContain('One, mine.');
      expect(onDisk()).toContain('It just came in.');
    });
  });

  describe('in a form', () => {
    const content = () =>
      page.getByRole('form').getByLabel(window.text('memory.field_content'), { exact: true });
    const kind = () =>
      page.getByRole('combobox', { name: window.text('memory.column_kind'), exact: true }).last();
    const facts = (part: string) => {
      const file = JSON.parse(readFileSync(factsPath(memory), 'utf8'));
      return file[part].map((fact: { content: string }) => fact.content);
    };
    const count = (part: string, text: string) =>
      facts(part).filter((known: string) => known === text).length;

    async function openForm(): Promise<void> {
      await window.open('memory');
      await window.openTab('memory.facts');
      await window.button('memory.addFact').click();
      await content().waitFor();
    }

    it('M19 an impatient Ctrl+Enter adds one fact, and what is typed then is not half saved', async () => {
      let asked = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/api/memory.addFact')) asked++;
      });
      const letGo = await hold('memory.addFact');
      await openForm();
      await content().fill('The harbour closes at nine.');
      for (let times = 0; times < 3; times++) await page.keyboard.press('Control+Enter');
      await page.keyboard.press('Escape');
      await page.keyboard.type(' Or at ten.');
      expect(await content().inputValue()).toBe('The harbour closes at nine.');
      letGo();
      await page.getByRole('form').waitFor({ state: 'detached' });
      expect([asked, count('decisions', 'The harbour closes at nine.')]).toEqual([1, 1]);
    });

    it('M19 Escape can be taken back, and belongs to the input method while a syllable is being written', async () => {
      await openForm();
      await content().fill('항구는 아홉 시에 닫');
      const giveUp = { key: 'Escape', isComposing: true, bubbles: true, cancelable: true };
      await content().dispatchEvent('keydown', giveUp);
      expect(await content().inputValue()).toBe('항구는 아홉 시에 닫');
      await page.keyboard.press('Escape');
      await page.getByRole('form').waitFor({ state: 'detached' });
      await undoInToast().click();
      expect(await content().inputValue()).toBe('항구는 아홉 시에 닫');
      await page
        .getByRole('form')
        .getByRole('button', { name: window.text('memory.discard') })
        .click();
      await page.getByRole('form').waitFor({ state: 'detached' });
    });

    it('M19 a fact that is taken up again is of the kind that was chosen', async () => {
      await openForm();
      await kind().selectOption('issues');
      await content().fill('The crane is stuck.');
      await page.getByRole('tab', { name: window.text('memory.text') }).click();
      await openForm();
      expect(await kind().inputValue()).toBe('issues');
      expect(await content().inputValue()).toBe('The crane is stuck.');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('form').waitFor({ state: 'detached' });
      expect([
        count('issues', 'The crane is stuck.'),
        count('decisions', 'The crane is stuck.'),
      ]).toEqual([1, 0]);
    });
  });

  describe('in a long list', () => {
    const entries = Array.from({ length: 150 }, (_, index) => ({
      id: `e${index}`,
      text: `Word ${index} of the harbour.`,
    }));

    /** Far from the row that was chosen; gives back where that is. */
    async function scrollToEnd(list: Locator): Promise<number> {
      await list.evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
      await frames();
      return placeIn(list);
    }
    const placeIn = (list: Locator) => list.evaluate((scroller) => scroller.scrollTop);
    const frames = () =>
      page.evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
      );

    it('G2 a fact that comes in does not pull the table back to the row that is chosen', async () => {
      const facts = JSON.parse(readFileSync(factsPath(memory), 'utf8'));
      const [example] = facts.decisions;
      const write = (more: typeof entries) => {
        const notes = more.map(({ id, text }) => ({ ...example, id: `n9${id}`, content: text }));
        writeFileSync(
          factsPath(memory),
          JSON.stringify({ ...facts, notes: [...facts.notes, ...notes] }),
        );
      };
      await window.open('memory');
      await window.openTab('memory.facts');
      const table = page.getByRole('grid');
      const rows = async () => Number(await table.getAttribute('aria-rowcount'));
      const before = await rows();
      write(entries.slice(1));
      await waitFor('the facts', async () => (await rows()) > before);
      await window.chooseRow('A torn last block');
      const place = await scrollToEnd(table);
      const many = await rows();
      write(entries);
      await waitFor('one more', async () => (await rows()) === many + 1);
      await frames();
      expect(place).toBeGreaterThan(1000);
      expect(await placeIn(table)).toBe(place);
      write([]);
    });

    it('G2 a word of a running session does not pull its conversation back to the entry that was asked for', async () => {
      const file = readdirSync(memory.sessions).find((name) => name.endsWith('.l1.jsonl')) ?? '';
      const say = (said: typeof entries) => {
        const ts = new Date().toISOString();
        const lines = said.map((entry) => `${JSON.stringify({ ...entry, ts, role: 'user' })}\n`);
        appendFileSync(join(memory.sessions, file), lines.join(''));
        // where a hook writes down how far it has read
        writeFileSync(memory.index, readFileSync(memory.index));
      };
      say(entries.slice(1));
      await window.open('memory');
      await window.openTab('memory.facts');
      await window.chooseRow('A torn last block');
      await window.button('memory.openConversation').first().click();
      const feed = page.getByRole('list', { name: window.text('memory.conversation') });
      await feed.getByText('A crashed service leaves exactly that.').waitFor();
      const count = async () =>
        Number(await feed.getByRole('listitem').first().getAttribute('aria-setsize'));
      const many = await waitFor(
        'all that was said',
        async () => (await count()) >= entries.length && count(),
      );
      const place = await scrollToEnd(feed);
      say(entries.slice(0, 1));
      await waitFor('one more', async () => (await count()) === many + 1);
      await frames();
      expect(place).toBeGreaterThan(1000);
      expect(await placeIn(feed)).toBeGreaterThanOrEqual(place);
    });
  });

  it('A6 M19 a time is saved when its field is left, not digit by digit, over a slow link too; Undo brings back the hours before', async () => {
    const file = join(placesFrom(env).home, 'config.json');
    const onDisk = () =>
      existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).autoClear?.quietHours : undefined;
    const field = (key: string) => page.getByLabel(window.text(key), { exact: true });
    const [from, to] = [field('settings.quietFrom'), field('settings.quietTo')];
    await window.open('settings');
    await window.openTab('settings.tabSettings');
    await page.getByRole('switch', { name: window.text('settings.quietOn') }).click();
    await from.waitFor();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/settings.change')) asked++;
    });
    const letGo = await hold('settings.change');
    await from.focus();
    for (let times = 0; times < 3; times++) await page.keyboard.press('ArrowUp');
    expect([asked, onDisk()]).toEqual([0, '22:00-07:00']);
    const begin = await from.inputValue();
    await to.focus();
    for (let times = 0; times < 2; times++) await page.keyboard.press('ArrowUp');
    const end = await to.inputValue();
    letGo();
    await waitFor('the first time on disk', () => onDisk() === `${begin}-07:00`);
    await window.quiet();
    expect([asked, await from.inputValue(), await to.inputValue()]).toEqual([1, begin, end]);
    await page.keyboard.press('Enter');
    await waitFor('both times on disk', () => onDisk() === `${begin}-${end}`);
    await undoInToast().click();
    await waitFor('the hours before on disk', () => onDisk() === `${begin}-07:00`);
    expect(asked).toBe(2);
  });

  it('F1 values that hold for all projects never stand under the name of one', async () => {
    await window.open('settings');
    await window.openTab('settings.tabSettings');
    await page.locator('.setting').first().waitFor();
    const letGo = await hold('settings.read');
    await page.getByText(window.text('settings.scopeProject', { project: 'logsift' })).click();
    await page.locator('.spinner').waitFor();
    expect(await page.locator('.setting').count()).toBe(0);
    letGo();
    await page.locator('.setting').first().waitFor();
  });
});
