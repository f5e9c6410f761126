/**
 * Where the window was when it was last seen: size and place, in window.json of our own folder.
 * What comes back is always visible: a screen that is gone or smaller now moves the window onto one
 * that is there.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { attempt } from '../core/platform/store/attempt.ts';
import {
  type DocumentKind,
  readDocument,
  updateDocument,
} from '../core/platform/store/document.ts';
import type { Places } from '../core/platform/store/places.ts';

export const SMALLEST = { width: 720, height: 480 };
const USUAL = { width: 1080, height: 720 };
/** So much of it must be on a screen to be taken hold of. */
const GRIP = 120;

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface WindowPlace {
  bounds?: Rectangle | undefined;
  isMaximized?: boolean | undefined;
}

const number = v.pipe(v.number(), v.integer());
const placeFile: DocumentKind<WindowPlace> = {
  version: 1,
  schema: v.looseObject({
    bounds: v.fallback(
      v.optional(v.object({ x: number, y: number, width: number, height: number })),
      undefined,
    ),
    isMaximized: v.fallback(v.optional(v.boolean()), undefined),
  }) as v.GenericSchema<unknown, WindowPlace>,
  empty: () => ({}),
};

export function readWindowPlace(places: Places): WindowPlace {
  const reading = readDocument(placePath(places), placeFile);
  return reading.state === 'ok' ? reading.value : {};
}

/** A place that cannot be kept is not worth a word. */
export function keepWindowPlace(places: Places, place: WindowPlace): void {
  attempt(
    () => updateDocument(placePath(places), placeFile, (known) => ({ ...known, ...place })),
    undefined,
  );
}

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

function placePath({ home }: Places): string {
  return join(home, 'window.json');
}
