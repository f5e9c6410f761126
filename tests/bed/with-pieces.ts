/**
 * Tests that need more than Node say so. A missing piece skips them with its reason; with CI=true
 * it fails them.
 */
import { describe, inject, it } from 'vitest';
import type { Bed } from './prepare.ts';

type PieceName = keyof Bed;

export function describeWith<P extends PieceName>(
  name: string,
  pieces: readonly P[],
  tests: (paths: Record<P, string>) => void,
): void {
  const bed = inject('bed');
  const reasons = pieces.flatMap((piece) => ('missing' in bed[piece] ? [bed[piece].missing] : []));
  if (reasons.length === 0) {
    const paths = Object.fromEntries(
      pieces.map((piece) => [piece, (bed[piece] as { path: string }).path]),
    );
    describe(name, () => tests(paths as Record<P, string>));
    return;
  }
  const isRequired = process.env.CI === 'true';
  if (!isRequired) process.stderr.write(`skipped: ${name}: ${reasons.join('; ')}\n`);
  it.skipIf(!isRequired)(`${name}: ${reasons.join('; ')}`, () => {
    throw new Error(`CI must have every piece of the test bed: ${reasons.join('; ')}`);
  });
}
