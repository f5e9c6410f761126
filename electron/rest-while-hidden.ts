/**
 * Stops all animations before a window is hidden. Chromium goes on drawing what moved at that
 * moment, such as a gauge, sixty times a second until the window is shown again: 5 % of a core.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserWindow } from 'electron';

const STILL = '*, *::before, *::after { animation: none !important; transition: none !important }';
/** Three frames, of a window that is seen. */
const DRAWN_MS = 50;
const DRAWN_UNSEEN_MS = 300;
const ANSWERED_WITHIN_MS = 2000;

/** Returns the way to hide the window, which draws it still first. */
export function restWhileHidden(window: BrowserWindow): () => void {
  const { webContents } = window;
  let stillness: string | undefined;
  let steps = Promise.resolve();
  /** One after the other. A window that has ended meanwhile rests anyway. */
  const next = (step: () => Promise<void>) => {
    steps = steps.then(step).catch(() => undefined);
  };

  const still = async () => {
    stillness ??= await answered(webContents.insertCSS(STILL));
  };
  const hide = async () => {
    const drawn = still().then(() => sleep(DRAWN_MS));
    await Promise.race([drawn, sleep(DRAWN_UNSEEN_MS)]); // a page that hangs is hidden all the same
    window.hide();
  };
  const follow = async () => {
    if (window.isVisible() && !window.isMinimized()) {
      if (stillness !== undefined) await answered(webContents.removeInsertedCSS(stillness));
      stillness = undefined;
    } else if (stillness === undefined) await stillUnseen();
  };
  /** Minimised: Chromium must draw it once more, and takes it for a window that is seen then. */
  const stillUnseen = async () => {
    await still();
    webContents.setBackgroundThrottling(false);
    await sleep(DRAWN_UNSEEN_MS);
    webContents.setBackgroundThrottling(true);
  };
  const onChange = () => next(follow);
  webContents.on('render-process-gone', () => {
    stillness = undefined;
  });
  window.on('hide', onChange).on('minimize', onChange).on('show', onChange).on('restore', onChange);
  return () => next(hide);
}

/** A page that has crashed never answers, and is without our rule when it is there again. */
function answered<T>(answer: Promise<T>): Promise<T | undefined> {
  return Promise.race([answer, sleep(ANSWERED_WITHIN_MS, undefined)]);
}
