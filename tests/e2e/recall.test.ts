/**
 * Recall in the real Claude Code (K7): a prompt brings the note of an earlier session that it is
 * about, by way of the mod and the session's MCP server; it does not once that is switched off, and
 * a server that is stopped holds no prompt up.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recallFigures } from '../../core/memory/recall/recall-figures.ts';
import type { ClaudeSession } from '../bed/claude.ts';
import { serversOf } from '../bed/mcp-servers.ts';
import type { RecordedRequest } from '../bed/mock-api.ts';
import { newestWords, PluginBed } from '../bed/plugin-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const SAID = 'The retry limit of the login form is checked in throttleLogins before hashing.';
const ASKED = 'Why does the retry limit of the login form matter for throttling?';
const LABEL = 'Notes of earlier sessions';

describeWith('recall', ['claude', 'tmux'], ({ claude }) => {
  let plugin: PluginBed;
  let session: ClaudeSession;

  const folder = () => join(plugin.bed.places.home, 'recall');
  const given = (id: string) => join(plugin.bed.places.home, 'given', `${id}.txt`);
  const sockets = () => (existsSync(folder()) ? readdirSync(folder()) : []);
  /** Asks until the server is ready for the session; gives back what was new in the request. */
  async function askUntil(isRight: (words: string) => boolean): Promise<string> {
    let words = '';
    let asked = 0;
    await waitFor('the right request', async () => {
      asked++;
      await plugin.turn(session, ASKED, `Answer number ${asked}.`);
      words = newestWords(plugin.conversation.at(-1) as RecordedRequest);
      return isRight(words);
    });
    return words;
  }

  beforeAll(async () => {
    plugin = await PluginBed.start(claude);
    const earlier = await plugin.start();
    await plugin.turn(earlier, 'Please look at the login form.', SAID);
    await plugin.kept(SAID);
    await earlier.say('/exit');
    await earlier.ended();
  });

  afterAll(() => plugin?.remove());

  it('K7 a prompt brings what an earlier session said of it, in its fence and with its id', async () => {
    session = await plugin.start();
    await waitFor('the socket', () => sockets().length === 1);
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder(), sockets()[0] ?? '')).mode & 0o777).toBe(0o600);
    // As if its briefing had nothing of it.
    const { sessionId } = await session.waitForState('idle');
    await waitFor('the briefing', () => existsSync(given(sessionId)));
    rmSync(given(sessionId));
    const words = await askUntil((text) => text.includes(LABEL));
    expect(words).toMatch(/- said\/[\w-]+\/\w+ Claude: The retry limit of the login form/);
    // A note is nobody's word in this session.
    await plugin.kept(ASKED);
    expect(plugin.said.filter((text) => text.includes(LABEL))).toEqual([]);
  });

  it('K7 it is counted whether Claude used it', async () => {
    await waitFor('the figures', () => recallFigures(plugin.memory, 1).notes > 0);
  });

  it('K7 a server that is stopped holds no prompt up', async () => {
    const [pid = 0] = serversOf(plugin.plugin);
    expect(pid).toBeGreaterThan(0);
    process.kill(pid, 'SIGSTOP');
    try {
      await plugin.turn(session, `${ASKED} Again, please.`, 'As I said.');
      const words = newestWords(plugin.conversation.at(-1) as RecordedRequest);
      expect(words).not.toContain(LABEL);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  it('K7 nothing comes once it is switched off', async () => {
    plugin.configure({ recall: { enabled: false } });
    await session.clear();
    await plugin.turn(session, 'Something else.', 'Yes.');
    await plugin.turn(session, ASKED, 'Because.');
    expect(newestWords(plugin.conversation.at(-1) as RecordedRequest)).not.toContain(LABEL);
    await session.say('/exit');
    await session.ended();
    await waitFor('the socket to be removed', () => sockets().length === 0);
  });
});
