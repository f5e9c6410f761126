import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { message } from '../messages/message.ts';
import { runProgram } from '../platform/process/run-program.ts';
import { compareVersions } from '../platform/text/versions.ts';
import { claudeEnvironment, claudePlaces, findClaude, hasMods } from './find-claude.ts';

/** Something that answers `--version` as Claude Code does. */
function program(path: string, says = '2.1.325 (Claude Code)', code = 0): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] && echo '${says}'\nexit ${code}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe('the claude program', () => {
  it.each([
    '.local/bin/claude',
    '.claude/local/claude',
    '.claude/local/node_modules/.bin/claude',
    '.npm-global/bin/claude',
    '.bun/bin/claude',
    '.nvm/versions/node/v22.11.0/bin/claude',
    '.local/share/fnm/node-versions/v22.11.0/installation/bin/claude',
  ])('G4 is found in ~/%s by an application that has no PATH to speak of', async (place) => {
    const home = join(tempFolder(), '내 집');
    const path = program(join(home, place));
    for (const platform of ['linux', 'darwin'] as const) {
      const env = { HOME: home, PATH: '/bin' };
      const candidates = claudePlaces(platform, env).filter((candidate) =>
        candidate.startsWith(home),
      );
      const found = await findClaude({ env, run: runProgram, platform, candidates });
      expect(found).toEqual({ ok: true, claude: { path, version: '2.1.325' } });
    }
  });

  it('G4 is the one on PATH before any other, and one that does not work is passed over', async () => {
    const home = tempFolder();
    program(join(home, '.local/bin/claude'), '2.1.100 (Claude Code)');
    const broken = program(join(home, 'broken/claude'), 'no licence', 3);
    const path = program(join(home, 'mine/claude'));
    const env = { HOME: home, PATH: `relative:${dirname(broken)}:${dirname(path)}:/bin` };
    expect(await findClaude({ env, run: runProgram })).toEqual({
      ok: true,
      claude: { path, version: '2.1.325' },
    });
  });

  it('G4 that does not run, is a folder or says nothing of use is reported for what it is', async () => {
    const folder = tempFolder();
    const find = (...candidates: string[]) =>
      findClaude({ env: { HOME: folder }, run: runProgram, candidates });
    const silent = program(join(folder, 'silent'), 'hello');
    mkdirSync(join(folder, 'claude'));
    symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
    expect(await find(silent)).toEqual({
      ok: false,
      problem: message('plugin.claudeNoVersion', { path: silent }),
    });
    const none = { ok: false, problem: message('plugin.claudeNotFound') };
    expect(
      await find(
        join(folder, 'claude'),
        join(folder, 'loop'),
        join(folder, 'nowhere'),
        join(silent, 'below'),
      ),
    ).toEqual(none);
  });

  it('G4 takes the newest of several versions of Node.js', () => {
    const home = tempFolder();
    for (const version of ['v9.0.0', 'v22.11.0', 'v20.1.0'])
      mkdirSync(join(home, '.nvm/versions/node', version), { recursive: true });
    const versions = claudePlaces('linux', { HOME: home }).flatMap(
      (path) => /\/(v\d+)[^/]*\/bin\/claude$/.exec(path)?.[1] ?? [],
    );
    expect(versions).toEqual(['v22', 'v20', 'v9']);
  });

  it('G4 on Windows is a program, never the script beside it, which only a shell could run', () => {
    const env = {
      Path: 'C:\\Windows;D:\\도구\\npm',
      USERPROFILE: 'C:\\Users\\김 씨',
      APPDATA: 'C:\\Users\\김 씨\\AppData\\Roaming',
      LOCALAPPDATA: 'C:\\Users\\김 씨\\AppData\\Local',
    };
    const places = claudePlaces('win32', env);
    expect(places.every((path) => path.endsWith('\\claude.exe'))).toBe(true);
    expect(places.indexOf('D:\\도구\\npm\\claude.exe')).toBeLessThan(
      places.indexOf('C:\\Users\\김 씨\\.local\\bin\\claude.exe'),
    );
    expect(places).toContain(
      'D:\\도구\\npm\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe',
    );
    expect(places).toContain(
      'C:\\Users\\김 씨\\AppData\\Roaming\\npm\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe',
    );
    expect(places).toContain(
      'C:\\Users\\김 씨\\AppData\\Local\\Microsoft\\WinGet\\Links\\claude.exe',
    );
    expect(claudeEnvironment('D:\\npm\\claude.exe', env, 'win32').Path).toBe(
      'C:\\Windows;D:\\도구\\npm;D:\\npm',
    );
  });

  it('G4 is asked without an update of itself and without anything sent home, also inside of a session', () => {
    const env = claudeEnvironment(
      '/opt/x/claude',
      { PATH: '/bin', CLAUDECODE: '1', HOME: '/home/kim' },
      'linux',
    );
    expect(env).toEqual({
      PATH: '/bin:/opt/x',
      HOME: '/home/kim',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    });
  });

  it('M16 loads mods from 2.1.287 on', () => {
    const versions = ['2.1.150', '2.1.286', '2.1.287', '2.1.325', '2.2.0', '10.0.0', '1.9.999'];
    expect(versions.filter((version) => hasMods({ path: '', version }))).toEqual([
      '2.1.287',
      '2.1.325',
      '2.2.0',
      '10.0.0',
    ]);
    expect(compareVersions('0.10.0', '0.9.9')).toBeGreaterThan(0);
    expect(compareVersions('1.0', '1.0.0')).toBe(0);
  });
});
