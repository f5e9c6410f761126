/**
 * Stops all animations before a window is hidden. Chromium goes on drawing what moved at that
 * moment, such as a gauge, sixty times a second until the window is shown again: 5 % of a core.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserWindow } from 'electron';

const STILL = '*, *::before, *::after { animation: none !important; transition: none !important }';
const DRAWN_WITHIN_MS = 300;
const ANSWERED_WITHIN_MS = 2000;

export function restWhileHidden(window: BrowserWindow): void {
  const { webContents } = window;
  let stillness: string | undefined;
  let steps = Promise.resolve();

  const follow = async () => {
    if (window.isVisible() && !window.isMinimized()) {
      if (stillness !== undefined) await answered(webContents.removeInsertedCSS(stillness));
      stillness = undefined;
      return;
    }
    stillness ??= await answered(webContents.insertCSS(STILL));
    webContents.setBackgroundThrottling(false); // else it would not be drawn any more
    await sleep(DRAWN_WITHIN_MS);
    webContents.setBackgroundThrottling(true);
  };
  /** One after the other. A window that has ended meanwhile rests anyway. */
  const onChange = () => {
    steps = steps.then(follow).catch(() => undefined);
  };
  webContents.on('render-process-gone', () => {
    stillness = undefined;
  });
  window.on('hide', onChange).on('minimize', onChange).on('show', onChange).on('restore', onChange);
}

/** A page that has crashed never answers, and is without our rule when it is there again. */
function answered<T>(answer: Promise<T>): Promise<T | undefined> {
  return Promise.race([answer, sleep(ANSWERED_WITHIN_MS, undefined)]);
}
