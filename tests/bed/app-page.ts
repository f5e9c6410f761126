/**
 * The application's window as somebody at the keyboard uses it: views by their keys, projects by
 * their names, texts as the locale has them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

const LOCALES = join(import.meta.dirname, '../../resources/locales');

export const VIEWS = ['sessions', 'memory', 'search', 'activity', 'plugin', 'settings'] as const;
export type View = (typeof VIEWS)[number];
export type Language = 'en' | 'ko';

/** More than there are controls in a view. */
export const MOST_TABS = 120;

export class AppPage {
  readonly page: Page;
  readonly #texts: Record<Language, Record<string, Record<string, string>>>;
  language: Language = 'en';

  constructor(page: Page) {
    this.page = page;
    this.#texts = { en: textsOf('en'), ko: textsOf('ko') };
  }

  /** `sessions.title` in the language that is shown. */
  text(key: string, values: Record<string, string | number> = {}): string {
    const [area, name] = [key.slice(0, key.indexOf('.')), key.slice(key.indexOf('.') + 1)];
    const text = this.#texts[this.language][area]?.[name];
    if (text === undefined) throw new Error(`the locale ${this.language} has no text ${key}`);
    return text.replaceAll(/\{(\w+)\}/g, (all, value: string) => String(values[value] ?? all));
  }

  /**
   * Presses Tab until the control with this name has the focus, as somebody without a mouse does.
   */
  async tabTo(name: string): Promise<void> {
    const told: string[] = [];
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      await this.page.keyboard.press('Tab');
      const focused = await this.page.evaluate<string>(
        '(document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent ?? "").trim()',
      );
      if (focused.startsWith(name)) return;
      told.push(focused.slice(0, 40));
    }
    throw new Error(`Tab never came to "${name}", but to ${told.join(' | ')}`);
  }

  /** By its key; the window must have been drawn. */
  async open(view: View): Promise<void> {
    await this.rail(view).waitFor();
    await this.page.keyboard.press('Escape');
    await this.page.evaluate('document.activeElement?.blur()');
    await this.page.keyboard.press(String(VIEWS.indexOf(view) + 1));
    await this.page
      .locator(`.rail-item[aria-current="page"][aria-keyshortcuts="${VIEWS.indexOf(view) + 1}"]`)
      .waitFor();
    await this.quiet();
  }

  rail(view: View): Locator {
    return this.page.locator(`.rail-item[aria-keyshortcuts="${VIEWS.indexOf(view) + 1}"]`);
  }

  async chooseProject(name: string): Promise<void> {
    await this.page.keyboard.press('Control+k');
    await this.page.getByRole('combobox', { name: this.text('shell.findProject') }).fill(name);
    // Its name, then its folder; `All projects` has letters of many names in it.
    await this.page
      .getByRole('option')
      .filter({ hasText: new RegExp(`^${name}/`) })
      .click();
    await this.page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  /** A tab of the view that is open, by the key of its name. */
  async openTab(key: string): Promise<void> {
    await this.page.getByRole('tab', { name: this.text(key) }).click();
    await this.quiet();
  }

  button(key: string, values: Record<string, string | number> = {}): Locator {
    return this.page.getByRole('button', { name: this.text(key, values), exact: true });
  }

  /**
   * Chooses the row of the table with these words; what it is about then stands beside the table.
   */
  async chooseRow(words: string): Promise<Locator> {
    await this.page.getByRole('row').filter({ hasText: words }).first().click();
    return this.page.getByRole('region', { name: this.text('memory.detail') });
  }

  /** Nothing is being fetched any more, as far as one can see. */
  async quiet(): Promise<void> {
    await this.page.locator('.spinner, .table-pending').first().waitFor({ state: 'detached' });
  }

  /**
   * Resolves with the frame in which there is something to select; sooner than Playwright looks by
   * itself.
   */
  async frameWith(selector: string): Promise<void> {
    const look = `document.querySelector(${JSON.stringify(selector)}) !== null ? resolve() : requestAnimationFrame(look)`;
    await this.page.evaluate(`new Promise((resolve) => { const look = () => ${look}; look(); })`);
  }

  /** Waits until the window has taken over what the settings say. */
  async waitForLook(language: Language, theme: 'light' | 'dark'): Promise<void> {
    this.language = language;
    await this.page.locator(`html[lang="${language}"][data-theme="${theme}"]`).waitFor();
  }
}

function textsOf(language: Language): Record<string, Record<string, string>> {
  const areas = ['shell', 'backfill', ...VIEWS];
  return Object.fromEntries(
    areas.map((area) => [
      area,
      JSON.parse(readFileSync(join(LOCALES, language, `${area}.json`), 'utf8')),
    ]),
  );
}
