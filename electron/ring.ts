/**
 * Draws the product's sign (G1): a ring that is filled clockwise with a percentage, the number
 * inside where there is room, a dot while a clear is counting down, a bar across when it is paused.
 * What it shows comes in, pixels go out; the tray and the application's icon both come from here.
 */
import { type Covers, numberIn } from './digits.ts';

export type Colour = readonly [number, number, number, number];

export interface RingColours {
  track: Colour;
  fill: Colour;
  number: Colour;
  dot: Colour;
  bar: Colour;
}

export interface RingOptions {
  size: number;
  /** 0 to 1. */
  filled: number;
  colours: RingColours;
  number?: number | undefined;
  hasDot?: boolean;
  hasBar?: boolean;
  /** Share of the size: from the middle to the edge, and how wide the ring is. */
  radius?: number;
  width?: number;
}

const SAMPLES = 5;
const CLEAR: Colour = [0, 0, 0, 0];

/** RGBA, row by row. Each pixel is averaged over some samples, so that the edges are smooth. */
export function drawRing(options: RingOptions): Uint8Array {
  const { size } = options;
  const colourAt = painter(options);
  const pixels = new Uint8Array(size * size * 4);
  for (let index = 0; index < size * size; index++) {
    let [reds, greens, blues, alphas] = [0, 0, 0, 0];
    for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
      const x = (index % size) + ((sample % SAMPLES) + 0.5) / SAMPLES;
      const y = Math.floor(index / size) + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
      const [red, green, blue, alpha] = colourAt(x, y);
      reds += red * alpha;
      greens += green * alpha;
      blues += blue * alpha;
      alphas += alpha;
    }
    if (alphas > 0)
      pixels.set(
        [reds / alphas, greens / alphas, blues / alphas, alphas / SAMPLES ** 2].map(Math.round),
        index * 4,
      );
  }
  return pixels;
}

function painter(options: RingOptions): (x: number, y: number) => Colour {
  const { size, filled, colours } = options;
  const middle = size / 2;
  const outer = size * (options.radius ?? 0.47);
  const inner = outer - (options.width === undefined ? ringWidth(size) : size * options.width);
  const digits =
    options.number === undefined || options.hasBar
      ? undefined
      : numberIn(size, inner, options.number);
  const above = signAbove(options);
  return (x, y) => {
    const sign = above(x, y);
    if (sign !== undefined) return sign;
    const radius = Math.sqrt((x - middle) ** 2 + (y - middle) ** 2);
    if (radius < inner) return digits?.(x, y) ? colours.number : CLEAR;
    if (radius > outer) return CLEAR;
    // clockwise from the top
    const turn = (Math.atan2(x - middle, middle - y) / (2 * Math.PI) + 1) % 1;
    return turn < filled ? colours.fill : colours.track;
  };
}

/**
 * The dot and the bar. What lies on top is set off by a small gap, so that it reads on any ground.
 */
function signAbove({
  size,
  colours,
  hasBar,
  hasDot,
}: RingOptions): (x: number, y: number) => Colour | undefined {
  const signs = [
    ...(hasDot ? [{ ...dotIn(size), colour: colours.dot }] : []),
    ...(hasBar ? [{ ...barAcross(size), colour: colours.bar }] : []),
  ];
  return (x, y) => {
    for (const { covers, gap, colour } of signs) {
      if (covers(x, y)) return colour;
      if (gap(x, y)) return CLEAR;
    }
    return undefined;
  };
}

/** Whole pixels where there are few of them. */
function ringWidth(size: number): number {
  return size < 28 ? Math.max(2, Math.round(size * 0.13)) : size * 0.115;
}

interface Sign {
  covers: Covers;
  gap: Covers;
}

function dotIn(size: number): Sign {
  const radius = Math.max(2.4, size * 0.14);
  const at = size - radius - size * 0.01;
  const within =
    (limit: number): Covers =>
    (x, y) =>
      Math.hypot(x - at, y - at) <= limit;
  return { covers: within(radius), gap: within(radius + Math.max(1, size * 0.055)) };
}

/** From the lower left to the upper right. */
function barAcross(size: number): Sign {
  const half = Math.max(0.9, size * 0.055);
  const within =
    (limit: number, reach: number): Covers =>
    (x, y) =>
      Math.abs(x + y - size) / Math.SQRT2 <= limit && Math.abs(x - y) / Math.SQRT2 <= size * reach;
  return { covers: within(half, 0.54), gap: within(half + Math.max(1, size * 0.055), 0.6) };
}
