/**
 * The two selections of X: CLIPBOARD and PRIMARY. A selection is not storage but a program that
 * answers; taking it over takes the content from its owner. So we fetch the content first, in every
 * available form, and serve it from here afterwards, until the user copies something else.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { XEvent } from 'x11';
import { type Message, message } from '../../../messages/message.ts';
import type { Form, Memory, Selection } from './typist-words.ts';
import type { X } from './x-client.ts';

const NAMES = ['CLIPBOARD', 'PRIMARY'] as const;
const ANSWER_WITHIN_MS = 1500;
const FETCH_WITHIN_MS = 3000;
const LOOK_EVERY_MS = 10;
/** What fits into one request to the server; more would have to be given in parts. */
const MAX_BYTES = 200 * 1024;
/** Targets that are no content. */
const QUESTIONS = [
  'TARGETS',
  'MULTIPLE',
  'TIMESTAMP',
  'SAVE_TARGETS',
  'DELETE',
  'INSERT_SELECTION',
  'INSERT_PROPERTY',
];
const TEXTS = ['UTF8_STRING', 'STRING', 'TEXT', 'text/plain', 'text/plain;charset=utf-8'];
const PROPERTY = 'MEMORY_KEEPER';
const ATOM = 'ATOM';

export class Selections {
  readonly #x: X;
  readonly #window: number;
  /** What is given to others, by the atom of the selection. */
  readonly #given = new Map<number, Map<number, Form>>();
  readonly #notices: XEvent[] = [];
  #fetchedBy: number[] = [];
  #whenReleased: (() => void) | undefined;

  static async of(x: X): Promise<Selections> {
    const window = x.client.AllocID();
    x.client.CreateWindow(window, x.root, 0, 0, 1, 1, 0, 0, 0, 0, {});
    return new Selections(x, window);
  }

  private constructor(x: X, window: number) {
    this.#x = x;
    this.#window = window;
    x.client.on('event', (event) => {
      if (event.name === 'SelectionNotify') this.#notices.push(event);
      if (event.name === 'SelectionRequest') void this.#answer(event);
      if (event.name === 'SelectionClear') this.#drop(event.selection);
    });
  }

  async save(): Promise<Pick<Memory, 'selections' | 'notToUse'>> {
    const selections: Selection[] = [];
    for (const name of NAMES) {
      const forms = await this.#formsOf(name);
      if ('code' in forms) return { selections: [], notToUse: forms };
      selections.push({ name, forms });
    }
    return { selections };
  }

