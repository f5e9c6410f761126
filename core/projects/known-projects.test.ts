import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { updateMemoryIndex } from '../memory/log/memory-index.ts';
import { knownProjects } from './known-projects.ts';
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
    return memory;
  };
  return { places, project, names: () => knownProjects(places).map(({ name }) => name) };
}

it('M17 a project is known when its checkout and its transcripts are gone', () => {
  const { project, names } = home();
  const [one] = [project('one'), project('다른 것')];
  rmSync(one.root, { recursive: true });
  expect(names().sort()).toEqual(['one', '다른 것'].sort());
});

it('M17 one without a memory is not listed, and what else lies there does no harm', () => {
  const { places, project, names } = home();
  const one = project('one');
  writeFileSync(join(places.home, 'projects', 'notes.txt'), '');
  mkdirSync(join(places.home, 'projects', 'empty'));
  expect(names()).toEqual(['one']);
  rmSync(one.index);
  expect(names()).toEqual([]);
});
