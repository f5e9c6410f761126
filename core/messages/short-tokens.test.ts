import { expect, it } from 'vitest';
import { shortTokens } from './short-tokens.ts';

it('G6 tokens are short: a million is 1M, never 1,000k', () => {
  const written = [
    0, 999, 9_140, 10_000, 712_400, 999_499, 999_500, 1_000_000, 1_048_576, 2_000_000,
  ];
  expect(written.map(shortTokens)).toEqual([
    ...['0', '999', '9.1k', '10k', '712k', '999k', '1M', '1M', '1.05M', '2M'],
  ]);
});
