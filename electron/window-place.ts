/**
 * Where to show the window, from where it was last seen: always visible, also if that screen is gone
 * or smaller now.
 */
import type { WindowPlace } from '../core/usecases/host-files.ts';

export const SMALLEST = { width: 720, height: 480 };
const USUAL = { width: 1080, height: 720 };
/** So much of it must be on a screen to be taken hold of. */
const GRIP = 120;

export type Rectangle = NonNullable<WindowPlace['bounds']>;

/** Without x and y the system chooses the place. */
export function visibleBounds(
  wanted: Rectangle | undefined,
  screens: readonly Rectangle[],
): Partial<Rectangle> & typeof USUAL {
  if (wanted === undefined) return USUAL;
  const screen = screens.find((area) => overlap(wanted, area) >= GRIP);
  const size = {
    width: Math.max(
      SMALLEST.width,
      Math.min(wanted.width, (screen ?? screens[0])?.width ?? USUAL.width),
    ),
    height: Math.max(
      SMALLEST.height,
      Math.min(wanted.height, (screen ?? screens[0])?.height ?? USUAL.height),
    ),
  };
  return screen === undefined ? size : { ...size, x: wanted.x, y: Math.max(wanted.y, screen.y) };
}

/** The shorter side of what lies on the screen. */
function overlap(one: Rectangle, other: Rectangle): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.min(width, height);
}
