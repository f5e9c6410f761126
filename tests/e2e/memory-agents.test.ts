/**
 * Memory on a CLI without mods: the session's own agents do the work, or nobody does, and nothing
 * is lost.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { factsFile, sessionFactsFile } from '../../core/memory/l2-facts/facts-file.ts';
import { updateMemoryIndex } from '../../core/memory/log/memory-index.ts';
import { spentToday } from '../../core/memory/model/spend.ts';
import { readDocument } from '../../core/platform/store/document.ts';
import { estimateTokens } from '../../core/platform/text/estimate-tokens.ts';
import { factsPath } from '../../core/projects/memory-paths.ts';
import type { ClaudeSession } from '../bed/claude.ts';
import type { RecordedRequest } from '../bed/mock-api.ts';
import { newestWords, PluginBed } from '../bed/plugin-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const SUMMARY = 'The login form was read five times and the retry limit was found to be three.';

describeWith(
  'memory by the agents of the session',
  ['claudeWithoutMods', 'tmux'],
  ({ claudeWithoutMods }) => {
    let plugin: PluginBed;
    let session: ClaudeSession;

    beforeEach(async () => {
      plugin = await PluginBed.start(claudeWithoutMods);
      plugin.agents['delta-summarizer'] = () => SUMMARY;
    });

    afterEach(() => plugin?.remove());

    /** Requests with which the plugin asked for one of its agents. */
    const asking = (trigger: string): RecordedRequest[] =>
      plugin.conversation.filter((request) =>
        newestWords(request).includes(`[MEMORY_KEEPER_${trigger}] file=`),
      );

    async function fiveReads(): Promise<void> {
      await plugin.turn(
        session,
        'look at the login form five times',
        'The retry limit is three.',
        plugin.reads(5),
      );
      await plugin.kept('The retry limit is three.');
    }

    it('M6 M7 M16 F4 after five tool uses the next prompt asks for an agent, and what it says stands in memory.md', async () => {
      session = await plugin.start();
      await fiveReads();
      expect(asking('DELTA')).toHaveLength(0);

      await plugin.turn(session, 'thanks, what next', 'Whatever you like.');
      await waitFor('the summary', () => plugin.memoryMd.includes(SUMMARY));
      await waitFor('the file to go', () => !plugin.has('delta_temp.txt'));
      expect(newestWords(asking('DELTA')[0] as RecordedRequest)).toContain(
        '[MEMORY_KEEPER_DELTA] file=delta_temp.txt',
      );
      const [sent, read] = plugin.requestsOf('delta-summarizer');
      expect(JSON.stringify(sent?.body.messages)).not.toContain('five times'); // it is sent to the file, not told
      expect(JSON.stringify(read?.body.messages)).toContain('look at the login form five times');
      expect(plugin.index).toMatchObject({
        toolCount: 0,
        lastMemoryUpdateTs: expect.stringMatching(/^\d{4}-/),
      });
      await waitFor(
        'the job to be given back',
        () => Object.keys(plugin.index.attempts ?? {}).length === 0,
      );
      const { input = 0, output = 0 } = spentToday(plugin.bed.places).delta ?? {};
      expect(output).toBe(estimateTokens(SUMMARY));
      expect(input).toBeGreaterThan(estimateTokens(`look at the login form five times ${SUMMARY}`)); // what it was given to read counts

      // The agent's end has begun a turn by itself: nobody said anything, and nothing is asked for.
      await session.waitForScreen('Noted.');
      await plugin.kept('Noted.');
      const [notified] = plugin.conversation.filter((request) =>
        newestWords(request).includes('<task-notification>'),
      );
      expect(newestWords(notified as RecordedRequest)).not.toContain('MEMORY_KEEPER');
      expect(newestWords(notified as RecordedRequest)).not.toContain('<rules');
      expect(plugin.said.join('\n')).not.toMatch(/task-notification|Keep memory/);

      await plugin.turn(session, 'and now', 'Nothing more to do.');
      expect(asking('DELTA')).toHaveLength(1);
      expect(plugin.requestsOf('delta-summarizer')).toHaveLength(2);
    });

    it('M1 M16 the agent may read what it is sent to where memory lives in the home folder', async () => {
      plugin.configure({ storage: 'home' });
      session = await plugin.start();
      await fiveReads();
      await plugin.turn(session, 'thanks, what next', 'Whatever you like.');
      await waitFor('the summary', () => plugin.memoryMd.includes(SUMMARY));
      expect(plugin.memory.folder).toContain(plugin.bed.places.home);
    });

    it('M7 an answer that is no summary moves nothing, and the next prompt asks again for all of it', async () => {
      plugin.agents['delta-summarizer'] = () => '{"error": 1}';
      session = await plugin.start();
      await fiveReads();
      await plugin.turn(session, 'the second request', 'Second answer.');
      await waitFor(
        'the refusal',
        () => plugin.index.attempts?.delta?.busyUntil === undefined && plugin.index.attempts?.delta,
      );
      expect(plugin.memoryMd).toBe('');
      expect(plugin.has('delta_temp.txt')).toBe(true);
      await session.waitForScreen('Noted.');
      await plugin.kept('Second answer.');

      plugin.agents['delta-summarizer'] = () => SUMMARY;
      await plugin.turn(session, 'the third request', 'Third answer.');
      await waitFor('the summary', () => plugin.memoryMd.includes(SUMMARY));
      const read = JSON.stringify(plugin.requestsOf('delta-summarizer').at(-1)?.body.messages);
      expect(read).toContain('look at the login form five times');
      expect(read).toContain('the second request');
    });

    it('M9 M16 F4 an agent finds facts: what was really said is taken, what was invented is refused', async () => {
      const decision = 'We use PostgreSQL 16 for all new services.';
      plugin.configure({ saveInterval: 1 });
      plugin.agents['l2-summarizer'] = (told) => {
        const [, entry] = /\[([\w-]+)\] user: from now on/.exec(told) ?? [];
        return JSON.stringify([
          {
            kind: 'decision',
            content: decision,
            entry,
            quote: 'we use PostgreSQL 16 for all new services',
          },
          {
            kind: 'decision',
            content: 'Redis is used for the queue.',
            entry,
            quote: 'Redis is used for the queue',
          },
        ]);
      };
      session = await plugin.start();
      await plugin.turn(
        session,
        'from now on we use PostgreSQL 16 for all new services',
        'Understood.',
        plugin.reads(2),
      );
      await plugin.kept('Understood.');
      await plugin.turn(session, 'go on with the login', 'I went on.');
      await waitFor('the summary', () => plugin.memoryMd.includes(SUMMARY));
      await session.waitForScreen('Noted.');
      await plugin.turn(session, 'one more thing', 'One more done.');

      const known = await waitFor('the fact', () => {
        const facts = readDocument(factsPath(plugin.memory), factsFile);
        return facts.state === 'ok' && facts.value.decisions.length > 0 && facts.value;
      });
      expect(newestWords(asking('SAVE')[0] as RecordedRequest)).toContain(
        '[MEMORY_KEEPER_SAVE] file=facts_temp.txt',
      );
      expect(known.decisions).toEqual([expect.objectContaining({ id: 'd001', content: decision })]);
      const files = readdirSync(plugin.memory.sessions).filter((name) => name.endsWith('.l2.json'));
      const own = readDocument(join(plugin.memory.sessions, files[0] as string), sessionFactsFile);
      expect(own).toMatchObject({
        value: {
          facts: [{ id: 'd001', content: decision }],
          refused: [
            { content: 'Redis is used for the queue.', why: { code: 'memory.factMisquoted' } },
          ],
        },
      });
      await waitFor('the question to go', () => !plugin.has('facts_temp.txt'));
    });

    it('M16 with the models set to none nobody is asked, and what was said is summed up by its own words', async () => {
      plugin.configure({ models: { delta: 'none', facts: 'none' } });
      session = await plugin.start();
      await fiveReads();
      await waitFor('the extract', () =>
        plugin.memoryMd.includes('look at the login form five times'),
      );
      expect(plugin.memoryMd).toContain('login.ts');
      await plugin.turn(session, 'and the next request', 'The next answer.');
      for (const request of plugin.conversation)
        expect(newestWords(request)).not.toMatch(/\[MEMORY_KEEPER_\w+\] file=/);
      expect(plugin.api.requests.filter(({ body }) => body.stream !== true)).toEqual([]);
    });

    it('M16 a session that ignores the request is asked a few times; then the words themselves are saved', async () => {
      plugin.isObedient = false;
      session = await plugin.start();
      await fiveReads();
      for (let time = 1; plugin.memoryMd === '' && time < 20; time++) {
        await plugin.turn(session, `request number ${time}`, `Answer number ${time}.`);
        await plugin.kept(`Answer number ${time}.`);
        // As if the lease had run out.
        updateMemoryIndex(plugin.memory, (index) => {
          const { delta, ...attempts } = index.attempts ?? {};
          return delta === undefined
            ? index
            : { ...index, attempts: { ...attempts, delta: { ...delta, busyUntil: 0 } } };
        });
      }
      expect(asking('DELTA').length).toBeGreaterThan(1);
      expect(plugin.memoryMd).toContain('request number');
      await waitFor('the file to go', () => !plugin.has('delta_temp.txt'));
      expect(plugin.requestsOf('delta-summarizer')).toEqual([]);
    });
  },
);
