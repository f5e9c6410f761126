/**
 * Where the desktop application begins: one instance, the guards before anything is shown, then the
 * tray, then the engine. It ends when the user quits, and takes everything with it.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { app, Menu, session } from 'electron';
import type { Language } from '../core/messages/render.ts';
import { languageOf, placesFrom } from '../core/usecases/host-files.ts';
import { announceProtocol, serveProtocol } from './app-protocol.ts';
import { Application } from './application.ts';
import { CrashReport } from './crash-report.ts';
import { isStartedHidden } from './login-item.ts';
import { ownProgram } from './own-program.ts';
import { guardAllPages, refusePermissions } from './page-guard.ts';
import { textsIn } from './texts.ts';

const TRAY_FIRST_MS = 100;
/** Longer than the engine is waited for. */
const GONE_WITHIN_MS = 75_000;
const PAGES = join(import.meta.dirname, '..', 'renderer');

/**
 * The system's language, where no variable tells it: applications that are started by a click have
 * none.
 */
function environment(): NodeJS.ProcessEnv {
  const { LC_ALL, LC_MESSAGES, LANG, MEMORY_KEEPER_LANG } = process.env;
  const isKnown = Boolean(MEMORY_KEEPER_LANG || LC_ALL || LC_MESSAGES || LANG);
  return isKnown ? process.env : { ...process.env, MEMORY_KEEPER_LANG: app.getLocale() };
}

function language(): Language {
  return languageOf(places, environment());
}

/**
 * Resources and Node.js of a packaged application. A portable copy offers no Node.js: its path may
 * not last.
 */
function packagedParts() {
  const { path, isPortable } = ownProgram(process.env, process.execPath);
  return { resources: process.resourcesPath, runtime: isPortable ? undefined : path };
}

async function openEngine(env: NodeJS.ProcessEnv) {
  // The tray makes itself known by some messages back and forth, which loading the engine would
  // hold up.
  await sleep(TRAY_FIRST_MS);
  const { createEngine } = await import('../core/usecases/engine.ts');
  return createEngine({ env, ...(app.isPackaged && { packaged: packagedParts() }) }).open();
}

function start(): void {
  refusePermissions(session.defaultSession);
  serveProtocol(PAGES);
  const env = environment();
  const application = new Application({
    places,
    engine: openEngine(env),
    language: language(),
    crashReport,
  });
  if (!isStartedHidden()) application.showWindow();
  app.on('second-instance', (_event, args) => {
    if (!args.includes('--hidden')) application.showWindow();
  });
  app.on('activate', () => application.showWindow());
  endWith(application);
  // Without the engine there is nothing to show.
  application.start().catch((error: Error) => crashReport.end(error));
}

/**
 * Quitting waits for the engine; a second request to quit changes nothing. Whatever hangs,
 * the process does not stay.
 */
function endWith(application: Application): void {
  let isEnding = false;
  const endAtLast = () =>
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), GONE_WITHIN_MS).unref();
  app.on('window-all-closed', () => undefined); // the tray stays
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (isEnding) return;
    isEnding = true;
    endAtLast();
    void application.end().finally(() => app.exit(0));
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => app.quit());
}

app.setName('Memory Keeper');
// Whatever Chromium writes, crash reports too, is for this user alone.
process.umask(0o077);
const places = placesFrom();
// Chromium's own files, and the lock of the one instance, are in our folder.
app.setPath('userData', join(places.home, 'electron'));
const crashReport = new CrashReport(places, () => textsIn(language()));

if (app.requestSingleInstanceLock()) {
  announceProtocol();
  guardAllPages();
  // Without one the menu's shortcuts (reload, tools for developers) do nothing; macOS needs it for
  // copy and paste.
  Menu.setApplicationMenu(
    process.platform === 'darwin'
      ? Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }])
      : null,
  );
  // Not awaited here: Electron is ready only once this file has run to its end.
  void app.whenReady().then(start);
} else app.exit(0); // the first one shows its window
