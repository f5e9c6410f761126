import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import type { RunProgram } from '../platform/process/run-program.ts';
import { placesFrom } from '../platform/store/places.ts';
import { installPlugin, uninstallPlugin } from './install.ts';
import { turnOnLongTurns } from './long-turns.ts';
import { PLUGIN_ID } from './plugin-copy.ts';
import type { PluginOptions } from './plugin-status.ts';

const SETTINGS = '{"model":"opus","permissions":{"allow":["x"]}}';

/**
 * A CLI that may do harm to settings.json when it is told to change something, and may fail at it.
 */
class Scene {
  readonly home = tempFolder();
  readonly env = { HOME: this.home };
  readonly places = placesFrom(this.env);
  readonly settings = join(this.places.claude, 'settings.json');
  readonly kept = join(this.places.home, 'settings.json.before');
  readonly options: PluginOptions;

  constructor(harm: (settings: string) => void, isFailing: boolean) {
    mkdirSync(this.places.home, { recursive: true });
    writeFileSync(this.settings, SETTINGS);
    const bundledPlugin = join(this.home, 'plugin');
    mkdirSync(join(bundledPlugin, '.claude-plugin'), { recursive: true });
    writeFileSync(
      join(bundledPlugin, '.claude-plugin', 'plugin.json'),
      '{"name":"memory-keeper","version":"1.0.0"}',
    );
    const run: RunProgram = async (_, args) => {
      if (args[0] === '--version') return { ok: true, stdout: '2.1.325', reason: '' };
      const isChange = args.includes('install') || args.includes('uninstall');
      if (isChange) harm(this.settings);
      if (isChange && isFailing) return { ok: false, stdout: '', reason: 'claude did not answer' };
      const listed = [
        { id: PLUGIN_ID, version: '1.0.0', enabled: true, installPath: bundledPlugin },
      ];
      return {
        ok: true,
        stdout: JSON.stringify(args.includes('marketplace') ? [] : listed),
        reason: '',
      };
    };
    this.options = {
      places: this.places,
      env: this.env,
      run,
      bundledPlugin,
      candidates: ['/bin/true'],
    };
  }
}

describe('settings.json of Claude Code', () => {
  const tear = (path: string) => writeFileSync(path, '{"model":"op');

  it.each([
    ['torn', tear, 'plugin.settingsDamaged'],
    ['removed', (path: string) => rmSync(path), 'plugin.settingsGone'],
  ])(
    'G4 %s by a command that fails then: what was in it is kept, and reported before why it failed',
    async (_, harm, code) => {
      for (const change of [installPlugin, uninstallPlugin]) {
        const scene = new Scene(harm, true);
        await expect(change(scene.options)).rejects.toMatchObject({
          reason: {
            code: 'plugin.lines',
            values: {
              lines: [
                { code, values: { kept: scene.kept } },
                { code: 'plugin.commandFailed', values: { reason: 'claude did not answer' } },
              ],
            },
          },
        });
        expect(readFileSync(scene.kept, 'utf8')).toBe(SETTINGS);
      }
    },
  );

  it('G4 torn by a command that says it went well: what was in it is kept and reported', async () => {
    const scene = new Scene(tear, false);
    await expect(uninstallPlugin(scene.options)).rejects.toThrow('plugin.settingsDamaged');
    expect(readFileSync(scene.kept, 'utf8')).toBe(SETTINGS);
  });

  it('K6 G4 has what the user had once the plugin is gone, and the user is told', async () => {
    const scene = new Scene(() => undefined, false);
    turnOnLongTurns(scene.options);
    expect(readFileSync(scene.settings, 'utf8')).toContain('"autoCompactWindow": 833000');
    const { notes } = await uninstallPlugin(scene.options);
    expect(readFileSync(scene.settings, 'utf8')).toBe(SETTINGS);
    expect(notes?.[0]).toMatchObject({ code: 'longTurns.removed' });
  });

  it('G4 whole after a command that failed: nothing is said of it', async () => {
    const scene = new Scene(() => undefined, true);
    await expect(installPlugin(scene.options)).rejects.toThrow(
      /^(?!.*settings\.json).*claude did not answer/s,
    );
    expect(existsSync(scene.kept)).toBe(false);
  });
});
