import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempInMemory } from './temp-in-memory.ts';

it('neither a folder on a disk nor one that is not there is taken for memory', () => {
  expect(tempInMemory(import.meta.dirname)).toBeUndefined();
  expect(tempInMemory(join(import.meta.dirname, 'nowhere'))).toBeUndefined();
});
