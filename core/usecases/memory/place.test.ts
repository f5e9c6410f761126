import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { linkMemory, refuseOffer, whereMemoryIs } from './place.ts';

function moved() {
  const made = new MadeMemory();
  made.say('s1', { user: 'Hello.' });
  const root = join(made.root, '..', 'moved');
  renameSync(made.root, root);
  return { made, root, where: () => whereMemoryIs(made.places, root) };
}

it('M1 a moved project is told which memory was its own, and has it again when the user says so', () => {
  const { made, root, where } = moved();
  expect(where()).toMatchObject({
    place: null,
    offers: [{ name: 'app', formerRoot: made.root, why: 'moved', sessions: 1 }],
  });
  linkMemory(made.places, root, where().offers[0]?.id ?? '');
  expect(where()).toMatchObject({ place: { root, folder: made.memory.base }, offers: [] });
});

it('M1 a memory that is refused is not offered again', () => {
  const { made, root, where } = moved();
  refuseOffer(made.places, root, where().offers[0]?.id ?? '');
  expect(where().offers).toEqual([]);
});

it('M1 a name that stands for no memory, or for several, is told', () => {
  const { made, root } = moved();
  expect(() => linkMemory(made.places, root, 'nothing')).toThrow('memory.noSuchMemory');
  rmSync(root, { recursive: true });
  mkdirSync(made.root);
  new MadeMemory({ root: join(made.root, '..'), places: made.places }).say('s2', { user: 'Hi.' });
  expect(() => linkMemory(made.places, made.root, 'app')).toThrow('memory.severalMemories');
});
