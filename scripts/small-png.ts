/**
 * A picture of a window in fewer bytes: a PNG of RGB pixels comes in, one of at most 256 colours
 * goes out. The most frequent colours stay as they are, so surfaces and texts keep theirs; what is
 * between two of them (the edges of letters) becomes the nearest.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLOURS = 256;
const FREQUENT_COLOURS = 64;
const RGB = 2;
const CHANNELS = 3;

export function smallPng(png: Buffer): Buffer {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  // not as Chromium makes them
  if (header === undefined || header[8] !== 8 || header[9] !== RGB) return png;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const raw = inflateSync(
    Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)),
  );
  const pixels = unfiltered(raw, width, height);
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += CHANNELS) {
    const colour = pixels.readUIntBE(at, CHANNELS);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const kept = paletteOf(counts);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(kept, colour)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rows[y * (width + 1) + 1 + x] =
        places.get(pixels.readUIntBE((y * width + x) * CHANNELS, CHANNELS)) ?? 0;
  const colours = Buffer.alloc(kept.length * CHANNELS);
  for (const [place, colour] of kept.entries())
    colours.writeUIntBE(colour, place * CHANNELS, CHANNELS);
  const paletteHeader = Buffer.from(header);
  paletteHeader[9] = 3; // by palette
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', paletteHeader),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * The most frequent ones, then always the one whose pixels would be farthest from what is kept: a
 * little red mark stays red.
 */
function paletteOf(counts: ReadonlyMap<number, number>): number[] {
  const byCount = [...counts].sort(([, a], [, b]) => b - a);
  const kept = byCount.slice(0, FREQUENT_COLOURS).map(([colour]) => colour);
  const rest = byCount.slice(FREQUENT_COLOURS).map(([colour, count]) => {
    return { colour, count, far: distance(colour, kept[nearest(kept, colour)] ?? 0) };
  });
  while (kept.length < MOST_COLOURS && rest.length > 0) {
    const worst = rest.reduce((most, one) =>
      one.far * one.count > most.far * most.count ? one : most,
    );
    if (worst.far === 0) break;
    kept.push(worst.colour);
    for (const one of rest) one.far = Math.min(one.far, distance(one.colour, worst.colour));
  }
  return kept;
}

function nearest(kept: readonly number[], colour: number): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [place, other] of kept.entries()) {
    const far = distance(colour, other);
    if (far < least) [best, least] = [place, far];
  }
  return best;
}

function distance(one: number, other: number): number {
  const apart = (shift: number) => ((one >> shift) & 255) - ((other >> shift) & 255);
  return apart(16) ** 2 + apart(8) ** 2 + apart(0) ** 2;
}

/**
 * Each row says how it is told by what stands left of it and above it (PNG, filter types 0 to 4).
 */
function unfiltered(raw: Buffer, width: number, height: number): Buffer {
  const stride = width * CHANNELS;
  // With a row above the first and a pixel left of each, both of nothing.
  const padded = stride + CHANNELS;
  const pixels = Buffer.alloc((height + 1) * padded);
  const value = (at: number) => pixels[at] as number;
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] as number;
    for (let x = 0; x < stride; x++) {
      const at = (y + 1) * padded + CHANNELS + x;
      const [left, above, corner] = [
        value(at - CHANNELS),
        value(at - padded),
        value(at - padded - CHANNELS),
      ];
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][
        filter
      ] as number;
      pixels[at] = (raw[y * (stride + 1) + 1 + x] as number) + guess;
    }
  }
  const rows = Array.from({ length: height }, (_, y) =>
    pixels.subarray((y + 1) * padded + CHANNELS, (y + 2) * padded),
  );
  return Buffer.concat(rows);
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((value) =>
    Math.abs(guess - value),
  ) as [number, number, number];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
