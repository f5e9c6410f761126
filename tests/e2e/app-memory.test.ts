/**
 * A project's memory in the window, in both hosts, beside a real Claude Code with the plugin (M9,
 * M14, M19, G2, G4): what is edited through the forms stands on disk and in the CLI's next request,
 * undo takes it back, facts lead to their words, and nothing is lost or run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTS, type OpenApp, openApp } from '../bed/app-bed.ts';
import { AppPage } from '../bed/app-page.ts';
import type { ClaudeSession } from '../bed/claude.ts';
import { makeDemoProject } from '../bed/demo/demo-memory.ts';
import { toolStory } from '../bed/demo/tool-story.ts';
import { HOSTILE_FACT, HOSTILE_MEMORY, HOSTILE_PROJECT } from '../bed/hostile-texts.ts';
import { PluginBed } from '../bed/plugin-bed.ts';
import { run } from '../bed/run.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const OFF = { autoClear: { mode: 'off' }, saveInterval: 1000 };
/** A summary of each turn with a tool goes into memory.md. */
const SUMMARISING = { autoClear: { mode: 'off' }, saveInterval: 1 };

describeWith(
  'memory in the window',
  ['claude', 'tmux', 'chromium', 'electron', 'Xvfb', 'openbox', 'dbus-daemon'],
  (paths) => {
    let bed: PluginBed;
    let session: ClaudeSession;

    beforeAll(async () => {
      bed = await PluginBed.start(paths.claude);
      bed.configure(OFF);
      makeDemoProject(bed.bed.places, bed.bed.project, toolStory);
      addUnknownFields();
      const { memory } = makeDemoProject(
        bed.bed.places,
        join(bed.bed.root, HOSTILE_PROJECT.name),
        HOSTILE_PROJECT,
      );
      writeFileSync(join(memory.folder, 'memory.md'), HOSTILE_MEMORY);
      session = await bed.start();
      // What the plugin itself asks a model for.
      bed.completion = (request) => ({
        text: isDelta(JSON.stringify(request.body.messages)) ? summary : '[]',
      });
    });

    afterAll(() => bed?.remove());

    let summary = '';
    const isDelta = (asked: string) => asked.includes('<conversation>');
    const file = (name: string) => join(bed.memory.folder, name);
    const json = (name: string) => JSON.parse(readFileSync(file(name), 'utf8'));
    const fact = (id: string) =>
      json('facts.json').decisions.find((known: { id: string }) => known.id === id);
    const rule = (id: string) =>
      json('facts.json').permanent.rules.find((known: { id: string }) => known.id === id);
    const concept = (id: string) =>
      json('concepts.json').concepts.find((known: { id: string }) => known.id === id);

    /** As a later version of ours, or another program, may have written them. */
    function addUnknownFields(): void {
      const facts = json('facts.json');
      for (const item of [...facts.decisions, ...facts.permanent.rules]) item.reviewer = 'Mina';
      writeFileSync(file('facts.json'), JSON.stringify(facts, null, 2));
      const concepts = json('concepts.json');
      for (const item of concepts.concepts) item.colour = 'teal';
      writeFileSync(file('concepts.json'), JSON.stringify(concepts, null, 2));
    }

    /** A new session, and all that its first request carries. */
    async function firstRequestAfterClear(words: string): Promise<string> {
      await session.waitForState('idle');
      await session.clear();
      await bed.turn(session, words, `answered ${words}`);
      const request = bed.conversation.findLast(({ body }) =>
        JSON.stringify(body.messages).includes(words),
      );
      return JSON.stringify(request?.body.messages);
    }

    describe.each(HOSTS)('in %s', (host) => {
      let app: OpenApp;
      let window: AppPage;

      beforeAll(async () => {
        bed.configure(OFF);
        app = await openApp(host, bed.bed.environment(bed.api), paths);
        window = new AppPage(app.page);
        await window.rail('sessions').waitFor();
        await window.chooseProject('project');
      });

      afterAll(() => app?.stop());

      const editor = () =>
        app.page.getByRole('textbox', { name: window.text('memory.sourceLabel') });

      async function openMemory(tab: string): Promise<void> {
        await window.open('memory');
        await window.openTab(`memory.${tab}`);
      }

      async function typeAtEnd(text: string): Promise<void> {
        await editor().click();
        await app.page.keyboard.press('Control+End');
        await app.page.keyboard.insertText(text);
      }

      /** Through the form of the item that the row is about. */
      async function editItem(
        tab: string,
        words: string,
        field: string,
        text: string,
      ): Promise<void> {
        await openMemory(tab);
        await window.chooseRow(words);
        await window.button('memory.edit').click();
        await app.page
          .getByRole('form')
          .getByLabel(window.text(`memory.field_${field}`), { exact: true })
          .fill(text);
        await window.button('shell.save').click();
        await app.page.getByRole('form').waitFor({ state: 'detached' });
      }

      /** In the history; a word, because a difference is shown word by word. */
      async function undoEdit(word: string): Promise<void> {
        await openMemory('history');
        const edit = app.page
          .getByRole('listitem')
          .filter({ hasText: word })
          .filter({ has: window.button('shell.undo') })
          .first();
        await edit.getByRole('button', { name: window.text('shell.undo') }).click();
        const files = ['facts.json', 'concepts.json', 'memory.md'];
        await waitFor(`"${word}" to be gone`, () =>
          files.every((name) => !readFileSync(file(name), 'utf8').includes(word)),
        );
      }

      const SECTION = `The wharf word is mulberry in ${host}.`;
      const FACT = `--since takes "3h" and ISO times, as the skipper of ${host} wished.`;
      const CONCEPT = `All that is about gzip and the anchor of ${host}.`;
      const RULE = `Diagnostics go to stderr, said the harbour of ${host}.`;
      const DEFAULT_RULE = `Answer as the lighthouse of ${host} would.`;

      it('M19 G2 memory.md, a fact, a concept, a permanent rule and a default rule are edited through their forms', async () => {
        await openMemory('text');
        await typeAtEnd(`\n## Team Notes\n\n${SECTION}\n`);
        await app.page.keyboard.press('Control+s');
        await app.page.getByText(window.text('memory.savedMd')).waitFor();
        expect(bed.memoryMd).toContain(`## Team Notes\n\n${SECTION}\n`);
        await editItem('facts', '--since takes', 'content', FACT);
        expect(fact('d002')).toMatchObject({ content: FACT, reviewer: 'Mina' });
        await editItem('concepts', 'gzip', 'summary', CONCEPT);
        expect(concept('c003')).toMatchObject({ summary: CONCEPT, colour: 'teal' });
        await editItem('permanent', 'Diagnostics go to stderr', 'content', RULE);
        expect(rule('r001')).toMatchObject({ content: RULE, reviewer: 'Mina' });
        await window.open('settings');
        await window.openTab('settings.tabRules');
        await app.page
          .getByRole('textbox', { name: window.text('settings.rule', { number: 1 }) })
          .fill(DEFAULT_RULE);
        await window.button('shell.save').click();
        await app.page.getByText(window.text('settings.rulesSaved')).waitFor();
      });

      it('M13 M14 the next request of the real session contains all of it', async () => {
        const request = await firstRequestAfterClear(`what do you know in ${host}`);
        for (const text of [SECTION, FACT, CONCEPT, RULE, DEFAULT_RULE])
          expect(request).toContain(JSON.stringify(text).slice(1, -1));
      });

      it('G2 Activity shows the very text that the model was given', async () => {
        await window.open('activity');
        await window.button('activity.seeText').first().click();
        const given = (await app.page.getByRole('dialog').locator('pre').textContent()) ?? '';
        expect(given).toContain(SECTION);
        const { body } = bed.conversation.at(-1) ?? { body: { messages: [] } };
        expect(JSON.stringify(body.messages)).toContain(JSON.stringify(given).slice(1, -1));
        await app.page.keyboard.press('Escape');
      });

      it('M19 undo takes each of them back, and the request after it has none of them', async () => {
        for (const word of ['harbour', 'anchor', 'skipper', 'mulberry']) await undoEdit(word);
        await window.open('settings');
        await window.openTab('settings.tabRules');
        await window.button('shell.undo').first().click();
        await app.page.getByText(window.text('settings.rulesUndone')).waitFor();
        expect(fact('d002')).toMatchObject({
          content: expect.stringContaining('"yesterday"'),
          reviewer: 'Mina',
        });
        expect(bed.memoryMd).not.toContain(SECTION);
        const request = await firstRequestAfterClear(`and what now in ${host}`);
        for (const text of [SECTION, FACT, CONCEPT, RULE, DEFAULT_RULE])
          expect(request).not.toContain(JSON.stringify(text).slice(1, -1));
      });

      it('M9 G2 a click on a fact shows its quote, marked in the conversation', async () => {
        await openMemory('facts');
        const pane = await window.chooseRow('A torn last block');
        await pane.locator('mark').first().waitFor();
        expect(await pane.locator('mark').first().textContent()).toBe('A torn last block panics.');
        expect(await pane.locator('.entry-wanted').textContent()).toContain(
          'A crashed service leaves exactly that.',
        );
      });

      it('M19 undo brings back a deleted fact with its evidence', async () => {
        await openMemory('facts');
        const before = fact('d003');
        await window.chooseRow('.gz files are read');
        await window.button('memory.forget').click();
        await waitFor('the fact to go', () => fact('d003') === undefined);
        await app.page
          .locator('.toast')
          .filter({ hasText: '.gz files are read' })
          .getByRole('button', { name: window.text('shell.undo') })
          .click();
        expect(await waitFor('the fact to come back', () => fact('d003'))).toEqual(before);
        expect(before.evidence.length).toBeGreaterThan(0);
      });

      it.each([
        ['keepMine', true, false],
        ['takeTheirs', false, true],
        ['useBoth', true, true],
      ] as const)(
        'M19 memory.md is edited while the hook writes it: a conflict, and %s',
        async (choice, hasMine, hasTheirs) => {
          const mine = `The ${choice} berth belongs to ${host}.`;
          summary = `The ${choice} login form was read once for ${host}, and its attempts stay at three.`;
          await openMemory('text');
          await typeAtEnd(`\n${mine}\n`);
          bed.configure(SUMMARISING);
          await bed.turn(
            session,
            `read the login form once for ${choice} in ${host}`,
            `read for ${choice} in ${host}`,
            bed.reads(1),
          );
          await waitFor('the summary in memory.md', () => bed.memoryMd.includes(summary));
          bed.configure(OFF);
          await app.page.getByText(window.text('memory.changedOnDisk')).waitFor();
          await app.page.keyboard.press('Control+s');
          await app.page
            .getByRole('heading', { name: window.text('memory.conflictTitle') })
            .waitFor();
          expect(bed.memoryMd).not.toContain(mine);
          const theirs = app.page.getByRole('textbox', { name: window.text('memory.theirs') });
          // It begins with both; parts that are the same on both sides are folded away.
          expect(await window.button('memory.useBoth').getAttribute('aria-pressed')).toBe('true');
          await window.button('memory.keepMine').click();
          await theirs.press('Control+End'); // only what is in view is in the page
          await waitFor('their text beside it', async () =>
            (await theirs.textContent())?.includes(summary),
          );
          await window.button(`memory.${choice}`).click();
          await window.button('memory.saveResult').click();
          await app.page.getByText(window.text('memory.allSaved'), { exact: true }).waitFor();
          expect([bed.memoryMd.includes(mine), bed.memoryMd.includes(summary)]).toEqual([
            hasMine,
            hasTheirs,
          ]);
        },
      );

      it('G2 a hostile memory.md and hostile facts show as text: nothing runs, nothing is fetched', async () => {
        await window.chooseProject(HOSTILE_PROJECT.name);
        await openMemory('text');
        await app.page.locator('.md-preview').getByText('onerror').first().waitFor();
        await openMemory('facts');
        const pane = await window.chooseRow('hostile');
        await pane.getByText(HOSTILE_FACT.slice(0, 30)).first().waitFor();
        for (const tab of ['concepts', 'permanent', 'transcript', 'history']) await openMemory(tab);
        await window.open('search');
        await app.page.getByRole('searchbox').fill('hostile');
        await app.page.getByText('hostile').first().waitFor();
        expect(await app.page.evaluate('window.hostile')).toBeUndefined();
        expect(
          await app.page
            .locator('a[href^="javascript:" i], iframe, object, embed, img[src^="http"]')
            .count(),
        ).toBe(0);
        expect(app.strayRequests).toEqual([]);
        expect(app.surprises).toEqual([]);
        await window.chooseProject('project');
      });

      it('G4 the Install button installs the plugin in Claude Code, and Uninstall takes it out', async () => {
        const installed = async () => {
          const list = await run(bed.bed.binary, ['plugin', 'list', '--json'], {
            env: bed.bed.environment(bed.api),
          });
          return list.includes('memory-keeper');
        };
        await window.open('plugin');
        expect(await installed()).toBe(false);
        await window.button('plugin.install').click();
        await app.page.getByText(window.text('plugin.allWell')).waitFor();
        expect(await installed()).toBe(true);
        await window.button('plugin.uninstall').click();
        await app.page.getByText(window.text('plugin.missing'), { exact: true }).waitFor();
        expect(await installed()).toBe(false);
      });
    });
  },
);
