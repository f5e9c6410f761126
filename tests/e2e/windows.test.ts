/**
 * Hooks on Windows without Git Bash (G8): the plugin's copy as the installer writes it there, and
 * its scripts. `npm run test:windows` runs them under Wine; where that bed is there already, a short
 * part of it is run here too.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeWindowsRuntime } from '../../core/plugin/hook-runtime.ts';
import { copyFolder, holdsAllOf, writeCopy } from '../../core/plugin/plugin-copy.ts';
import { PLUGIN } from '../bed/plugin-bed.ts';
import { tempFolder } from '../bed/temp-folder.ts';
import { preparedWindows } from '../bed/windows/prepare-windows.ts';
import { keepsWhatIsSaid } from './cases/windows-scripts.ts';

const SCRIPTS = ['hooks/run.cmd', 'bin/memory-keeper.cmd'];
const plain = (file: string) => readFileSync(join(PLUGIN, file), 'latin1');

type Hook = { command: string; args?: string[] };

function hooksIn(folder: string): { event: string; matcher?: string; hook: Hook }[] {
  const { hooks } = JSON.parse(readFileSync(join(folder, 'hooks/hooks.json'), 'utf8')) as {
    hooks: Record<string, { matcher?: string; hooks: Hook[] }[]>;
  };
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks: list }) =>
      list.map((hook) => ({ event, ...(matcher && { matcher }), hook })),
    ),
  );
}

describe('the plugin as it is installed on Windows', () => {
  function installed(): string {
    const folder = tempFolder();
    const places = { claude: folder, home: join(folder, 'memory-keeper') };
    writeCopy(places, PLUGIN, 'win32');
    return copyFolder(places);
  }

  it('G8 has every hook, started by cmd in the exec form, and no sh', () => {
    const root = '$' + '{CLAUDE_PLUGIN_ROOT}';
    const wanted = hooksIn(PLUGIN).map(({ hook, ...rest }) => ({
      ...rest,
      hook: {
        ...hook,
        command: 'C:\\Windows\\System32\\cmd.exe',
        args: ['/d', '/c', 'call', `${root}\\hooks\\run.cmd`, hook.command.split(' ').at(-1)],
      },
    }));
    expect(wanted.length).toBeGreaterThan(8);
    const copy = installed();
    expect(hooksIn(copy)).toEqual(wanted);
    const text = readFileSync(join(copy, 'hooks/hooks.json'), 'utf8');
    expect(text).not.toMatch(/\bsh\b/);
    expect(JSON.parse(text).modules).toEqual(['./register.js']);
  });

  it('K8 has the MCP server, started by cmd as the hooks are', () => {
    const copy = installed();
    const { mcpServers } = JSON.parse(readFileSync(join(copy, '.mcp.json'), 'utf8'));
    const root = '$' + '{CLAUDE_PLUGIN_ROOT}';
    expect(mcpServers).toEqual({
      memory: {
        command: 'C:\\Windows\\System32\\cmd.exe',
        args: ['/d', '/c', 'call', `${root}\\hooks\\run.cmd`, 'mcp'],
      },
    });
  });

  it('T7 what an older Claude Code makes of its commands reads no prompt', () => {
    for (const { hook } of hooksIn(installed())) {
      const input = 'touch made\n';
      const { status, stdout } = spawnSync('bash', ['-c', hook.command], {
        input,
        encoding: 'utf8',
        cwd: tempFolder(),
      });
      expect({ status, stdout }).toEqual({ status: 127, stdout: '' });
    }
  });

  it('G4 is the same plugin there, and another one elsewhere', () => {
    const copy = installed();
    expect(holdsAllOf(copy, PLUGIN, 'win32')).toBe(true);
    expect(holdsAllOf(copy, copy, 'win32'), 'its own command line carries itself').toBe(true);
    expect(holdsAllOf(copy, PLUGIN, 'linux')).toBe(false);
  });

  it('G8 its mod starts the same script, wherever the user’s folder is', async () => {
    const { register } = await import(join(PLUGIN, 'hooks/register.js'));
    const started: string[][] = [];
    for (const root of [
      'C:\\Users\\내 이름\\plugin',
      'C:/Users/x/plugin',
      '\\\\server\\home\\plugin',
      '/home/x/plugin',
    ]) {
      const handlers = new Map<string, (...args: unknown[]) => Promise<unknown>>();
      register((name: string, handler: () => Promise<unknown>) => handlers.set(name, handler));
      let later: Promise<void> = Promise.resolve();
      const $ = {
        plugin: { root },
        session: {
          id: async () => 's1',
          root: async () => root,
          model: async () => '',
          usage: async () => ({ context: {} }),
        },
        clock: {
          after: (_: number, action: () => Promise<void>) => {
            later = action();
          },
        },
        process: {
          run: async (argv: string[]) => {
            started.push(argv);
            return { stdout: '{}' };
          },
        },
      };
      await handlers.get('turn.complete')?.($, {}, async () => undefined);
      await later;
    }
    const byCmd = (path: string) => ['cmd', '/d', '/c', 'call', path, 'mod'];
    expect(started).toEqual([
      byCmd('C:\\Users\\내 이름\\plugin\\hooks\\run.cmd'),
      byCmd('C:\\Users\\x\\plugin\\hooks\\run.cmd'),
      byCmd('\\\\server\\home\\plugin\\hooks\\run.cmd'),
      ['sh', '/home/x/plugin/hooks/run.sh', 'mod'],
    ]);
  });

  it('G8 the app’s own runtime is named so that cmd reads it on every machine', () => {
    const folder = tempFolder();
    writeWindowsRuntime(
      { claude: folder, home: folder },
      'C:\\Users\\내 이름\\AppData\\Local\\Programs\\Memory Keeper\\50%.exe',
      {
        LOCALAPPDATA: 'C:\\Users\\내 이름\\AppData\\Local',
        USERPROFILE: 'C:\\Users\\내 이름',
      },
    );
    const text = readFileSync(join(folder, 'runtime.cmd'), 'utf8');
    expect(text).toContain('\r\n@"%LOCALAPPDATA%\\Programs\\Memory Keeper\\50%%.exe" %*\r\n');
    expect(text).toMatch(/^[\x20-\x7e\r\n]*$/);
  });

  it.each(SCRIPTS)(
    'G8 cmd reads %s on every machine: ASCII, its own line ends, no label that is missing',
    (file) => {
      const text = plain(file);
      expect(text).toMatch(/^(?:[\x20-\x7e]*\r\n)+$/);
      const labels = new Set([...text.matchAll(/^:(\w+)/gm)].map(([, name]) => name));
      const wanted = [...text.matchAll(/\bgoto (\w+)|\bcall :(\w+)|"next=(\w+)"/g)].map(
        ([, a, b, c]) => a ?? b ?? c,
      );
      expect(wanted.filter((name) => !labels.has(name))).toEqual([]);
    },
  );
});

const bed = preparedWindows();
if (bed === undefined)
  process.stderr.write('skipped: Windows under Wine: npm run test:windows prepares it\n');
else describe('Windows under Wine, a short part', () => keepsWhatIsSaid(bed));
