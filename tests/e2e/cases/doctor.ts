/** The doctor with the real CLI (G4): it finds the plugin missing, and tells of others. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Finding } from '../../../core/doctor/finding.ts';
import { doctor, findings } from '../../bed/doctor.ts';
import { PluginBed } from '../../bed/plugin-bed.ts';
import type { CliPiece } from '../../bed/prepare.ts';
import { run } from '../../bed/run.ts';
import { describeWith } from '../../bed/with-pieces.ts';

export function doctorAndCli(piece: CliPiece, hasMods = false): void {
  describeWith(`the doctor and the real CLI (${piece})`, [piece], (paths) => {
    async function scene(): Promise<{ plugin: PluginBed; env: NodeJS.ProcessEnv }> {
      const plugin = await PluginBed.start(paths[piece]);
      onTestFinished(() => plugin.remove());
      return { plugin, env: plugin.bed.environment(plugin.api) };
    }

    it('G4 finds the plugin missing, installs it, and is content', async () => {
      const { plugin, env } = await scene();
      const before = await findings(env);
      expect(before.claude).toMatchObject({
        state: 'well',
        found: { values: { version: expect.stringContaining('2.1.') } },
      });
      expect(before.plugin).toMatchObject({ state: 'problem', fix: { id: 'plugin-install' } });
      expect(before.mods).toMatchObject({ state: hasMods ? 'well' : 'notice' });
      expect(before.node).toMatchObject({
        state: 'well',
        found: { code: 'doctor.nodeFound' },
      });
      expect(existsSync(plugin.bed.places.home), 'looking leaves nothing').toBe(false);

      const { code, stdout } = await doctor(env, ['--fix', 'plugin-install']);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^Plugin \S+ installed\n/),
      });
      const listed = JSON.parse(
        await run(plugin.bed.binary, ['plugin', 'list', '--json'], { env }),
      );
      expect(listed).toMatchObject([{ id: 'memory-keeper@memory-keeper-app', enabled: true }]);
      const after = await doctor(env, ['--json']);
      const states = (JSON.parse(after.stdout) as Finding[]).filter(
        ({ state }) => state === 'problem' || state === 'unknown',
      );
      expect({ code: after.code, states }).toEqual({ code: 0, states: [] });
    });

    it('G4 tells of another memory plugin and leaves it switched on', async () => {
      const { plugin, env } = await scene();
      const market = join(plugin.bed.root, 'market');
      const other = join(market, 'brain');
      for (const folder of [market, other])
        mkdirSync(join(folder, '.claude-plugin'), { recursive: true });
      const manifest = {
        name: 'brain',
        version: '1.0.0',
        description: 'Remembers what you said in earlier sessions.',
      };
      writeFileSync(join(other, '.claude-plugin/plugin.json'), JSON.stringify(manifest));
      const listing = {
        name: 'others',
        owner: { name: 'Others' },
        plugins: [{ name: 'brain', source: './brain' }],
      };
      writeFileSync(join(market, '.claude-plugin/marketplace.json'), JSON.stringify(listing));
      await run(plugin.bed.binary, ['plugin', 'marketplace', 'add', market], { env });
      await run(plugin.bed.binary, ['plugin', 'install', 'brain@others'], { env });
      await doctor(env, ['--fix', 'plugin-install']);
      const { 'other-plugins': told } = await findings(env);
      expect(told).toMatchObject({ state: 'notice', found: { values: { ids: ['brain@others'] } } });
      const listed: { id: string; enabled: boolean }[] = JSON.parse(
        await run(plugin.bed.binary, ['plugin', 'list', '--json'], { env }),
      );
      expect(listed.find(({ id }) => id === 'brain@others')).toMatchObject({ enabled: true });
    });
  });
}
