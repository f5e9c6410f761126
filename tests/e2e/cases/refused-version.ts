/**
 * A Claude Code that is too old (T7), with the plugin forced on it: what stands in prompts and
 * files is never run, the user is told, nothing is kept, and it cannot be installed.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { OLDEST_CLAUDE_CODE } from '../../../core/claude/sessions/claude-version.ts';
import { runDoctor } from '../../../core/doctor/doctor.ts';
import { systemProcessTable } from '../../../core/platform/process/process-table.ts';
import { runProgram } from '../../../core/platform/process/run-program.ts';
import { installPlugin } from '../../../core/plugin/install.ts';
import { pluginStatus } from '../../../core/plugin/plugin-status.ts';
import { PluginBed } from '../../bed/plugin-bed.ts';
import type { CliPiece } from '../../bed/prepare.ts';
import { run } from '../../bed/run.ts';
import { waitFor } from '../../bed/wait-for.ts';
import { describeWith } from '../../bed/with-pieces.ts';

/** Hooks as 0.1.0 had them. */
const DANGEROUS = {
  command: 'sh',
  args: [`\${CLAUDE_PLUGIN_ROOT}/hooks/run.sh`, 'prompt'],
};

export function refusedVersion(piece: CliPiece): void {
  describeWith(`what is too old: ${piece}`, [piece, 'tmux'], (paths) => {
    async function scene() {
      const plugin = await PluginBed.start(paths[piece]);
      onTestFinished(() => plugin.remove());
      const { bed, api } = plugin;
      const made = join(bed.root, 'made');
      /** Whatever a shell would run, wherever it stands in a text. */
      const hostile = [
        `$(touch ${made}-1) \`touch ${made}-2\``,
        `'; touch ${made}-3; echo '`,
        `"; touch ${made}-4; echo "`,
        `touch ${made}-5`,
        `&& touch ${made}-6 || touch ${made}-7`,
      ].join('\n');
      return {
        plugin,
        hostile,
        /** What was run, by its number. */
        ran: () => readdirSync(bed.root).filter((name) => name.startsWith('made-')),
        env: bed.environment(api),
        options: {
          places: bed.places,
          env: bed.environment(api),
          run: runProgram,
          bundledPlugin: plugin.plugin,
          candidates: [paths[piece]],
        },
      };
    }

    /** One turn without a screen: a hostile prompt, a hostile file, a hostile reply. */
    async function hostileTurn({ plugin, hostile, env }: Awaited<ReturnType<typeof scene>>) {
      const { bed, api } = plugin;
      const file = join(bed.project, 'notes.md');
      writeFileSync(file, hostile);
      api.enqueue({ toolUses: [{ name: 'Read', input: { file_path: file } }] }, { text: hostile });
      const forced = ['--plugin-dir', plugin.plugin, '--model', 'claude-sonnet-4-5'];
      // Nothing is piped in: it would be a part of the prompt.
      const words = ['-c', 'exec "$@" </dev/null', 'sh', bed.binary, '-p', hostile, ...forced];
      await run('sh', words, { env, cwd: bed.project });
    }

    it('T7 runs nothing of what stands in prompts, files and replies, and keeps nothing', async () => {
      const made = await scene();
      await hostileTurn(made);
      expect(JSON.stringify(made.plugin.conversation.at(-1)?.body.messages)).toContain('notes.md');
      expect(made.ran()).toEqual([]);
      expect(existsSync(made.plugin.memory.sessions)).toBe(false);
    });

    it('T7 would run it with the hooks of 0.1.0: the trap is a real one', async () => {
      const made = await scene();
      const path = join(made.plugin.plugin, 'hooks/hooks.json');
      const hooks = JSON.parse(readFileSync(path, 'utf8'), (_, value) =>
        typeof value?.command === 'string' ? { ...value, ...DANGEROUS } : value,
      );
      writeFileSync(path, JSON.stringify(hooks));
      await hostileTurn(made);
      await waitFor('what the shell makes of it', () => made.ran().length > 0);
    });

    it('T7 says at the start of a session that it is too old', async () => {
      const { plugin } = await scene();
      const { bed, api } = plugin;
      const socket = join(bed.root, 'tmux-old.sock');
      const args = ['--plugin-dir', plugin.plugin];
      const command = bed.commandLine({ api, model: 'claude-sonnet-4-5', args });
      const size = ['-x', '200', '-y', '40', '-c', bed.project];
      await run('tmux', [
        '-S',
        socket,
        '-f',
        '/dev/null',
        'new-session',
        '-d',
        ...size,
        ...command,
      ]);
      onTestFinished(() => run('tmux', ['-S', socket, 'kill-server']).then(() => undefined));
      let screen = '';
      await waitFor(
        () => `the words on the screen, which shows:\n${screen}`,
        async () => {
          screen = await run('tmux', ['-u', '-S', socket, 'capture-pane', '-p']);
          return screen
            .replace(/\s+/g, ' ')
            .includes(`Update it to ${OLDEST_CLAUDE_CODE} or later`);
        },
      );
    });

    it('T7 is refused at install, with the reason, and by the doctor', async () => {
      const { plugin, options, env } = await scene();
      const reason = { code: 'plugin.claudeTooOld', values: { oldest: OLDEST_CLAUDE_CODE } };
      await expect(installPlugin(options)).rejects.toMatchObject({ reason });
      const listed = await run(plugin.bed.binary, ['plugin', 'list', '--json'], { env });
      expect(JSON.parse(listed)).toEqual([]);
      expect(await pluginStatus(options)).toMatchObject({ isInstalled: false, problem: reason });
      const findings = await runDoctor({ ...options, processes: systemProcessTable() });
      expect(findings.find(({ id }) => id === 'claude')).toMatchObject({
        state: 'problem',
        found: reason,
      });
      expect(findings.find(({ id }) => id === 'plugin')?.fix).toBeUndefined();
    });
  });
}
