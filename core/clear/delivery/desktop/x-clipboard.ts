/**
 * The two selections of X: CLIPBOARD and PRIMARY. A selection is not storage but a program that
 * answers; taking it over takes the content from its owner. So we fetch the content first, in every
 * available form, and serve it from here afterwards, until the user copies something else.
 */
import type { XEvent } from 'x11';
import { type Message, message } from '../../../messages/message.ts';
import { poll } from '../poll.ts';
import type { Clipboard, DesktopState, Form, Selection } from './typist-protocol.ts';
import { numbersIn, type X } from './x-client.ts';

const NAMES = ['CLIPBOARD', 'PRIMARY'] as const;
const ANSWER = { timeoutMs: 1500, intervalMs: 10 };
const PASTE = { timeoutMs: 3000, intervalMs: 10 };
/** What fits into one request to the server; more would have to be sent in parts. */
const MAX_BYTES = 200 * 1024;
/** Targets that are no content. */
const NO_CONTENT =
  /^(?:|TARGETS|MULTIPLE|TIMESTAMP|SAVE_TARGETS|DELETE|INSERT_SELECTION|INSERT_PROPERTY)$/;
const TEXTS = ['UTF8_STRING', 'STRING', 'TEXT', 'text/plain', 'text/plain;charset=utf-8'];
const PROPERTY = 'MEMORY_KEEPER';
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
/** Clipboard managers that know this target keep the typed text out of their history. */
const SECRET = formOf('secret', 'x-kde-passwordManagerHint');

export class XClipboard implements Clipboard {
  readonly #x: X;
  readonly #window: number;
  /** What we serve: by the atom of the selection, then by that of the target. */
  readonly #served = new Map<number, Map<number, Form>>();
  readonly #notices: XEvent[] = [];
  #fetchedBy: number[] = [];
  #whenReleased: (() => void) | undefined;

