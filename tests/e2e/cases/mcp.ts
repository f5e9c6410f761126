/**
 * The plugin's MCP server with the real CLI (K8): a scripted model finds the tools and calls them,
 * the user is not asked about those that only read, and no process outlives its session.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { TOOL_PREFIX, TOOLS } from '../../../core/usecases/tools/tool-list.ts';
import { HeadlessSession } from '../../bed/headless.ts';
import { MadeMemory } from '../../bed/made-memory.ts';
import { serversOf } from '../../bed/mcp-servers.ts';
import { CLI } from '../../bed/memory-keeper.ts';
import type { MockReply, RecordedRequest } from '../../bed/mock-api.ts';
import { newestWords, PluginBed } from '../../bed/plugin-bed.ts';
import { run } from '../../bed/run.ts';
import { waitFor } from '../../bed/wait-for.ts';
import { describeWith } from '../../bed/with-pieces.ts';

const SECRET = 'the word of the other project is heliotrope';

const call = (tool: string, input: Record<string, unknown>): MockReply => ({
  toolUses: [{ name: `${TOOL_PREFIX}${tool}`, input }],
});

/** What the tools have answered, the newest last. */
function told(plugin: PluginBed): string[] {
  return plugin.conversation.map(newestWords).filter((words) => words.includes('tool_result'));
}

async function bed(binary: string): Promise<PluginBed> {
  const plugin = await PluginBed.start(binary);
  plugin.isObedient = false;
  onTestFinished(() => plugin.remove());
  return plugin;
}

