import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { join, relative, resolve } from './quick-path.ts';

const PARTS = [
  '/',
  '/home/kim',
  '/a//b',
  'a',
  'a b',
  '한글',
  '.',
  '..',
  '',
  '.hidden',
  '...',
  'a/',
  './a',
  '../a',
  '/a/./b',
  '/a/..',
  'a/../b',
];

describe('quick paths', () => {
  it('G8 are what node makes of them, whatever is put together', () => {
    for (const first of PARTS)
      for (const second of PARTS) {
        expect(resolve(first)).toBe(path.resolve(first));
        expect(resolve(first, second)).toBe(path.resolve(first, second));
        expect(join(first, second)).toBe(path.join(first, second));
        expect(relative(first, second)).toBe(path.relative(first, second));
        for (const third of PARTS)
          expect(join(first, second, third)).toBe(path.join(first, second, third));
      }
  });
});