  constructor(x: X) {
    this.#x = x;
    this.#window = x.client.AllocID();
    x.client.CreateWindow(this.#window, x.root, 0, 0, 1, 1, 0, 0, 0, 0, {});
    x.client.on('event', (event) => {
      if (event.name === 'SelectionNotify') this.#notices.push(event);
      if (event.name === 'SelectionRequest') void this.#answer(event);
      if (event.name === 'SelectionClear') this.#drop(event.selection);
    });
  }

  async save(): Promise<Pick<DesktopState, 'selections' | 'pasteRefusal'>> {
    const selections: Selection[] = [];
    for (const name of NAMES) {
      const forms = await this.#formsOf(name);
      if ('code' in forms) return { selections: [], pasteRefusal: forms };
      selections.push({ name, forms });
    }
    return { selections };
  }

  /** Or why they cannot all be saved. */
  async #formsOf(name: string): Promise<Form[] | Message> {
    if ((await this.#ownerOf(name)) === 0) return [];
    const listed = await this.#fetch(name, 'TARGETS');
    if (listed !== undefined && 'code' in listed) return listed;
    const atoms = numbersIn(Buffer.from(listed?.data ?? '', 'base64'));
    const targets = new Set(await Promise.all(atoms.map((atom) => this.#x.nameOf(atom))));
    if ([...targets].some((target) => target.startsWith('image/')))
      return message('driver.clipboardImage');
    const forms: Form[] = [];
    for (const target of [...targets].filter((one) => !NO_CONTENT.test(one))) {
      const form = await this.#fetch(name, target);
      if (form !== undefined && 'code' in form) return form;
      if (form !== undefined) forms.push(form);
    }
    return forms;
  }

  /** One form, undefined if there is no such one, or why it cannot be had. */
  async #fetch(name: string, target: string): Promise<Form | undefined | Message> {
    const selection = await this.#x.atom(name);
    const wanted = await this.#x.atom(target);
    const property = await this.#x.atom(PROPERTY);
    this.#notices.length = 0;
    this.#x.client.ConvertSelection(this.#window, selection, wanted, property, 0);
    const isOurs = (event: XEvent) => event.selection === selection && event.target === wanted;
    const notice = await poll(() => this.#notices.find(isOurs), Boolean, ANSWER);
    if (notice === undefined) return message('driver.clipboardSilent');
    if (notice.property === 0) return undefined;
    const { type, format, data } = await this.#x.property(this.#window, PROPERTY, { remove: true });
    const typeName = await this.#x.nameOf(type);
    if (typeName === 'INCR' || data.length > MAX_BYTES) return message('driver.clipboardTooLarge');
    return { target, type: typeName, format, data: data.toString('base64') };
  }

  async offer(text: string): Promise<void> {
    this.#fetchedBy = [];
    for (const name of NAMES) await this.#serve(name, [...formsOfText(text), SECRET]);
  }

  /** Clipboard managers fetch too; only the window's own program counts. */
  fetched(window: number): Promise<boolean> {
    const isFetched = () => this.#fetchedBy.some((one) => this.#x.isSameProgram(one, window));
    return poll(isFetched, Boolean, PASTE);
  }

  /** Leaves what the user copied meanwhile, but not what a clipboard manager took over. */
  async restore(selections: readonly Selection[], offered: string): Promise<void> {
    for (const { name, forms } of selections) {
      const owner = await this.#ownerOf(name);
      const isOthers = owner !== this.#window && owner !== 0;
      if (isOthers && !(await this.#holds(name, offered))) continue;
      if (forms.length > 0) await this.#serve(name, forms);
      else if (owner === this.#window) await this.#release(name);
    }
  }

  async copy(text: string): Promise<void> {
    await this.#serve('CLIPBOARD', formsOfText(text));
  }

  released(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenReleased = resolve;
      if (this.#served.size === 0) resolve();
    });
  }

  async #serve(name: string, forms: readonly Form[]): Promise<void> {
    const entries = await Promise.all(
      forms.map(async (form) => [await this.#x.atom(form.target), form] as const),
    );
    const selection = await this.#x.atom(name);
    this.#served.set(selection, new Map(entries));
    this.#x.client.SetSelectionOwner(this.#window, selection, 0);
    if ((await this.#ownerOf(name)) !== this.#window) this.#drop(selection);
  }

  async #release(name: string): Promise<void> {
    const selection = await this.#x.atom(name);
    this.#x.client.SetSelectionOwner(0, selection, 0);
    this.#drop(selection);
  }

  #drop(selection: number): void {
    this.#served.delete(selection);
    if (this.#served.size === 0) this.#whenReleased?.();
  }

  async #ownerOf(name: string): Promise<number> {
    return this.#x.call(this.#x.client.GetSelectionOwner, await this.#x.atom(name));
  }

  async #holds(name: string, text: string): Promise<boolean> {
    const form = await this.#fetch(name, 'UTF8_STRING');
    return form !== undefined && 'data' in form && form.data === base64(text);
  }

  async #answer({ time, requestor, selection, target, property }: XEvent): Promise<void> {
    const { client } = this.#x;
    const forms = this.#served.get(selection);
    const place = property === 0 ? target : property; // clients from before 1990 name none
    const form = forms?.get(target);
    const targets = await this.#x.atom('TARGETS');
    const isAskedForTargets = forms !== undefined && target === targets;
    if (isAskedForTargets) {
      const list = [targets, ...forms.keys()];
      client.ChangeProperty(0, requestor, place, await this.#x.atom('ATOM'), 32, list);
    } else if (form !== undefined) {
      const type = await this.#x.atom(form.type);
      const data = Buffer.from(form.data, 'base64');
      client.ChangeProperty(0, requestor, place, type, form.format, data);
      this.#fetchedBy.push(requestor);
    }
    const answered = isAskedForTargets || form !== undefined ? place : 0;
    const notice = { seq: 0, time, requestor, selection, target, property: answered };
    client.SendEvent(requestor, 0, 0, { name: 'SelectionNotify', ...notice });
  }
}

function formsOfText(text: string): Form[] {
  // STRING is Latin-1: a text with more than that has no such form.
  const isLatin = /^[\x20-\x7e\n\t]*$/.test(text);
  const targets = TEXTS.filter((target) => isLatin || target !== 'STRING');
  return targets.map((target) => formOf(text, target));
}

function formOf(text: string, target: string): Form {
  const type = target === 'TEXT' ? 'UTF8_STRING' : target;
  return { target, type, format: 8, data: base64(text) };
}
