/**
 * The application while it runs: the engine with the tray, the window, the countdown and the
 * notifications around it. Events of the engine come in and are shown; what the user chooses goes
 * to the engine. It owns nothing that the engine does not know.
 */
import { join } from 'node:path';
import { app, dialog, Notification, session } from 'electron';
import type { Places } from '../core/platform/store/places.ts';
import type {
  Arguments,
  EngineEvent,
  LiveState,
  Method,
  Results,
} from '../core/usecases/contract.ts';
import type { LiveEngine } from '../core/usecases/live-engine.ts';
import { type Message, message, renderMessage } from '../core/usecases/messages.ts';
import { ClearNews } from './clear-news.ts';
import { COUNTDOWN_METHODS, CountdownWindow } from './countdown-window.ts';
import type { CrashReport } from './crash-report.ts';
import { Ipc } from './ipc.ts';
import { setLoginItem } from './login-item.ts';
import { ownProgram } from './own-program.ts';
import { type Language, textsIn } from './texts.ts';
import { TrayItem } from './tray.ts';
import { projectName, type TrayAct } from './tray-menu.ts';
import { Updates } from './updates.ts';
import { MainWindow } from './window.ts';

const PRELOAD = join(import.meta.dirname, 'preload.cjs');
/**
 * A clear that has begun to type needs some seconds to its end; longer than this only a bug takes.
 */
const END_WITHIN_MS = 60_000;

export interface ApplicationOptions {
  places: Places;
  /** Comes when the tray is there already. */
  engine: Promise<LiveEngine>;
  language: Language;
  crashReport: CrashReport;
}

export class Application {
  readonly #options: ApplicationOptions;
  readonly #ipc: Ipc;
  readonly #tray: TrayItem;
  readonly #window: MainWindow;
  readonly #countdown: CountdownWindow;
  readonly #news = new ClearNews();
  readonly #updates: Updates;
  #say: ReturnType<typeof textsIn>;
  #stopHearing: () => void = () => undefined;
  #state: LiveState | undefined;
  #areNotificationsOn = false;
  #startsAtLogin: boolean | undefined;
  #language: Language;
  /** Those on the screen: one that nobody holds is collected, and a click on it does nothing. */
  readonly #notifications = new Set<Notification>();

