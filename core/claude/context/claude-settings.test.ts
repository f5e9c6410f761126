import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { ClaudeSettings } from './claude-settings.ts';

function scene() {
  const root = tempFolder();
  const places = { claude: join(root, '.claude'), home: join(root, '.claude/memory-keeper') };
  const project = join(root, 'app');
  const managed = join(root, 'managed');
  for (const folder of [places.claude, join(project, '.claude'), managed])
    mkdirSync(folder, { recursive: true });
  const settings = new ClaudeSettings(places, managed);
  const windows = () =>
    settings
      .filesFor(project)
      .map(({ scope, settings: { autoCompactWindow } }) => `${scope} ${autoCompactWindow}`);
  const file = (path: string, text: string) => writeFileSync(join(root, path), text);
  return { root, project, settings, windows, file };
}

describe("Claude Code's settings", () => {
  it('K5 are all the files that it obeys, from the weakest to the strongest', () => {
    const { windows, file, root } = scene();
    expect(windows()).toEqual([]);
    mkdirSync(join(root, 'managed/managed-settings.d'));
    const paths = [
      '.claude.json',
      '.claude/settings.json',
      'app/.claude/settings.json',
      'app/.claude/settings.local.json',
      'managed/managed-settings.json',
      'managed/managed-settings.d/10-more.json',
    ];
    for (const [at, path] of paths.entries()) file(path, `\uFEFF{"autoCompactWindow": ${at}}`);
    expect(windows()).toEqual([
      'global 0',
      'user 1',
      'project 2',
      'local 3',
      'managed 4',
      'managed 5',
    ]);
  });

  it('K5 are read again when they change, come or go', () => {
    const { windows, file, root } = scene();
    file('.claude/settings.json', '{"autoCompactWindow": 1}');
    expect(windows()).toEqual(['user 1']);
    file('.claude/settings.json', '{"autoCompactWindow": 22}');
    expect(windows()).toEqual(['user 22']);
    rmSync(join(root, '.claude/settings.json'));
    expect(windows()).toEqual([]);
  });

  it.each([
    '{ // mine\n "autoCompactWindow": 1 }',
    '{"autoCompactWindow": 1, "autoCompactEnabled": "no"}',
    '[]',
    '',
    '{"half": ',
  ])('K5 a file that it does not load counts for nothing: %j', (text) => {
    const { windows, file } = scene();
    file('.claude/settings.json', text);
    expect(windows()).toEqual([]);
  });

  it('K5 T4 what a repository plants in their place is not opened', () => {
    const { windows, file, root, project } = scene();
    const planted = join(project, '.claude/settings.json');
    file('secret.json', '{"autoCompactWindow": 1}');
    symlinkSync(join(root, 'secret.json'), planted);
    expect(windows()).toEqual([]);
    rmSync(planted);
    execFileSync('mkfifo', [planted]); // opening it would wait for ever
    expect(windows()).toEqual([]);
    rmSync(planted);
    mkdirSync(planted);
    expect(windows()).toEqual([]);
    rmSync(planted, { recursive: true });
    file('app/.claude/settings.json', `{"autoCompactWindow": 1, "x": "${'x'.repeat(5_000_000)}"}`);
    expect(windows()).toEqual([]);
    rmSync(join(project, '.claude'), { recursive: true });
    file('app/.claude', 'a file in the place of the folder');
    expect(windows()).toEqual([]);
  });
});