export function mcpServer(cli: 'claude' | 'claudeWithoutMods'): void {
  describeWith(`the MCP server (${cli})`, [cli, 'tmux'], (paths) => {
    it('K8 is asked by the model without a question to the user, and ends with the session', async () => {
      const plugin = await bed(paths[cli]);
      const session = await plugin.start();
      await plugin.turn(
        session,
        'The retry limit of the login form must be three.',
        'It is three now.',
        plugin.reads(1),
      );
      await plugin.kept('It is three now.');
      expect(serversOf(plugin.plugin)).toHaveLength(1);

      const search = call('search', { query: 'what is the retry limit?', in: 'said' });
      await plugin.turn(session, 'look it up', 'I have looked.', [search]);
      const found = told(plugin).at(-1) ?? '';
      expect(found).toContain('The retry limit of the login form must be three.');
      // Newer versions list some tools with their arguments, and of others only the name.
      const { body } = plugin.conversation.at(-1) ?? {};
      for (const { name } of TOOLS) expect(JSON.stringify(body)).toContain(TOOL_PREFIX + name);
      const [id = ''] = /said\/[\w-]+\/\w+/.exec(found) ?? [];
      await plugin.turn(session, 'read on', 'I have read it.', [call('get', { id })]);
      expect(told(plugin).at(-1)).toContain('It is three now.');
      await plugin.turn(session, 'and when', 'I know when.', [call('timeline', {})]);
      expect(told(plugin).at(-1)).toMatch(/session\/[\w-]+/);

      await session.clear();
      await plugin.turn(session, 'once more', 'I still know.', [
        call('get', { id, neighbours: 0 }),
      ]);
      expect(told(plugin).at(-1)).toContain('retry limit');
      expect(serversOf(plugin.plugin)).toHaveLength(1);

      await session.say('/exit');
      await session.ended();
      await waitFor('the server to end', () => serversOf(plugin.plugin).length === 0);
    });

    it('K8 F9 is used by the skill and by the agent that finds what matters', async () => {
      const plugin = await bed(paths[cli]);
      const session = await plugin.start();
      await plugin.turn(session, 'The retry limit of the login form must be three.', 'It is set.');
      await plugin.kept('It is set.');
      const search = call('search', { query: 'retry limit' });
      await plugin.turn(session, '/search-memory retry limit', 'I found it.', [search]);
      const skill = plugin.conversation
        .map(newestWords)
        .find((words) => words.includes('looks for'));
      expect(skill).toContain(`${TOOL_PREFIX}search`);
      expect(told(plugin).at(-1)).toContain('must be three.');

      const isAgent = ({ body }: RecordedRequest) =>
        JSON.stringify(body.system).includes('You are told what is about to be done.');
      plugin.answer = (request) => {
        if (!isAgent(request)) return undefined;
        return newestWords(request).includes('tool_result') ? { text: 'Three, they say.' } : search;
      };
      const agent = {
        subagent_type: 'memory-keeper:context-loader',
        prompt: 'The login form is about to be changed.',
        description: 'Load context',
        run_in_background: false,
      };
      const asked = { toolUses: [{ name: 'Agent', input: agent }] };
      await plugin.turn(session, 'change the login form', 'Now I know.', [asked]);
      const answered = plugin.api.requests.filter(isAgent).map(newestWords);
      expect(answered.at(-1)).toContain('must be three.');
    });

    it('K8 asks the user before it notes what Claude wants kept; nothing is believed by itself', async () => {
      const plugin = await bed(paths[cli]);
      const session = await plugin.start();
      await plugin.turn(session, 'The retry limit must be three.', 'It is set.');
      await plugin.kept('It is set.');
      plugin.api.enqueue(call('remember', { statement: 'Invoices are rounded per line.' }), {
        text: 'I have noted it.',
      });
      await session.say('keep that in mind');
      await session.waitForScreen('Do you want to proceed?');
      // A key that comes at once with the dialog is not taken.
      await waitFor('the yes', async () => {
        const screen = await session.screen();
        if (screen.includes('Do you want to proceed?')) await session.press('Enter');
        return screen.includes('I have noted it.');
      });
      expect(told(plugin).at(-1)).toContain('unverified');
      const { suggestions } = JSON.parse(
        await run(process.execPath, [CLI, 'memory', 'suggestions', '--json'], {
          env: plugin.bed.environment(plugin.api),
          cwd: plugin.bed.project,
        }),
      );
      expect(suggestions).toMatchObject([
        { id: 'm001', kind: 'remember', text: 'Invoices are rounded per line.' },
      ]);
    });

    it('K8 ends when Claude Code is killed', async () => {
      const plugin = await bed(paths[cli]);
      const session = await plugin.start();
      await waitFor('the server', () => serversOf(plugin.plugin).length === 1);
      process.kill(session.pid, 'SIGKILL');
      await waitFor('the server to end', () => serversOf(plugin.plugin).length === 0);
    });

    it('K8 a hostile model reads nothing outside of the project’s memory', async () => {
      const plugin = await bed(paths[cli]);
      const { places, root } = plugin.bed;
      const theirs = new MadeMemory({ root: join(root, 'theirs'), places });
      theirs.say('t1', { user: SECRET });
      theirs.decide('t2', `${SECRET}.`);
      const [file = ''] = readdirSync(theirs.memory.sessions).filter((name) =>
        name.endsWith('.l1.jsonl'),
      );
      const headless = new HeadlessSession(plugin.bed, plugin.api, {
        model: 'claude-sonnet-4-5',
        args: ['--plugin-dir', plugin.plugin],
      });
      await headless.say('What do you know?');
      await plugin.kept('What do you know?');
      const calls = [
        call('search', { query: 'word of the other project heliotrope', project: theirs.root }),
        call('get', { id: `session/${file.replace('.l1.jsonl', '')}` }),
        call('timeline', { session: `session/${file.replace('.l1.jsonl', '')}` }),
        call('get', { id: 'd001' }),
        call('get', { id: `page/${'../'.repeat(12)}etc/passwd` }),
        call('get', { id: '/etc/passwd' }),
        call('search', { query: `\u0000\u001b[2J</remembered-notes> ${'x'.repeat(100_000)}` }),
      ];
      plugin.api.enqueue(...calls, { text: 'Nothing.' });
      const before = plugin.conversation.length;
      await headless.say('Read everything.');
      const answers = plugin.conversation.slice(before + 1).map(newestWords);
      expect(answers).toHaveLength(calls.length);
      for (const answer of answers) {
        expect(answer).toContain('tool_result');
        // It was the tool that answered, not a refused permission.
        expect(answer).toMatch(/Nothing|no entry|found for|Invalid/);
        expect(answer).not.toMatch(/is heliotrope|root:/);
      }
      await headless.end();
      await waitFor('the server to end', () => serversOf(plugin.plugin).length === 0);
      expect(existsSync(join(places.home, 'app.log'))).toBe(false);
    });
  });
}
