/**
 * Export and import in the window, in both hosts (M20): a memory goes out as one file and comes
 * into another project, after a preview and with Undo; what is damaged, foreign or hostile is
 * refused with its reason, and nothing has changed then.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stateOf } from '../../core/memory/portable/contents.ts';
import { renderMessage } from '../../core/messages/all-messages.ts';
import { type Message, message } from '../../core/messages/message.ts';
import { HOSTS, type OpenApp, openApp } from '../bed/app-bed.ts';
import { AppPage } from '../bed/app-page.ts';
import { DemoHome } from '../bed/demo/demo-home.ts';
import { madeArchive, textEntry } from '../bed/made-zip.ts';
import { CLI } from '../bed/memory-keeper.ts';
import { run } from '../bed/run.ts';
import { tempFolder } from '../bed/temp-folder.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const LINK = 0o120777;
const text = (said: Message) => renderMessage('en', said);

const HOSTILE: [string, () => Buffer, string][] = [
  [
    'a way out of the folder',
    () => madeArchive([textEntry('memory/../../../escaped.md')]),
    'invalid relative path',
  ],
  [
    'a link',
    () => madeArchive([textEntry('memory/facts.json', '/etc/passwd', { mode: LINK })]),
    text(message('archive.notPlain', { name: '"memory/facts.json"' })),
  ],
  [
    'no zip at all',
    () => Buffer.from('Dear archive, '.repeat(500)),
    'damaged or not a zip archive',
  ],
  [
    'half a zip',
    () => madeArchive([textEntry('memory/memory.md', 'x'.repeat(9000))]).subarray(0, 300),
    'damaged or not a zip archive',
  ],
  [
    'another product',
    () => madeArchive([textEntry('memory/memory.md')], { product: 'other' }),
    text(message('archive.foreignManifest')),
  ],
  [
    'broken facts',
    () => madeArchive([textEntry('memory/facts.json', '{ "broken')]),
    'Cannot import this memory',
  ],
];

describeWith(
  'archives in the window',
  ['chromium', 'electron', 'Xvfb', 'openbox', 'dbus-daemon'],
  (paths) => {
    describe.each(HOSTS)('in %s', (host) => {
      let demo: DemoHome;
      let app: OpenApp;
      let window: AppPage;
      let archive: string;
      let isStopped = false;

      beforeAll(async () => {
        demo = new DemoHome();
        demo.configure({ autoClear: { mode: 'off' } });
        app = await openApp(host, demo.environment(), paths);
        window = new AppPage(app.page);
        await window.rail('sessions').waitFor();
      });

      afterAll(async () => {
        if (!isStopped) await app?.stop();
        await demo?.remove();
      });

      const tool = () => demo.projects.tool.memory;
      const facts = () => readFileSync(join(tool().folder, 'facts.json'), 'utf8');
      const dialog = () => app.page.getByRole('dialog');

      async function more(project: string, what: 'export' | 'import'): Promise<void> {
        await app.page.keyboard.press('Escape'); // what an earlier test may have left open
        await window.chooseProject(project);
        await window.open('memory');
        await window.button('shell.more').click();
        await app.page.getByRole('menuitem', { name: window.text(`memory.work_${what}`) }).click();
      }

      /** The row of a count in the preview: before and after. */
      async function count(name: string): Promise<number[]> {
        const row = dialog().getByRole('row', { name: window.text(`memory.importCount_${name}`) });
        return (await row.getByRole('cell').allTextContents()).map(Number);
      }

      it('M20 Export makes one file, named after the project, that the command line takes in', async () => {
        const folder = join(demo.home, 'exported');
        mkdirSync(folder);
        const name = await app.saveIn(folder, () => more('harbour-store', 'export'));
        expect(name).toMatch(/^harbour-store-memory-\d{4}-\d{2}-\d{2}_\d{4}\.zip$/);
        await app.page.getByText(window.text('memory.exportPrivate')).waitFor();
        archive = join(folder, name);
        const args = ['memory', 'import', archive, '--preview', '--json'];
        const told = await run(process.execPath, [CLI, ...args], {
          env: demo.environment(),
          cwd: demo.projects.fresh.root,
        });
        expect(JSON.parse(told)).toMatchObject({
          way: 'placed',
          from: 'harbour-store',
          after: { sessions: 8 },
        });
      });

      it('M20 Import shows what would come of it first, joins when it is told to, and Undo brings back what was there', async () => {
        const before = { state: stateOf(tool()), facts: facts() };
        await more('logsift', 'import');
        await app.choose(archive, () => window.button('memory.importFile').click());
        await dialog()
          .getByText(window.text('memory.importWould_joined', { from: 'harbour-store' }))
          .waitFor();
        const [now = 0, then = 0] = await count('facts');
        expect(now).toBeGreaterThan(0);
        expect(then).toBeGreaterThan(now);
        expect(stateOf(tool())).toBe(before.state);

        await window.button('memory.importNow').click();
        await dialog()
          .getByText(window.text('memory.imported_joined', { from: 'harbour-store' }))
          .waitFor();
        expect(facts()).toContain('The cart shows 12.00');
        expect(facts()).toContain('A torn last block');
        await window.button('shell.undo').click();
        await app.page.getByText(window.text('memory.importUndone')).waitFor();
        expect(JSON.parse(facts())).toEqual(JSON.parse(before.facts));
      });

      it('M20 to replace is a choice, with a preview of its own; Cancel leaves everything as it is', async () => {
        const before = stateOf(tool());
        await more('logsift', 'import');
        await app.choose(archive, () => window.button('memory.importFile').click());
        await dialog().locator('.import-figures').waitFor();
        const [, joined = 0] = await count('sessions');
        await dialog()
          .getByRole('radio', { name: window.text('memory.importReplace') })
          .click();
        await dialog()
          .getByText(window.text('memory.importWould_replaced', { from: 'harbour-store' }))
          .waitFor();
        const [, replaced = 0] = await count('sessions');
        expect([replaced, replaced < joined]).toEqual([8, true]);
        await window.button('shell.cancel').click();
        await dialog().waitFor({ state: 'detached' });
        expect(stateOf(tool())).toBe(before);
      });

      it.each(HOSTILE)(
        'M20 %s is refused with its reason, and nothing is changed',
        async (_what, made, reason) => {
          const before = { state: stateOf(tool()), home: readdirSync(join(demo.home, '..')) };
          const file = join(tempFolder(), 'offered.zip');
          writeFileSync(file, made());
          await more('logsift', 'import');
          await app.choose(file, () => window.button('memory.importFile').click());
          const told = await dialog().getByRole('alert').textContent();
          expect(told).toContain(reason);
          expect(await window.button('memory.importNow').count()).toBe(0);
          await app.page.keyboard.press('Escape');
          await dialog().waitFor({ state: 'detached' });
          expect({ state: stateOf(tool()), home: readdirSync(join(demo.home, '..')) }).toEqual(
            before,
          );
        },
      );

      it('M20 words of an archive are shown as words: nothing of them runs', async () => {
        const file = join(tempFolder(), 'offered.zip');
        const hostile = '<img src=x onerror="window.hostile = 1">\u202Egpj';
        writeFileSync(
          file,
          madeArchive([textEntry('memory/memory.md', '# Project Memory: x\n')], {
            project: hostile,
          }),
        );
        await more('logsift', 'import');
        await app.choose(file, () => window.button('memory.importFile').click());
        await dialog().getByText('<img src=x onerror=').waitFor();
        expect(await dialog().textContent()).not.toContain('\u202E');
        await app.page.keyboard.press('Escape');
        expect(await app.page.evaluate('window.hostile')).toBeUndefined();
      });

      it('M20 a folder of an older memory keeper: chosen on the desktop, and told how in a browser', async () => {
        const folder = join(tempFolder(), 'old', '.claude', 'memory');
        mkdirSync(folder, { recursive: true });
        writeFileSync(
          join(folder, 'facts.json'),
          JSON.stringify({ decisions: [{ id: 'd001', content: 'The anchor is red.' }] }),
        );
        await more('logsift', 'import');
        if (host === 'browser') {
          await dialog().getByText('memory-keeper memory import <folder>').waitFor();
          expect(await window.button('memory.importFolder').count()).toBe(0);
          await app.page.keyboard.press('Escape');
          return;
        }
        await app.choose(folder, () => window.button('memory.importFolder').click());
        await dialog().locator('.import-figures').waitFor();
        await window.button('memory.importNow').click();
        await dialog()
          .getByText(window.text('memory.imported_joined', { from: 'memory' }))
          .waitFor();
        expect(facts()).toContain('The anchor is red.');
        await window.button('shell.undo').click();
        await waitFor('the fact to be gone', () => !facts().includes('The anchor is red.'));
      });

      it('M18 G5 nothing that was sent or made stays behind, nothing left this machine, and nothing went wrong', async () => {
        expect([app.strayRequests, app.surprises]).toEqual([[], []]);
        isStopped = true;
        await app.stop();
        const transfers = join(demo.places.home, 'transfers');
        expect(existsSync(transfers) ? readdirSync(transfers) : []).toEqual([]);
      });
    });
  },
);
