/**
 * What a session leaves undone when it ends is done when the next one starts (M8), by whoever is
 * there to do it.
 */
import { afterEach, expect, it } from 'vitest';
import type { ClaudeSession } from '../bed/claude.ts';
import type { RecordedRequest } from '../bed/mock-api.ts';
import { newestWords, PluginBed } from '../bed/plugin-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const SUMMARY = 'The login form was read and the retry limit was found to be three.';

describeWith(
  'what a session leaves undone',
  ['claude', 'claudeWithoutMods', 'tmux'],
  ({ claude, claudeWithoutMods }) => {
    let plugin: PluginBed;

    afterEach(() => plugin?.remove());

    /** A session with less work in it than is worth a summary, which has just ended. */
    async function endedSession(end: (session: ClaudeSession) => Promise<void>): Promise<void> {
      const session = await plugin.start();
      await plugin.turn(
        session,
        'have a look at the login form',
        'The retry limit is three.',
        plugin.reads(2),
      );
      await plugin.kept('The retry limit is three.');
      expect(plugin.memoryMd).toBe('');
      await end(session);
    }

    const exit = async (session: ClaudeSession) => {
      await session.say('/exit');
      await session.ended();
    };
    const closeTerminal = (session: ClaudeSession) => session.stop();
    const kill = async (session: ClaudeSession) => {
      process.kill(session.pid, 'SIGKILL');
      await session.ended();
    };

    const asked = () =>
      plugin.conversation.filter((request) =>
        /\[MEMORY_KEEPER_\w+\] file=/.test(newestWords(request)),
      );

    it('M8 M16 a mod sums it up as soon as the next session has started, and no agent is asked for', async () => {
      plugin = await PluginBed.start(claude);
      plugin.completion = (request) => ({ text: isDelta(request) ? SUMMARY : '[]' });
      await endedSession(exit);
      const next = await plugin.start();
      await waitFor('the summary', () => plugin.memoryMd.includes(SUMMARY));
      await plugin.turn(next, 'hello again', 'Hello.');
      expect(asked()).toEqual([]);
      expect(JSON.stringify(plugin.completions.find(isDelta)?.body.messages)).toContain(
        'have a look at the login form',
      );
    });

    it('M8 M16 F4 without a mod the next session is asked for an agent when it starts', async () => {
      plugin = await PluginBed.start(claudeWithoutMods);
      plugin.agents = { 'delta-summarizer': () => SUMMARY, 'l2-summarizer': () => '[]' };
      await endedSession(closeTerminal);
      const next = await plugin.start();
      await plugin.turn(next, 'hello again', 'Hello.');
      await waitFor('the summary', () => plugin.memoryMd.includes(SUMMARY));
      const words = newestWords(asked()[0] as RecordedRequest);
      expect(words).toContain('SessionStart hook additional context');
      expect(words).toContain('[MEMORY_KEEPER_FINAL] file=delta_temp.txt');
      // The new session is told what stands in no summary yet.
      expect(words).toContain('Last said, not summarised yet');
      expect(words).toContain('The retry limit is three.');
      await waitFor('the facts to have been looked for', () =>
        Object.values(plugin.index.sessions).every(
          ({ isOver, l1Bytes, factsBytes }) => !isOver || factsBytes === l1Bytes,
        ),
      );
    });

    it.each([
      ['left with /exit', exit],
      ['lost its terminal', closeTerminal],
      ['was killed', kill],
    ])(
      'M8 M16 B2 without a model it is summed up by its own words, though the session %s',
      async (_, end) => {
        plugin = await PluginBed.start(claudeWithoutMods);
        plugin.configure({ models: { delta: 'none', facts: 'none', rotation: 'none' } });
        await endedSession(end);
        await plugin.start();
        await waitFor('the extract', () =>
          plugin.memoryMd.includes('have a look at the login form'),
        );
        expect(plugin.memoryMd).toContain('The retry limit is three.');
        expect(plugin.api.requests.filter(({ body }) => body.stream !== true)).toEqual([]);
        await waitFor('the file to go', () => !plugin.has('delta_temp.txt'));
      },
    );
  },
);

function isDelta({ body }: RecordedRequest): boolean {
  return JSON.stringify(body.messages).includes('<conversation>');
}
