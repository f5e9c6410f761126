/**
 * Tests that need more than Node say so. A missing piece skips them with its reason; with CI=true
 * it fails them.
 */
import { describe, inject, it } from 'vitest';
import type { Bed, Piece, PieceName } from './prepare.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What the chosen files of tests name. */
    bed: Partial<Bed>;
  }
}

export function pieceOf(name: PieceName): Piece {
  const piece = inject('bed')?.[name];
  if (piece !== undefined) return piece;
  throw new Error(
    `no ${name} was prepared: start by npm test, and name it in the file of the test`,
  );
}

export function describeWith<P extends PieceName>(
  name: string,
  pieces: readonly P[],
  tests: (paths: Record<P, string>) => void,
): void {
  const found = pieces.map((piece) => [piece, pieceOf(piece)] as const);
  const reasons = found.flatMap(([, piece]) => ('missing' in piece ? [piece.missing] : []));
  if (reasons.length === 0) {
    const paths = found.map(([piece, place]) => [piece, (place as { path: string }).path]);
    describe(name, () => tests(Object.fromEntries(paths)));
    return;
  }
  const isRequired = process.env.CI === 'true';
  if (!isRequired) process.stderr.write(`skipped: ${name}: ${reasons.join('; ')}\n`);
  it.skipIf(!isRequired)(`${name}: ${reasons.join('; ')}`, () => {
    throw new Error(`CI must have every piece of the test bed: ${reasons.join('; ')}`);
  });
}
