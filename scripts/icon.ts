/** The application's icon: the tray's ring, filled to 70 %. */
import { encodePng } from '../electron/png.ts';
import { type Colour, drawRing } from '../electron/ring.ts';

const TRACK: Colour = [60, 72, 88, 255];
const FILL: Colour = [45, 170, 190, 255];
const FILLED = 0.7;

export function iconPng(size: number): Buffer {
  const colours = { track: TRACK, fill: FILL, number: FILL, dot: FILL, bar: FILL };
  return encodePng(size, drawRing({ size, filled: FILLED, colours, radius: 0.42, width: 0.15 }));
}
