/**
 * Starts the application at login, hidden in the tray, if the user wants it (G1). macOS and
 * Windows have a call for it; on Linux it is a file in the autostart folder, written and removed
 * through the store.
 */
import { join } from 'node:path';
import { app } from 'electron';
import { removeFile, writeFileAtomic } from '../core/usecases/host-files.ts';
import { autostartEntry } from './autostart-entry.ts';
import { ownProgram } from './own-program.ts';

/** Whether to stay in the tray: macOS passes no arguments on, but knows who started us. */
export function isStartedHidden(): boolean {
  if (process.argv.includes('--hidden')) return true;
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

export function setLoginItem(isWanted: boolean): void {
  if (process.platform !== 'linux') {
    const { path } = ownProgram(process.env, process.execPath);
    app.setLoginItemSettings({ openAtLogin: isWanted, path, args: ['--hidden'] });
    return;
  }
  const path = join(
    process.env.XDG_CONFIG_HOME || join(app.getPath('home'), '.config'),
    'autostart',
    'memory-keeper.desktop',
  );
  if (!isWanted) removeFile(path);
  else writeFileAtomic(path, autostartEntry(startCommand()));
}

function startCommand(): string[] {
  if (!app.isPackaged) return [process.execPath, app.getAppPath()];
  return [ownProgram(process.env, process.execPath).path];
}