  /** Or why they cannot all be kept. */
  async #formsOf(name: string): Promise<Form[] | Message> {
    if ((await this.#ownerOf(name)) === 0) return [];
    const listed = await this.#fetch(name, 'TARGETS');
    if (listed !== undefined && 'code' in listed) return listed;
    const bytes = Buffer.from(listed?.data ?? '', 'base64');
    const atoms = Array.from({ length: bytes.length / 4 }, (_, index) =>
      bytes.readUInt32LE(index * 4),
    );
    const targets = await Promise.all(atoms.map((atom) => this.#x.nameOf(atom).catch(() => '')));
    if (targets.some((target) => target.startsWith('image/')))
      return message('driver.clipboardImage');
    const forms: Form[] = [];
    for (const target of new Set(
      targets.filter((target) => target !== '' && !QUESTIONS.includes(target)),
    )) {
      const form = await this.#fetch(name, target);
      if (form === undefined) continue;
      if ('code' in form) return form;
      forms.push(form);
    }
    return forms;
  }

  /** One form, undefined if there is no such one, or why it cannot be had. */
  async #fetch(name: string, target: string): Promise<Form | undefined | Message> {
    const [selection, wanted, property] = await Promise.all(
      [name, target, PROPERTY].map((word) => this.#x.atom(word)),
    );
    this.#notices.length = 0;
    this.#x.client.ConvertSelection(
      this.#window,
      selection as number,
      wanted as number,
      property as number,
      0,
    );
    const notice = await until(ANSWER_WITHIN_MS, () =>
      this.#notices.find((event) => event.selection === selection && event.target === wanted),
    );
    if (notice === undefined) return message('driver.clipboardSilent');
    if (notice.property === 0) return undefined;
    const { type, format, data } = await this.#x.property(this.#window, PROPERTY, { remove: true });
    const typeName = await this.#x.nameOf(type).catch(() => '');
    if (typeName === 'INCR' || data.length > MAX_BYTES) return message('driver.clipboardTooLarge');
    return { target, type: typeName, format, data: data.toString('base64') };
  }

  async offer(text: string): Promise<void> {
    this.#fetchedBy = [];
    for (const name of NAMES) await this.#give(name, [...formsOfText(text), SECRET]);
  }

  /** Clipboard managers fetch too; only the window's own program counts. */
  async fetched(window: number): Promise<boolean> {
    const found = await until(FETCH_WITHIN_MS, () =>
      this.#fetchedBy.some((requestor) => this.#x.isSameProgram(requestor, window)),
    );
    return found === true;
  }

  /**
   * What somebody has copied meanwhile stays; a clipboard manager that has taken over the typed
   * text is no somebody.
   */
  async giveBack(selections: readonly Selection[], offered: string): Promise<void> {
    for (const { name, forms } of selections) {
      const owner = await this.#ownerOf(name);
      if (owner !== this.#window && owner !== 0 && (await this.#textOf(name)) !== offered) continue;
      if (forms.length > 0) await this.#give(name, forms);
      else if (owner === this.#window) await this.#let(name);
    }
  }

  async hand(text: string): Promise<void> {
    await this.#give('CLIPBOARD', formsOfText(text));
  }

  released(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenReleased = resolve;
      if (this.#given.size === 0) resolve();
    });
  }

  async #give(name: string, forms: readonly Form[]): Promise<void> {
    const entries = await Promise.all(
      forms.map(async (form) => [await this.#x.atom(form.target), form] as const),
    );
    const selection = await this.#x.atom(name);
    this.#given.set(selection, new Map(entries));
    this.#x.client.SetSelectionOwner(this.#window, selection, 0);
    if ((await this.#ownerOf(name)) !== this.#window) this.#drop(selection);
  }

  async #let(name: string): Promise<void> {
    const selection = await this.#x.atom(name);
    this.#x.client.SetSelectionOwner(0, selection, 0);
    this.#drop(selection);
  }

  #drop(selection: number): void {
    this.#given.delete(selection);
    if (this.#given.size === 0) this.#whenReleased?.();
  }

  async #ownerOf(name: string): Promise<number> {
    const selection = await this.#x.atom(name);
    return this.#x.call((client, reply) => client.GetSelectionOwner(selection, reply));
  }

  async #textOf(name: string): Promise<string | undefined> {
    const form = await this.#fetch(name, 'UTF8_STRING');
    return form !== undefined && 'data' in form
      ? Buffer.from(form.data, 'base64').toString('utf8')
      : undefined;
  }

  async #answer({ time, requestor, selection, target, property }: XEvent): Promise<void> {
    const forms = this.#given.get(selection);
    const place = property === 0 ? target : property; // clients of before 1990 name none
    const form = forms?.get(target);
    const targets = await this.#x.atom('TARGETS');
    if (forms !== undefined && target === targets) {
      this.#x.client.ChangeProperty(0, requestor, place, await this.#x.atom(ATOM), 32, [
        targets,
        ...forms.keys(),
      ]);
    } else if (form !== undefined) {
      const type = await this.#x.atom(form.type);
      this.#x.client.ChangeProperty(
        0,
        requestor,
        place,
        type,
        form.format,
        Buffer.from(form.data, 'base64'),
      );
      this.#fetchedBy.push(requestor);
    }
    const isGiven = forms !== undefined && (target === targets || form !== undefined);
    const notice = {
      name: 'SelectionNotify',
      seq: 0,
      time,
      requestor,
      selection,
      target,
      property: isGiven ? place : 0,
    };
    this.#x.client.SendEvent(requestor, 0, 0, notice);
  }
}

/** Clipboard managers that know this sign keep the typed text out of their history. */
const SECRET: Form = {
  target: 'x-kde-passwordManagerHint',
  type: 'x-kde-passwordManagerHint',
  format: 8,
  data: Buffer.from('secret').toString('base64'),
};

function formsOfText(text: string): Form[] {
  const data = Buffer.from(text, 'utf8').toString('base64');
  const typeOf = (target: string) => (target === 'TEXT' ? 'UTF8_STRING' : target);
  // STRING is Latin-1: a text with more than that has no such form.
  const isLatin = /^[\x20-\x7e\n\t]*$/.test(text);
  const targets = isLatin ? TEXTS : TEXTS.filter((target) => target !== 'STRING');
  return targets.map((target) => ({ target, type: typeOf(target), format: 8, data }));
}

async function until<T>(
  limitMs: number,
  look: () => T | undefined | false,
): Promise<T | undefined> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const seen = look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadline) return undefined;
    await sleep(LOOK_EVERY_MS);
  }
}
