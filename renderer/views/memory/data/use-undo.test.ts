import { expect, it } from 'vitest';
import { offerOf } from './use-undo.ts';

it('M19 what was saved and changed nothing offers no Undo, for there is nothing to take back', () => {
  const run = () => undefined;
  expect(offerOf(-1, run)).toBeUndefined();
  expect(offerOf(0, run)).toEqual({ label: 'Undo', run });
});
