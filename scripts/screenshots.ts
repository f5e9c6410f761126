/**
 * `npm run screenshots`: pictures of every view, light and dark, for docs/pictures, from the
 * running application with believable data in it. Needs the build, and Chromium. Look at them
 * before they are committed.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenApp, openInBrowser } from '../tests/bed/app-bed.ts';
import { AppPage, type Language } from '../tests/bed/app-page.ts';
import { DemoHome } from '../tests/bed/demo/demo-home.ts';
import { CLI } from '../tests/bed/memory-keeper.ts';
import { prepareBed } from '../tests/bed/prepare.ts';
import { run } from '../tests/bed/run.ts';
import { smallPng } from './small-png.ts';

const FOLDER = join(import.meta.dirname, '../docs/pictures');
const MOST_BYTES = 150 * 1024;
const COUNTDOWN_SECONDS = 600;
/** A fact to be chosen, and words to be searched for. */
const SHOP = ['The cart shows 12.00', 'gift card'] as const;
const CLINIC = ['같은 시간에 예약이', '환자 이름'] as const;

type Theme = 'light' | 'dark';

class Camera {
  readonly #window: AppPage;
  readonly #only: readonly string[];

  constructor(window: AppPage, only: readonly string[]) {
    this.#window = window;
    this.#only = only;
  }

  async take(name: string): Promise<void> {
    if (this.#only.length > 0 && !this.#only.some((wanted) => name.startsWith(wanted))) return;
    const path = join(FOLDER, `${name}.png`);
    await this.#window.quiet();
    await this.#window.page.evaluate('document.activeElement?.blur()');
    const picture = await this.#window.page.screenshot({ animations: 'disabled', caret: 'hide' });
    const small = smallPng(picture);
    writeFileSync(path, small);
    const size = small.length;
    const note = size > MOST_BYTES ? `, more than ${MOST_BYTES / 1024} KB` : '';
    process.stderr.write(`${name}.png: ${Math.round(size / 1024)} KB${note}\n`);
  }
}

async function allViews(
  window: AppPage,
  camera: Camera,
  ending: string,
  fact: string,
  words: string,
): Promise<void> {
  const { page } = window;
  await window.open('sessions');
  await page.locator('.next-countdown').waitFor();
  await camera.take(`sessions-${ending}`);
  await window.open('memory');
  await window.openTab('memory.text');
  await camera.take(`memory-text-${ending}`);
  await window.openTab('memory.facts');
  await window.chooseRow(fact);
  await page.locator('.entry-wanted mark').waitFor();
  await camera.take(`memory-facts-${ending}`);
  await window.openTab('memory.concepts');
  await page.getByRole('row').nth(1).click();
  await camera.take(`memory-concepts-${ending}`);
  await window.openTab('memory.permanent');
  await camera.take(`memory-permanent-${ending}`);
  await window.openTab('memory.transcript');
  await page.locator('.session-row').first().click();
  await camera.take(`memory-transcript-${ending}`);
  await window.open('search');
  await page.getByRole('searchbox').fill(words);
  await page.locator('mark').first().waitFor();
  await camera.take(`search-${ending}`);
  await window.open('activity');
  await camera.take(`activity-${ending}`);
  await window.button('activity.seeText').first().click();
  await page.getByRole('dialog').locator('pre').waitFor();
  await camera.take(`activity-text-${ending}`);
  await page.keyboard.press('Escape');
  await window.open('plugin');
  await page.locator('.plugin-details').waitFor();
  await camera.take(`plugin-${ending}`);
  await window.openTab('plugin.tabDoctor');
  await page.locator('.findings[aria-busy="false"]').waitFor();
  await camera.take(`doctor-${ending}`);
  await window.open('settings');
  await camera.take(`settings-${ending}`);
}

/** Without one, Korean words would be boxes in the pictures. */
async function assertKoreanFont(): Promise<void> {
  const fonts = await run('fc-list', [':lang=ko']);
  if (fonts.trim() === '')
    throw new Error('there is no Korean font here (on Debian: apt-get install fonts-noto-cjk)');
}

async function main(only: readonly string[]): Promise<void> {
  await assertKoreanFont();
  const bed = await prepareBed(['chromium', 'claude', 'tmux'], (message) =>
    process.stderr.write(`${message}\n`),
  );
  for (const piece of [bed.chromium, bed.claude, bed.tmux])
    if ('missing' in piece) throw new Error(piece.missing);
  const [chromium, claude] = [bed.chromium, bed.claude].map((piece) =>
    'path' in piece ? piece.path : '',
  );
  mkdirSync(FOLDER, { recursive: true });
  const demo = new DemoHome();
  let app: OpenApp | undefined;
  try {
    const { shop } = await demo.startSessions();
    const programs = join(demo.home, '.local/bin');
    mkdirSync(programs, { recursive: true });
    symlinkSync(claude ?? '', join(programs, 'claude'));
    const env = demo.environment({ PATH: `${programs}:${process.env.PATH}` });
    await run(process.execPath, [CLI, 'plugin', 'install'], { env });
    const look = (language: Language, theme: Theme) =>
      demo.configure({
        autoClear: { countdownSeconds: COUNTDOWN_SECONDS },
        app: { language, theme },
      });
    look('en', 'light');
    app = await openInBrowser(env, chromium ?? '');
    const window = new AppPage(app.page);
    const camera = new Camera(window, only);
    demo.signal(shop, 712_400, 1_000_000);
    await window.waitForLook('en', 'light');
    await window.chooseProject('harbour-store');
    await allViews(window, camera, 'light', ...SHOP);
    look('en', 'dark');
    await window.waitForLook('en', 'dark');
    await allViews(window, camera, 'dark', ...SHOP);
    look('ko', 'light');
    await window.waitForLook('ko', 'light');
    await window.chooseProject('진료예약');
    await allViews(window, camera, 'ko', ...CLINIC);
  } finally {
    await app?.stop();
    await demo.remove();
  }
}

await main(process.argv.slice(2));
