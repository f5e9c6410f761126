import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { changeSetting } from './settings.ts';
import { SettingsCache } from './settings-cache.ts';

function scene() {
  const root = tempFolder();
  const project = join(root, 'project');
  mkdirSync(project);
  const places = { claude: root, home: join(root, 'memory-keeper') };
  let now = 0;
  const cache = new SettingsCache(places, () => now);
  return {
    cache,
    project,
    changeUser: (warn: number) => changeSetting({ places }, 'thresholds.warn', warn),
    changeProject: (warn: number) =>
      changeSetting({ places, projectRoot: project }, 'thresholds.warn', warn),
    later: (ms: number) => {
      now += ms;
    },
    warn: () => cache.readAll([project]).get(project)?.settings.thresholds.warn,
  };
}

it('C4 what did not change is not read again', () => {
  const { cache, project } = scene();
  const first = cache.readAll([project]).get(project);
  expect(cache.readAll([project]).get(project)).toBe(first);
});

it('C4 a change of either file counts at the next reading', () => {
  const { warn, changeUser, changeProject, later } = scene();
  changeUser(60);
  expect(warn()).toEqual({ percent: 60 });
  changeUser(61);
  expect(warn()).toEqual({ percent: 61 });
  changeProject(50);
  later(10_000); // the project had no place before
  expect(warn()).toEqual({ percent: 50 });
  changeProject(51);
  expect(warn()).toEqual({ percent: 51 });
});
