/**
 * Where the window begins: finds its host, makes the store, draws. Without a host there is only a
 * page that says how to get in.
 */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { NoToken } from './app/no-token.tsx';
import { followWantedProject } from './app/wanted-place.ts';
import { type Bridge, makeBridge, type WindowPort } from './bridge/bridge.ts';
import { electronPort } from './bridge/electron-port.ts';
import { httpPort } from './bridge/http-port.ts';
import { takeToken } from './bridge/token.ts';
import { setLanguage, t } from './locale/locale.ts';
import { type AppStore, createAppStore, followEngine } from './store/app-store.ts';
import { draftPlace, guardDrafts, keptDrafts, olderStorage } from './store/kept-drafts.ts';
import { languageFrom } from './store/preferences.ts';
import { AppContext } from './store/use-app.ts';
import { applyTheme } from './theme/apply-theme.ts';
import './theme/tokens.css';
import './theme/base.css';

function findHost(): WindowPort | undefined {
  const electron = electronPort();
  if (electron !== undefined) return electron;
  const token = takeToken({ location, history, storage: sessionStorage });
  // A new address in the same tab differs behind the `#` alone, which loads nothing by itself.
  addEventListener('hashchange', () => {
    if (takeToken({ location, history, storage: sessionStorage }) !== token) location.reload();
  });
  return token === undefined ? undefined : httpPort({ token });
}

/** As soon as it is known in which language; once, for the foot of the window shows them. */
function tellKeptDrafts(store: AppStore): void {
  const tell = () => queueMicrotask(() => store.getState().toast(t('shell.draftsKept')));
  if (store.getState().settings !== null) {
    tell();
    return;
  }
  const stop = store.subscribe(({ settings }) => {
    if (settings === null) return;
    stop();
    tell();
  });
}

/** Takes up what was not saved; what could not be sent while the host was away, when it is back. */
function followDrafts(store: AppStore, bridge: Bridge): void {
  const open = async () => {
    try {
      if (await keptDrafts.open(draftPlace(bridge), olderStorage(window))) tellKeptDrafts(store);
      return true;
    } catch {
      return false; // the window says that there is no connection
    }
  };
  let isOpen = open();
  bridge.onConnection((connection) => {
    if (connection !== 'on') return;
    isOpen = isOpen.then((is) => is || open());
    void isOpen.then(() => keptDrafts.flush());
  });
}

applyTheme('system');
const root = createRoot(document.getElementById('root') as HTMLElement);
const host = findHost();
if (host === undefined) {
  const language = languageFrom(undefined, undefined, navigator.language);
  setLanguage(language);
  document.documentElement.lang = language;
  root.render(<NoToken />);
} else {
  const bridge = makeBridge(host);
  const store = createAppStore(bridge, localStorage, navigator.language);
  guardDrafts(keptDrafts, window, bridge.kind === 'browser');
  followDrafts(store, bridge);
  followEngine(store, bridge);
  if (bridge.kind === 'electron') followWantedProject(store, window);
  root.render(
    <StrictMode>
      <AppContext value={{ store, bridge }}>
        <App />
      </AppContext>
    </StrictMode>,
  );
}
