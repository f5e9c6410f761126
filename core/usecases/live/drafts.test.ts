/** Text that was not saved, in our own folder (M19): private, bounded, whole after a kill. */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fullFrom, killedAt } from '../../../tests/bed/simulated-kill.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { keepDrafts, openDrafts } from './drafts.ts';

function place() {
  const home = tempFolder();
  return {
    places: { claude: join(home, 'claude'), home },
    folder: join(home, 'drafts', 'browser'),
  };
}

const valuesIn = (places: ReturnType<typeof place>['places']) =>
  openDrafts(places, 'browser').drafts.map(({ value }) => value);

it('M19 are private files, each host its own', () => {
  const { places, folder } = place();
  expect(keepDrafts(places, 'browser', [{ name: 'rules ', value: 'mine' }])).toEqual([]);
  expect(openDrafts(places, 'electron').drafts).toEqual([]);
  expect(valuesIn(places)).toEqual(['mine']);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  expect(statSync(folder).mode & 0o077).toBe(0);
});

it('M19 are bounded: the oldest of very many go, and what is too long leaves no older state behind', () => {
  const { places } = place();
  for (let index = 0; index < 60; index++)
    keepDrafts(places, 'browser', [{ name: `form f${index}`, value: index }], index);
  const left = valuesIn(places);
  expect([left.length, left.includes(9), left.includes(10)]).toEqual([50, false, true]);
  const long = { name: 'form f59', value: 'x'.repeat(1_000_001) };
  expect(keepDrafts(places, 'browser', [long, { name: 'form f58', value: 'y' }])).toEqual([
    long.name,
  ]);
  expect([valuesIn(places).includes(59), valuesIn(places).includes('y')]).toEqual([false, true]);
});

it('M19 strange and torn files break nothing', () => {
  const { places, folder } = place();
  keepDrafts(places, 'browser', [{ name: 'rules ', value: 'mine' }]);
  writeFileSync(join(folder, 'ab.json'), '{torn');
  writeFileSync(join(folder, 'cd.json'), '{"at":"x"}');
  writeFileSync(join(folder, 'told'), 'what?');
  expect(openDrafts(places, 'browser')).toMatchObject({
    isNews: true,
    drafts: [{ value: 'mine' }],
  });
});

it('M19 M21 killed at any step, the old or the new words are there', async () => {
  for (let step = 0, isOver = false; !isOver; step++) {
    const { places } = place();
    keepDrafts(places, 'browser', [{ name: 'rules ', value: 'old' }]);
    const write = () => keepDrafts(places, 'browser', [{ name: 'rules ', value: 'new' }]);
    isOver = !(await killedAt(step, write)).isKilled;
    expect(['old', 'new']).toContain(valuesIn(places)[0]);
  }
});

it('M19 of a full disk it is told that they are not kept', async () => {
  const { places } = place();
  let unkept: string[] = [];
  await fullFrom(0, () => {
    unkept = keepDrafts(places, 'browser', [{ name: 'rules ', value: 'mine' }]);
  });
  expect([unkept, valuesIn(places)]).toEqual([['rules '], []]);
});
