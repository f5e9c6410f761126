/**
 * What every page of ours may do, and that is little: no Node, no other page, no new window, no
 * permission, no webview. Electron's own checklist, which docs/security.md goes through point by
 * point.
 */
import { app, type Session, type WebContents, type WebPreferences } from 'electron';
import { isOurAddress } from './app-address.ts';

export function safePreferences(preload: string): WebPreferences {
  return {
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    spellcheck: false, // it would fetch dictionaries
    devTools: !app.isPackaged,
  };
}

/** For all that is ever made, also by mistake. */
export function guardAllPages(): void {
  app.on('web-contents-created', (_event, contents) => guardPage(contents));
}

function guardPage(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  const stay = (event: { preventDefault(): void; url: string }) => {
    if (!isOurAddress(event.url) || event.url !== contents.getURL()) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(isHarmless(permission)),
  );
  session.setPermissionCheckHandler((_contents, permission) => isHarmless(permission));
  session.setDevicePermissionHandler(() => false);
  // Nothing is fetched but our own pages; the tools for developers bring theirs along.
  session.webRequest.onBeforeRequest((details, answer) => {
    const isHere = isOurAddress(details.url) || /^(?:devtools|data|blob):/.test(details.url);
    answer({ cancel: !isHere });
  });
}

/** A button of ours copies text when it is clicked. */
function isHarmless(permission: string): boolean {
  return permission === 'clipboard-sanitized-write';
}
