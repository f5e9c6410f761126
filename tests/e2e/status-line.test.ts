/**
 * The connected status line in the real CLI (C2, G4): the user sees what they saw before, and the
 * window is told by Claude Code itself.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ClaudeSession } from '../bed/claude.ts';
import { CLI, status } from '../bed/memory-keeper.ts';
import { PluginBed } from '../bed/plugin-bed.ts';
import { run } from '../bed/run.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

vi.setConfig({ testTimeout: 300_000 });

/** Colours, two lines, quotes, a pipe, Korean, and a word of what Claude Code tells it. */
const OWN = `printf '\\033[1;35m◆ 내 "상태"\\033[0m it'"'"'s '; sed 's/.*"display_name":"\\([^"]*\\)".*/<\\1>/' | tr a-z A-Z; echo 'second | line'`;
const SHOWN = /◆ 내 "상태" it's <SONNET 4\.5>\s+second \| line/;

/** What stands below the box, colours and all. */
async function shown({ socket }: ClaudeSession): Promise<string> {
  const screen = await run('tmux', ['-u', '-S', socket, 'capture-pane', '-e', '-p']);
  return screen
    .split('\n')
    .filter((line) => /상태|second/.test(line))
    .join('\n');
}

for (const piece of ['claudeWithoutMods', 'claude'] as const)
  describeWith(`a connected status line (${piece})`, [piece, 'tmux'], (paths) => {
    it('C2 G4 looks as before, tells the window, and is as it was when it is disconnected', async () => {
      const plugin = await PluginBed.start(paths[piece]);
      onTestFinished(() => plugin.remove());
      const { bed, api } = plugin;
      const env = bed.environment(api);
      const file = join(bed.configDir, 'settings.json');
      const words = (...args: string[]) => run(process.execPath, [CLI, 'plugin', ...args], { env });
      writeFileSync(
        file,
        JSON.stringify({ statusLine: { type: 'command', command: OWN, padding: 1 }, zeta: 1 }),
      );

      // Started before the plugin is there: only the status line can tell its window.
      const session = await bed.start({ api, model: 'claude-sonnet-4-5' });
      await session.waitForScreen(SHOWN);
      const before = await shown(session);
      await words('install');
      const source = async () =>
        (await status(env)).find(({ pid }) => pid === session.pid)?.percentSource;
      await plugin.turn(session, 'hello', 'Hello you.');
      expect(await waitFor('the first percentage', async () => (await source()) ?? undefined)).toBe(
        'model-table',
      );

      const text = readFileSync(file, 'utf8');
      expect(await words('status-line', 'preview')).toContain('status-line.sh');
      expect(await words('status-line', 'connect')).toContain('shown as before');
      expect(await words('status-line')).toMatch(/^connected: /);
      await plugin.turn(session, 'once more', 'Here I am.');
      await waitFor('the window from Claude Code', async () => (await source()) === 'claude-code');
      await session.waitForScreen(SHOWN);
      expect(await shown(session)).toBe(before);

      await words('status-line', 'disconnect');
      expect(readFileSync(file, 'utf8')).toBe(text);
      await plugin.turn(session, 'and again', 'Still here.');
      await session.waitForScreen(SHOWN);
      expect(await shown(session)).toBe(before);

      await words('status-line', 'connect');
      await session.stop();
      await words('uninstall');
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
        statusLine: { type: 'command', command: OWN, padding: 1 },
        zeta: 1,
      });
    });

    it('C2 B10 leaves nothing behind when Claude Code gives a status line up', async () => {
      const plugin = await PluginBed.start(paths[piece]);
      onTestFinished(() => plugin.remove());
      const { bed, api } = plugin;
      const env = bed.environment(api);
      const mark = `6${process.pid}`;
      const own = { statusLine: { type: 'command', command: `sleep ${mark}; echo never` } };
      writeFileSync(join(bed.configDir, 'settings.json'), JSON.stringify(own));
      await run(process.execPath, [CLI, 'plugin', 'install'], { env });
      await run(process.execPath, [CLI, 'plugin', 'status-line', 'connect'], { env });
      const session = await bed.start({ api, model: 'claude-sonnet-4-5' });
      const waiting = async () =>
        (await run('sh', ['-c', `pgrep -fx 'sleep ${mark}' || true`]))
          .trim()
          .split('\n')
          .filter(Boolean);
      const [first] = await waitFor('the status line', async () => {
        const pids = await waiting();
        return pids.length > 0 && pids;
      });
      await plugin.turn(session, 'hello', 'Hello you.');
      await waitFor('the first one to end', async () => !(await waiting()).includes(first ?? ''));
      await session.stop();
      await waitFor('all to end', async () => (await waiting()).length === 0);
    });
  });
