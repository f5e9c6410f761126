/** Draws the icon: a ring that is filled clockwise to 70 %, as the tray will show it. Drawn by code, from one source. */
import { crc32, deflateSync } from 'node:zlib';

const TRACK = [60, 72, 88];
const FILL = [45, 170, 190];
const FILLED = 0.7;
const INNER = 0.27;
const OUTER = 0.42;
const SAMPLES = 4;

export function iconPng(size: number): Buffer {
  const rows = Array.from({ length: size }, (_, y) => {
    const row = Buffer.alloc(1 + size * 4); // a filter byte, then RGBA
    for (let x = 0; x < size; x++) row.set(pixel(x, y, size), 1 + x * 4);
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8); // 8 bits, RGBA
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Averaged over a few samples, so that the edges are smooth. */
function pixel(x: number, y: number, size: number): number[] {
  const sum = [0, 0, 0, 0];
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
    const dx = (x + ((sample % SAMPLES) + 0.5) / SAMPLES) / size - 0.5;
    const dy = (y + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / size - 0.5;
    const radius = Math.hypot(dx, dy);
    if (radius < INNER || radius > OUTER) continue;
    const turn = (Math.atan2(dx, -dy) / (2 * Math.PI) + 1) % 1; // clockwise from the top
    for (const [channel, value] of [...(turn <= FILLED ? FILL : TRACK), 255].entries())
      sum[channel] = (sum[channel] ?? 0) + value;
  }
  const covered = (sum[3] ?? 0) / 255;
  return sum.map((value, channel) => Math.round(channel === 3 ? value / SAMPLES ** 2 : value / Math.max(1, covered)));
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
