import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { killedAt } from '../../../tests/bed/simulated-kill.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { foldersIn } from '../../platform/store/places.ts';
import { prepareProjectMemory, projectMemory } from '../../projects/project-memory.ts';
import { changeSetting, readSettings } from '../../settings/settings.ts';
import { updateMemoryIndex } from '../log/memory-index.ts';
import { moveMemory } from './move-memory.ts';

function projectWithMemory() {
  const home = tempFolder();
  const places = { claude: join(home, '.claude'), home: join(home, '.claude', 'memory-keeper') };
  const root = join(home, '내 앱');
  mkdirSync(root);
  const memory = projectMemory(places, root);
  prepareProjectMemory(memory);
  updateMemoryIndex(memory, (index) => ({ ...index, toolCount: 3 }));
  writeFileSync(join(memory.sessions, '2026-11-16_0900.l1.jsonl'), '{"session":"s1"}\n');
  return { places, root, memory };
}

/** Contents by name, of folders that may not be there. */
function wholeFiles(...folders: string[]): Record<string, string> {
  const files = folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('.lock'))
      .map((entry) => join(entry.parentPath, entry.name).slice(dirname(folder).length))
      .map((name) => [name, readFileSync(join(dirname(folder), name), 'utf8')] as const),
  );
  return Object.fromEntries(files);
}

describe('where memory lives', () => {
  it('M1 is in the project, and in the home folder if the user wants that', () => {
    const { places, root, memory } = projectWithMemory();
    expect(memory.folder).toBe(join(root, '.claude', 'memory'));
    changeSetting({ places }, 'storage', 'home');
    const other = projectMemory(places, join(root, '..', 'other'));
    expect(other.folder).toMatch(/memory-keeper[/\\]projects[/\\]other-[0-9a-f]{8}[/\\]memory$/);
  });

  it('M1 what is in one place stays in use there until it is moved, and is not split', () => {
    const { places, root, memory } = projectWithMemory();
    changeSetting({ places }, 'storage', 'home');
    expect(projectMemory(places, root).folder).toBe(memory.folder);
    expect(moveMemory(places, root)).toMatchObject({ isMoved: true, from: memory.folder });
    const moved = projectMemory(places, root);
    expect(moved.folder).toContain(places.home);
    expect(JSON.parse(readFileSync(moved.index, 'utf8')).toolCount).toBe(3);
    expect(readdirSync(moved.sessions)).toContain('2026-11-16_0900.l1.jsonl');
    expect(existsSync(memory.index)).toBe(false);
    expect(moveMemory(places, root)).toEqual({ isMoved: false, folder: moved.folder });
  });

  it("M1 moves back, and the project's own settings go along", () => {
    const { places, root, memory } = projectWithMemory();
    changeSetting({ places, projectRoot: root }, 'saveInterval', 9);
    changeSetting({ places }, 'storage', 'home');
    moveMemory(places, root);
    expect(readSettings(places, root).settings.saveInterval).toBe(9);
    changeSetting({ places }, 'storage', 'project');
    moveMemory(places, root);
    expect(projectMemory(places, root).folder).toBe(memory.folder);
    expect(readSettings(places, root).settings.saveInterval).toBe(9);
  });

  it('M1 M21 a move that is killed at any step loses nothing: each file is whole in one of the places', async () => {
    for (let step = 0, isOver = false; !isOver; step++) {
      const { places, root, memory } = projectWithMemory();
      const before = wholeFiles(memory.folder, memory.sessions);
      changeSetting({ places }, 'storage', 'home');
      const { isKilled } = await killedAt(step, () => moveMemory(places, root));
      isOver = !isKilled;
      const { memory: there, sessions } = foldersIn(places, root, 'home');
      const [here, moved] = [
        wholeFiles(memory.folder, memory.sessions),
        wholeFiles(there, sessions),
      ];
      for (const [name, text] of Object.entries(before))
        expect([here[name], moved[name]], `killed at step ${step}: ${name}`).toContain(text);
    }
  });

  it('is not moved over something else', () => {
    const { places, root, memory } = projectWithMemory();
    changeSetting({ places }, 'storage', 'home');
    const { sessions } = foldersIn(places, root, 'home');
    mkdirSync(sessions, { recursive: true });
    writeFileSync(join(sessions, 'theirs.txt'), 'x');
    expect(() => moveMemory(places, root)).toThrow('store.notEmpty');
    expect(existsSync(memory.index)).toBe(true);
  });

  it('is a setting for all projects', () => {
    const { places, root } = projectWithMemory();
    expect(changeSetting({ places, projectRoot: root }, 'storage', 'home')).toMatchObject({
      ok: false,
    });
  });
});
