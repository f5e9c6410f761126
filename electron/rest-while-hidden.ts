/**
 * A window that nobody sees draws nothing. Chromium goes on drawing what moved at the moment when a
 * window is hidden, a gauge or the sign of work that goes on, sixty times a second until it is
 * shown again: 5 % of a core. So all is made to stand still first, and drawn so once.
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
