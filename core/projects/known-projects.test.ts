import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { updateMemoryIndex } from '../memory/log/memory-index.ts';
import { knownProjects, rememberProject } from './known-projects.ts';
import { prepareProjectMemory, projectMemory } from './project-memory.ts';

function home() {
  const root = tempFolder();
  const places = { claude: join(root, '.claude'), home: join(root, '.claude', 'memory-keeper') };
  const project = (name: string) => {
    const folder = join(root, name);
    mkdirSync(folder);
    const memory = projectMemory(places, folder);
    prepareProjectMemory(memory);
    updateMemoryIndex(memory, (index) => ({ ...index, toolCount: 1 }));
    return folder;
  };
  return {
    places,
    project,
    names: () => knownProjects(places, { HOME: root }).map(({ root: found }) => found),
  };
}

it('M17 a project is known when Claude Code has removed its transcripts', () => {
  const { places, project, names } = home();
  const [one, other] = [project('one'), project('다른 것')];
  expect(names()).toEqual([]);
  for (const root of [one, other, one]) rememberProject(places, root);
  expect(names()).toEqual([one, other]);
});

it('M17 one whose memory is gone is not listed, and a broken list costs nothing but itself', () => {
  const { places, project, names } = home();
  rememberProject(places, join(places.claude, 'never'));
  expect(names()).toEqual([]);
  writeFileSync(join(places.home, 'known-projects.json'), '{ torn');
  rememberProject(places, project('one'));
  expect(names()).toHaveLength(1);
});
