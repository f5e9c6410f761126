/**
 * The figures inside the tray's ring: small ones as pixels, which stay crisp where a smooth line
 * would blur; large ones as lines of some width. A number and a place to put it come in; which
 * points it covers goes out.
 */

/** Whether a point of the picture, in pixels, is covered. */
export type Covers = (x: number, y: number) => boolean;

/** Three by five pixels each, a row a digit of octal: 7 is all three. */
const SMALL = [
  '75557',
  '26227',
  '71747',
  '71317',
  '55711',
  '74717',
  '74757',
  '71122',
  '75757',
  '75717',
];
/** Four by seven pixels each, a row a hexadecimal digit. */
const MIDDLE = [
  '6999996',
  '26a2222',
  '691248f',
  'e11611e',
  '2266af2',
  'f88e11e',
  '688e996',
  'f112244',
  '6996996',
  '6997116',
];

/** Corner points of each figure in a box of four by seven; a jump begins a new line. */
const LINES: [number, number][][][] = [
  [
    [
      [2, 0.4],
      [3.1, 0.8],
      [3.6, 2.2],
      [3.6, 4.8],
      [3.1, 6.2],
      [2, 6.6],
      [0.9, 6.2],
      [0.4, 4.8],
      [0.4, 2.2],
      [0.9, 0.8],
      [2, 0.4],
    ],
  ],
  [
    [
      [0.8, 1.7],
      [2.3, 0.5],
      [2.3, 6.6],
    ],
  ],
  [
    [
      [0.5, 1.9],
      [0.9, 0.8],
      [2, 0.4],
      [3.1, 0.8],
      [3.5, 1.9],
      [3.1, 3],
      [0.5, 6.5],
      [3.6, 6.5],
    ],
  ],
  [
    [
      [0.5, 0.5],
      [3.4, 0.5],
      [1.8, 2.9],
      [2.9, 3.3],
      [3.6, 4.6],
      [3.1, 6],
      [2, 6.6],
      [0.9, 6.3],
      [0.4, 5.5],
    ],
  ],
  [
    [
      [2.9, 6.6],
      [2.9, 0.5],
      [0.4, 4.7],
      [3.8, 4.7],
    ],
  ],
  [
    [
      [3.4, 0.5],
      [0.8, 0.5],
      [0.6, 3.2],
      [1.9, 2.7],
      [3.1, 3.2],
      [3.6, 4.5],
      [3.1, 6],
      [1.9, 6.6],
      [0.4, 5.9],
    ],
  ],
  [
    [
      [3, 0.4],
      [1.4, 1.9],
      [0.5, 4],
      [0.5, 5],
      [1, 6.2],
      [2, 6.6],
      [3.1, 6.2],
      [3.6, 4.8],
      [3.1, 3.5],
      [2, 3],
      [1, 3.5],
      [0.5, 4.6],
    ],
  ],
  [
    [
      [0.5, 0.5],
      [3.6, 0.5],
      [1.5, 6.6],
    ],
  ],
  [
    [
      [2, 0.4],
      [3.1, 0.9],
      [3.3, 1.9],
      [2.8, 2.9],
      [2, 3.3],
      [1.2, 2.9],
      [0.7, 1.9],
      [0.9, 0.9],
      [2, 0.4],
    ],
    [
      [2, 3.3],
      [3.1, 3.8],
      [3.6, 4.9],
      [3.1, 6.1],
      [2, 6.6],
      [0.9, 6.1],
      [0.4, 4.9],
      [0.9, 3.8],
      [2, 3.3],
    ],
  ],
  [
    [
      [1, 6.6],
      [2.6, 5.1],
      [3.5, 3],
      [3.5, 2],
      [3, 0.8],
      [2, 0.4],
      [0.9, 0.8],
      [0.4, 2.2],
      [0.9, 3.5],
      [2, 4],
      [3, 3.5],
      [3.5, 2.4],
    ],
  ],
];

/**
 * The number in the middle of a square, or undefined where it would not fit into the circle that is
 * left free.
 */
export function numberIn(size: number, radius: number, value: number): Covers | undefined {
  const digits = [...String(value)].map(Number);
  return size < 28 ? pixelNumber(size, radius, digits) : lineNumber(size, radius, digits);
}

function pixelNumber(size: number, radius: number, digits: number[]): Covers | undefined {
  const fonts = [
    { width: 4, height: 7, rows: MIDDLE, base: 16 },
    { width: 3, height: 5, rows: SMALL, base: 8 },
  ];
  const font = fonts.find(({ width, height }) =>
    fits(digits.length * (width + 1) - 1, height, radius),
  );
  if (font === undefined) return undefined;
  const left = Math.round((size - (digits.length * (font.width + 1) - 1)) / 2);
  const top = Math.round((size - font.height) / 2);
  return (x, y) => {
    const [column, row] = [Math.floor(x) - left, Math.floor(y) - top];
    const digit = digits[Math.floor(column / (font.width + 1))];
    const bits = Number.parseInt(font.rows[digit ?? -1]?.[row] ?? '0', font.base);
    const bit = column % (font.width + 1);
    return column >= 0 && bit < font.width && ((bits >> (font.width - 1 - bit)) & 1) === 1;
  };
}

function lineNumber(size: number, radius: number, digits: number[]): Covers {
  const [advance, gap] = [4, 1.1];
  const wide = digits.length * (advance + gap) - gap;
  // one figure is not larger than two
  const scale = (radius * 0.86) / Math.hypot(Math.max(wide, 2 * advance + gap) / 2, 3.5);
  const [left, top] = [size / 2 - (wide * scale) / 2, size / 2 - 3.5 * scale];
  const half = Math.max(0.8, scale * 0.48);
  const within = half / scale;
  return (x, y) => {
    const across = (x - left) / scale;
    // a line is never wider than half the gap
    const index = Math.floor((across + gap / 2) / (advance + gap));
    const line = LINES[digits[index] ?? -1];
    return (
      line?.some((part) =>
        isNear(part, across - index * (advance + gap), (y - top) / scale, within),
      ) ?? false
    );
  };
}

function fits(width: number, height: number, radius: number): boolean {
  return Math.hypot(width / 2, height / 2) <= radius - 0.5;
}

function isNear(line: [number, number][], x: number, y: number, within: number): boolean {
  for (let index = 1; index < line.length; index++) {
    const [fromX, fromY] = line[index - 1] as [number, number];
    const [toX, toY] = line[index] as [number, number];
    const [dx, dy] = [toX - fromX, toY - fromY];
    const along = Math.min(
      1,
      Math.max(0, ((x - fromX) * dx + (y - fromY) * dy) / (dx * dx + dy * dy)),
    );
    if ((x - fromX - along * dx) ** 2 + (y - fromY - along * dy) ** 2 <= within * within)
      return true;
  }
  return false;
}
