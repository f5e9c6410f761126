/** A page that crashes again and again is left alone. */
import { expect, it } from 'vitest';
import { ReloadLimit } from './reload-limit.ts';

it('G1 a page is loaded again three times a minute, and again when a minute has passed', () => {
  let now = 0;
  const limit = new ReloadLimit(() => now);
  expect([limit.take(), limit.take(), limit.take(), limit.take()]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  now = 59_999;
  expect(limit.take()).toBe(false);
  now = 60_000;
  expect(limit.take()).toBe(true);
});
