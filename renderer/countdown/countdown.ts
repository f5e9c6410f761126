/**
 * The page of the small window that announces clears (A6): follows the engine's state, shows a card
 * for each, sends back what the user wants. Plain elements and no framework, so that it is there at
 * once.
 */
import type { LiveState } from '../../core/usecases/contract.ts';
import { type Bridge, makeBridge } from '../bridge/bridge.ts';
import { electronPort } from '../bridge/electron-port.ts';
import { language, setLanguage } from '../locale/locale.ts';
import { errorText } from '../locale/message-text.ts';
import { languageFrom, themeFrom } from '../store/preferences.ts';
import { applyTheme } from '../theme/apply-theme.ts';
import { type Card, type ClearRequest, makeCard } from './countdown-card.ts';
import { countdownLines } from './countdown-lines.ts';
import { announced, say } from './countdown-texts.ts';
import '../theme/tokens.css';
import '../theme/base.css';
import '../components/button.css';
import './countdown.css';

const TICK_MS = 200;

class Countdown {
  readonly #bridge: Bridge;
  readonly #cards = new Map<string, Card>();
  readonly #main = document.querySelector('main') as HTMLElement;
  readonly #status = document.querySelector('[role=status]') as HTMLElement;
  #shown = '';
  #state: LiveState | undefined;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    document.addEventListener('keydown', ({ key }) => {
      const [only] = this.#cards.keys();
      if (key === 'Escape' && only !== undefined && this.#cards.size === 1)
        this.#request(only, 'cancel');
    });
    setInterval(() => this.#tick(), TICK_MS);
  }

  show(state: LiveState): void {
    this.#state = state;
    const lines = countdownLines(state);
    const text = JSON.stringify([language(), lines]);
    if (text === this.#shown) return;
    this.#shown = text;
    // The focus stays where it was, if that is still there.
    const focused = document.activeElement?.getAttribute('aria-label');
    this.#cards.clear();
    for (const line of lines)
      this.#cards.set(
        line.sessionId,
        makeCard(line, (request) => this.#request(line.sessionId, request)),
      );
    this.#main.replaceChildren(...[...this.#cards.values()].map(({ element }) => element));
    if (focused)
      this.#main.querySelector<HTMLElement>(`[aria-label=${CSS.escape(focused)}]`)?.focus();
    // Once, for those who hear it; the seconds would drown everything else.
    this.#status.textContent = lines.map(announced).join(' ');
    this.#tick();
  }

  /** In another language. */
  showAgain(): void {
    if (this.#state !== undefined) this.show(this.#state);
  }

  #tick(): void {
    for (const card of this.#cards.values()) card.tick(Date.now());
  }

  #request(sessionId: string, request: ClearRequest): void {
    this.#bridge
      .call('sessions.request', { sessionId, request })
      .catch((error: Error) => this.#cards.get(sessionId)?.tell(errorText(error)));
  }
}

/** As the settings say: theme and language. */
async function dress(bridge: Bridge): Promise<void> {
  const [{ settings }, about] = await Promise.all([
    bridge.call('settings.read', {}),
    bridge.call('app.about', {}),
  ]);
  const settingOf = (wanted: string) => settings.find(({ key }) => key === wanted)?.value;
  applyTheme(themeFrom(settingOf('app.theme')));
  setLanguage(languageFrom(settingOf('app.language'), about.language, navigator.language));
  document.documentElement.lang = language();
  document.title = say('countdownTitle');
  document.querySelector('main')?.setAttribute('aria-label', say('countdownLabel'));
}

async function begin(bridge: Bridge): Promise<void> {
  await dress(bridge);
  const countdown = new Countdown(bridge);
  bridge.onEvent((event) => {
    if (event.name === 'state') countdown.show(event.value);
    else if (event.name === 'settings') void dress(bridge).then(() => countdown.showAgain());
  });
  countdown.show(await bridge.call('sessions.state', {}));
}

const port = electronPort();
if (port !== undefined) void begin(makeBridge(port));