  constructor(options: ApplicationOptions) {
    const { places, engine, language } = options;
    this.#options = options;
    this.#language = language;
    this.#say = textsIn(language);
    this.#tray = new TrayItem(this.#say, (act) => this.#do(act));
    this.#ipc = new Ipc(engine, () => this.#say);
    this.#window = new MainWindow({
      places,
      preload: PRELOAD,
      onPage: (contents) => this.#ipc.admit(contents, { mayOpenLinks: true, mayChooseFiles: true }),
    });
    this.#countdown = new CountdownWindow({
      preload: PRELOAD,
      onPage: (contents) =>
        this.#ipc.admit(contents, {
          methods: COUNTDOWN_METHODS,
          mayOpenLinks: false,
          mayChooseFiles: false,
        }),
    });
    this.#updates = new Updates({
      feedFile: join(process.resourcesPath, 'app-update.yml'),
      load: async () => (await import('./package-updater.ts')).packageUpdater(),
      ask: (version) => this.#askForUpdate(version),
      report: (error) => this.#report('updates', error),
    });
  }

  async start(): Promise<void> {
    const engine = await this.#options.engine;
    this.#stopHearing = engine.onEvent((event) => this.#hear(event));
    await this.#readSettings();
    this.#show(await this.#ask('sessions.state', {}));
  }

  showWindow(): void {
    this.#window.show();
  }

  /** The tray and the windows go at once; what is being cleared right now is brought to its end. */
  async end(): Promise<void> {
    this.#stopHearing(); // the engine tells to the end, and nothing is left to show it
    this.#updates.stop();
    this.#countdown.close();
    this.#tray.remove();
    await this.#window.close();
    // text that was typed and not saved; Chromium would wait some seconds
    session.defaultSession.flushStorageData();
    const limit = new Promise<void>((resolve) => setTimeout(resolve, END_WITHIN_MS));
    const closed = this.#options.engine
      .then((engine) => engine.close())
      .catch((error) => this.#report('closing', error));
    await Promise.race([closed, limit]);
  }

  #hear(event: EngineEvent): void {
    this.#ipc.tell(event);
    if (event.name === 'state') this.#show(event.value);
    if (event.name === 'settings' && event.value.project === null)
      this.#readSettings().catch((error) => this.#report('settings', error));
  }

  #show(state: LiveState): void {
    this.#state = state;
    this.#tray.show(state);
    this.#countdown.show(state, this.#say('countdownTitle'));
    for (const { what, projectRoot, note } of this.#news.take(state))
      this.#notify(this.#say(what, { project: projectName({ projectRoot }) }), this.#said(note));
  }

  #notify(title: string, body: string): void {
    if (!this.#areNotificationsOn || !Notification.isSupported()) return;
    const notification = new Notification({ title, body });
    const forget = () => this.#notifications.delete(notification);
    notification.on('click', () => {
      forget();
      this.showWindow();
    });
    notification.on('close', forget).on('failed', forget);
    this.#notifications.add(notification);
    notification.show();
  }

  /** The engine's words in the user's language. */
  #said(said: Message | string): string {
    return renderMessage(this.#language, said);
  }

  async #readSettings(): Promise<void> {
    const { settings } = await this.#ask('settings.read', {});
    const settingOf = (key: string) => settings.find((setting) => setting.key === key)?.value;
    this.#areNotificationsOn = settingOf('app.notifications') === true;
    const { language } = await this.#ask('app.about', {});
    this.#language = language;
    this.#say = textsIn(language);
    this.#tray.speak(this.#say);
    this.#followLoginSetting(settingOf('app.startAtLogin') === true);
    this.#updates.follow(
      settingOf('app.updates') === true && !ownProgram(process.env, process.execPath).isPortable,
    );
  }

  async #askForUpdate(version: string): Promise<boolean> {
    const say = this.#say;
    const question = {
      type: 'question' as const,
      message: say('updateQuestion', { version }),
      detail: say('updateHow', { current: app.getVersion() }),
      buttons: [say('updateYes'), say('updateNo')],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    };
    const window = this.#window.browserWindow;
    const isSeen = window?.isVisible() === true;
    const { response } = await (isSeen
      ? dialog.showMessageBox(window, question)
      : dialog.showMessageBox(question));
    return response === 0;
  }

  /**
   * At the start nothing is changed unless it is wanted: the user may have made an entry by hand.
   */
  #followLoginSetting(isWanted: boolean): void {
    if (this.#startsAtLogin !== isWanted && (isWanted || this.#startsAtLogin !== undefined)) {
      try {
        setLoginItem(isWanted);
      } catch (error) {
        this.#report('login item', error); // a folder that cannot be written
      }
    }
    this.#startsAtLogin = isWanted;
  }

  #do(act: TrayAct): void {
    // Not within the click itself, for a menu that is on its way out still answers the desktop.
    setImmediate(() => void this.#carryOut(act).catch((error) => this.#report(act.do, error)));
  }

  async #carryOut(act: TrayAct): Promise<unknown> {
    if (act.do === 'quit') return app.quit();
    if (act.do === 'open') return this.showWindow();
    if (act.do === 'openProject') return this.#window.show(act.projectRoot);
    if (!('sessionId' in act)) return this.#ask('sessions.pause', { isPaused: act.do === 'pause' });
    if (act.do === 'clear')
      return this.#ask('sessions.clear', { sessionId: act.sessionId, pid: act.pid });
    if (act.do === 'reset')
      return this.#ask('sessions.resetBreaker', { sessionId: act.sessionId, pid: act.pid });
    if (act.do === 'explain') return this.#explain(act.sessionId, act.pid);
    return this.#ask('sessions.request', { sessionId: act.sessionId, request: act.do });
  }

  async #explain(sessionId: string, pid: number): Promise<void> {
    const { refusal, ways, breaker, kindRefusal } = await this.#ask('sessions.explain', {
      sessionId,
      pid,
    });
    const say = this.#say;
    const session = this.#state?.sessions.find((known) => known.sessionId === sessionId);
    const lines = ways.map(({ name, certainty }) => {
      const way = this.#said(message(`driver.${name}`));
      return certainty.certain
        ? say('explainUsed', { way, how: this.#said(certainty.how) })
        : say('explainNotUsed', { way, why: this.#said(certainty.why) });
    });
    const now =
      refusal === undefined
        ? say('explainNow')
        : say('explainNotNow', { reason: this.#said(refusal) });
    const loss = session?.hasPlugin === false ? [say('explainBare')] : [];
    const held = [kindRefusal, breaker?.reason].flatMap((reason) =>
      reason ? this.#said(reason) : [],
    );
    await dialog.showMessageBox({
      type: 'info',
      message: say('explainTitle', { project: session?.project ?? sessionId }),
      detail: [now, ...held, ...loss, '', ...lines].join('\n'),
    });
  }

  /** What cannot be done is told to the user in the engine's words. */
  async #ask<M extends Method>(method: M, args: Arguments<M>): Promise<Results[M]> {
    const answer = await (await this.#options.engine).call(method, args);
    if (answer.ok) return answer.value as Results[M];
    this.#notify('Memory Keeper', this.#said(answer.message));
    throw new Error(`${method}: ${renderMessage('en', answer.message)}`);
  }

  #report(what: string, error: unknown): void {
    this.#options.crashReport.write(what, error);
  }
}
