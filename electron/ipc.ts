/**
 * Calls of our pages to the engine, its events to them, links into the user's browser, and files
 * that the user chooses. Whoever calls is looked at first: the main frame of a page that we opened,
 * at an address of ours; anybody else is refused (G3). The engine parses the arguments.
 */
import {
  BrowserWindow,
  dialog,
  type IpcMainInvokeEvent,
  ipcMain,
  shell,
  type WebContents,
} from 'electron';
import type { CallResult, Method } from '../core/usecases/contract.ts';
import type { LiveEngine } from '../core/usecases/live-engine.ts';
import { message } from '../core/usecases/messages.ts';
import { isOurAddress } from './app-address.ts';
import { CHANNELS } from './channels.ts';
import { chooseFile } from './file-dialogs.ts';
import type { Say } from './texts.ts';

export interface PageRights {
  /** Without a list: all. */
  methods?: readonly Method[];
  mayOpenLinks: boolean;
  mayChooseFiles: boolean;
}

const REFUSED: CallResult = { ok: false, message: message('api.notAllowed'), isBug: false };
const LONGEST_LINK = 2000;

export class Ipc {
  readonly #engine: Promise<LiveEngine>;
  readonly #say: () => Say;
  readonly #pages = new Map<WebContents, PageRights>();

  constructor(engine: Promise<LiveEngine>, say: () => Say) {
    this.#engine = engine;
    this.#say = say;
    ipcMain.handle(CHANNELS.call, (event, method: unknown, args: unknown) =>
      this.#call(event, method, args),
    );
    ipcMain.handle(CHANNELS.choose, (event, choice: unknown) => this.#choose(event, choice));
    ipcMain.handle(CHANNELS.link, (event, url: unknown) => this.#openLink(event, url));
  }

  /** From now on this page is heard, and told what happens. */
  admit(contents: WebContents, rights: PageRights): void {
    this.#pages.set(contents, rights);
    contents.once('destroyed', () => this.#pages.delete(contents));
  }

  tell(event: unknown): void {
    for (const contents of this.#pages.keys())
      if (!contents.isDestroyed() && !contents.isCrashed()) contents.send(CHANNELS.event, event);
  }

  async #call(event: IpcMainInvokeEvent, method: unknown, args: unknown): Promise<CallResult> {
    const rights = this.#rightsOf(event);
    if (rights === undefined || typeof method !== 'string') return REFUSED;
    if (rights.methods !== undefined && !rights.methods.includes(method as Method)) return REFUSED;
    return (await this.#engine).call(method, args);
  }

  async #choose(event: IpcMainInvokeEvent, choice: unknown): Promise<CallResult> {
    const window = BrowserWindow.fromWebContents(event.sender);
    if (this.#rightsOf(event)?.mayChooseFiles !== true || window === null) return REFUSED;
    return chooseFile(window, choice, await this.#engine, this.#say());
  }

  async #openLink(event: IpcMainInvokeEvent, url: unknown): Promise<void> {
    const address = this.#rightsOf(event)?.mayOpenLinks === true ? webAddress(url) : undefined;
    if (address === undefined) return;
    const say = this.#say();
    const window = BrowserWindow.fromWebContents(event.sender);
    const question = {
      type: 'question' as const,
      message: say('openLinkQuestion'),
      detail: address,
      buttons: [say('openLinkYes'), say('cancel')],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    };
    const { response } = await (window === null
      ? dialog.showMessageBox(question)
      : dialog.showMessageBox(window, question));
    if (response === 0) await shell.openExternal(address);
  }

  /** Undefined for whoever is not ours. */
  #rightsOf({ sender, senderFrame }: IpcMainInvokeEvent): PageRights | undefined {
    const isMainFrame = senderFrame !== null && senderFrame.parent === null;
    return isMainFrame && isOurAddress(senderFrame.url) ? this.#pages.get(sender) : undefined;
  }
}

/** As it would be opened; undefined for all that is not the web. */
function webAddress(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > LONGEST_LINK || !URL.canParse(text))
    return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
