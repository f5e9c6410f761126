/**
 * Opens the application for a benchmark, in either host, and has the scene end it; or its Electron
 * alone, on a desktop of its own.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HostKind, type OpenApp, openApp } from '../tests/bed/app-bed.ts';
import { ElectronDesktop } from '../tests/bed/electron-bed.ts';
import { type Bed, type Piece, prepareBed } from '../tests/bed/prepare.ts';
import { builtCli } from './built-cli.ts';
import { NotRun } from './harness.ts';
import type { Scene } from './scene.ts';

type Tell = (progress: string) => void;

const DESKTOP = ['electron', 'Xvfb', 'openbox', 'xprop', 'xdotool', 'dbus-daemon'] as const;

export async function openHost(
  scene: Scene,
  kind: HostKind,
  env: NodeJS.ProcessEnv,
  tell: Tell,
): Promise<OpenApp> {
  builtCli();
  const bed = await prepareBed(['chromium', ...DESKTOP], tell);
  scene.assertOn();
  const app = await openApp(kind, env, {
    chromium: pathOf(bed, 'chromium'),
    electron: pathOf(bed, 'electron'),
  });
  let isOpen = true;
  const stop = async () => {
    if (isOpen) await app.stop();
    isOpen = false;
  };
  scene.atEnd(stop);
  return { ...app, stop };
}

/** A desktop with a tray, on which applications can be started. */
export async function openDesktop(scene: Scene, tell: Tell): Promise<ElectronDesktop> {
  builtCli();
  const bed = await prepareBed(DESKTOP, tell);
  for (const piece of DESKTOP) pathOf(bed, piece);
  scene.assertOn();
  const desktop = await ElectronDesktop.start(pathOf(bed, 'electron'));
  scene.atEnd(() => desktop.remove());
  return desktop;
}

/**
 * The least that Electron can be with an icon in the tray: what everything of ours is measured
 * against.
 */
export function emptyApplication(scene: Scene): string {
  const folder = join(scene.folder(), 'empty');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'empty', version: '1.0.0', main: 'main.cjs' }),
  );
  writeFileSync(
    join(folder, 'main.cjs'),
    `const { app, Tray, nativeImage } = require('electron');
let tray;
app.on('window-all-closed', () => undefined);
app.whenReady().then(() => {
  const dot = Buffer.alloc(16 * 16 * 4, 255);
  tray = new Tray(nativeImage.createFromBitmap(dot, { width: 16, height: 16 }));
});
`,
  );
  return folder;
}

function pathOf<P extends keyof Bed>(bed: Pick<Bed, P>, name: P): string {
  const piece: Piece = bed[name];
  if ('missing' in piece) throw new NotRun(piece.missing);
  return piece.path;
}
