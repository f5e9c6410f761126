/**
 * The plugin's skills, typed in the real CLI: the model gets their text, and what they ask for runs
 * without a question to the user.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBriefing } from '../../core/memory/restore/briefing-file.ts';
import type { ClaudeSession } from '../bed/claude.ts';
import type { MockReply } from '../bed/mock-api.ts';
import { newestWords, PluginBed } from '../bed/plugin-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const SUMMARY = 'The login form was looked at and its retry limit is three.';
const NEWER_SUMMARY = 'The memory of the retry limit was loaded and searched.';

/** Of the two, one has mods and one has not; skills are the same on both. */
const CLIS = ['claude', 'claudeWithoutMods'] as const;

for (const cli of CLIS)
  describeWith(`skills (${cli})`, [cli, 'tmux'], (paths) => {
    let plugin: PluginBed;
    let session: ClaudeSession;

    beforeAll(async () => {
      plugin = await PluginBed.start(paths[cli]);
      plugin.agents['delta-summarizer'] = () => SUMMARY;
      session = await plugin.start();
      await plugin.turn(
        session,
        'what is the retry limit of the login form',
        'The retry limit is three.',
        plugin.reads(1),
      );
      await plugin.kept('The retry limit is three.');
    });

    afterAll(() => plugin?.remove());

    /**
     * Types a skill; the model runs the commands one after the other. What the model was told
     * first, and what each command printed.
     */
    async function use(
      typed: string,
      commands: string[],
      more: MockReply[] = [],
    ): Promise<{ told: string; printed: string[] }> {
      const isCleared = typed === '/soft-restart'; // with the screen
      await session.waitForState('idle');
      const before = plugin.conversation.length;
      const answer = `Done with ${typed}.`;
      const calls = commands.map((command) => ({
        toolUses: [{ name: 'Bash', input: { command, description: 'as asked' } }],
      }));
      plugin.api.enqueue(...calls, ...more, { text: answer });
      await session.say(typed);
      await (isCleared ? plugin.kept(answer) : session.waitForScreen(answer));
      await session.waitForState('idle');
      const words = plugin.conversation.slice(before).map(newestWords);
      const first = words.findIndex((each) => each.includes('<command-name>')); // an agent's end may have begun a turn of its own before it
      return {
        told: words[first] ?? '',
        printed: words.slice(first + 1, first + 1 + commands.length),
      };
    }

    const agent = (): MockReply => {
      const prompt = `Read ${join(plugin.memory.folder, 'delta_temp.txt')} and answer as your instructions say.`;
      const input = {
        subagent_type: 'memory-keeper:delta-summarizer',
        prompt,
        description: 'as asked',
      };
      return { toolUses: [{ name: 'Agent', input }] };
    };

    const isSummarised = () => waitFor('the summary', () => plugin.memoryMd.includes(SUMMARY));

    it('/save-memory keeps what was said, summary and all', async () => {
      const commands = ['memory-keeper memory save', 'memory-keeper memory delta extract --json'];
      const { told, printed } = await use('/save-memory', commands, [agent()]);
      for (const command of commands) expect(told).toContain(command);
      expect(printed[0]).toMatch(/Saved \d+ new entr(y|ies) from \d+ sessions?/);
      expect(printed[1]).toContain('delta_temp.txt');
      await isSummarised();
    });

    it('/load-memory gives back what is known, and what was asked for', async () => {
      const commands = ['memory-keeper memory restore', 'memory-keeper memory search retry limit'];
      const { told, printed } = await use('/load-memory retry limit', commands);
      expect(told).toContain('(retry limit)');
      expect(printed[0]).toContain(SUMMARY);
      expect(printed[1]).toContain('The retry limit is three.');
    });

    it('/search-memory finds what was ever said', async () => {
      const { told, printed } = await use('/search-memory 로그인 retry', [
        'memory-keeper memory search 로그인 retry',
      ]);
      expect(told).toContain('The user looks for: 로그인 retry');
      expect(printed[0]).toContain('retry limit');
    });

    it('/context-check tells how full this very session is', async () => {
      const { told, printed } = await use('/context-check', ['memory-keeper status --json']);
      const { sessionId } = await session.waitForState('idle');
      expect(told).toContain(`find the session ${sessionId}`);
      expect(printed[0]).toContain(sessionId);
      expect(printed[0]).toMatch(/percent/);
    });

    it('/memory-delta brings memory.md up to date', async () => {
      plugin.agents['delta-summarizer'] = () => NEWER_SUMMARY;
      const { told, printed } = await use(
        '/memory-delta',
        ['memory-keeper memory delta extract --json'],
        [agent()],
      );
      expect(told).toContain('memory-keeper:delta-summarizer');
      expect(printed[0]).toContain('delta_temp.txt');
      await waitFor('the newer summary', () => plugin.memoryMd.includes(NEWER_SUMMARY));
      await waitFor('the file to go', () => !plugin.has('delta_temp.txt'));
    });

    it('A9 /soft-restart saves, clears and restores by the user’s own hand', async () => {
      const { sessionId } = await session.waitForState('idle');
      const { told, printed } = await use('/soft-restart', [
        `memory-keeper clear --soon ${sessionId}`,
      ]);
      expect(told).toContain(`memory-keeper clear --soon ${sessionId}`);
      expect(printed[0]).toContain('as soon as this turn is over');
      const next = await waitFor('the new session', () => {
        const entry = session.registry();
        return entry !== undefined && entry.sessionId !== sessionId && entry;
      });
      await waitFor('what it is given', () =>
        readBriefing(plugin.bed.places, next.sessionId)?.includes('/soft-restart'),
      );
    });

    it('no skill leaves a placeholder behind', () => {
      const told = plugin.conversation
        .map(newestWords)
        .filter((words) => words.includes('<command-name>'));
      expect(told.length).toBeGreaterThanOrEqual(6);
      for (const words of told) expect(words).not.toMatch(/\$ARGUMENTS|\$\{CLAUDE_/);
    });
  });
