/**
 * Where the countdown's window stands: in the corner that the tray is in, as far as the screen
 * tells, large enough for its lines.
 */
import type { Rectangle } from './window-place.ts';

const WIDTH = 372;
const HEAD = 20;
/** Of each session; the page has the same in countdown.css. */
const LINE = 118;
const MOST_LINES = 4;
const MARGIN = 12;

/** `screen` is all of it, `free` what panels leave. */
export function countdownBounds(
  count: number,
  screen: Rectangle,
  free: Rectangle,
  platform: NodeJS.Platform,
): Rectangle {
  const height = Math.min(HEAD + LINE * Math.min(count, MOST_LINES), free.height - 2 * MARGIN);
  const hasPanelBelow = free.y + free.height < screen.y + screen.height;
  const isBelow = platform === 'win32' || (platform === 'linux' && hasPanelBelow);
  const y = isBelow ? free.y + free.height - height - MARGIN : free.y + MARGIN;
  return { x: free.x + free.width - WIDTH - MARGIN, y, width: WIDTH, height };
}
