/**
 * The automatic clear that compacts in place (K4, `autoClear.method: compact`), on the real CLI: the
 * mod runs /compact, the session keeps its id and the user's draft.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ClaudeSession } from '../bed/claude.ts';
import { PluginBed } from '../bed/plugin-bed.ts';
import { Watch } from '../bed/watch.ts';
import { describeWith } from '../bed/with-pieces.ts';

/** 73 % of the window that this model has. */
const FULL = { input_tokens: 145_010 };
const SUMMARY = `<analysis>The user asked for a colour, and got one.</analysis>
<summary>
1. Primary Request and Intent: the user wants to know which colour the logo has.
2. Current Work: the colour was named: teal.
</summary>`;

describeWith('compacting at the threshold', ['claude', 'tmux'], (paths) => {
  let plugin: PluginBed;
  let session: ClaudeSession;
  let watch: Watch;

  beforeAll(async () => {
    plugin = await PluginBed.start(paths.claude);
    plugin.configure({
      autoClear: { method: 'compact', countdownSeconds: 0, cooldownMinutes: 0, summary: false },
    });
    // Claude Code's own compaction asks for a summary; where Memory Keeper compacts, nobody asks.
    plugin.answer = ({ body }) =>
      /create a detailed summary/i.test(JSON.stringify(body.messages.slice(-2)))
        ? { text: SUMMARY }
        : undefined;
    session = await plugin.start();
    watch = new Watch({ ...plugin.bed.environment(plugin.api) });
  });

  afterAll(async () => {
    await watch?.stop();
    await plugin?.remove();
  });

  it('A1 A2 A4 A7 K4 saves and compacts the very session, while a draft is being typed', async () => {
    const { sessionId: before } = await session.waitForState('idle');
    let answered: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      answered = resolve;
    });
    plugin.api.enqueue({ text: 'The colour is teal.', usage: FULL, until });
    await session.say('which colour has the logo');
    await session.waitForState('busy');
    await session.type('a half-typed 질문 stays');
    answered();
    const record = await watch.step(before, 'restored');
    expect(record).toMatchObject({ way: 'mod', by: 'threshold', method: 'compact' });
    expect(record.steps.at(-1)?.note).toMatchObject({ code: 'clear.compactedTo' });
    expect(record.tokensAfter).toBeLessThan(FULL.input_tokens / 2);
    await session.waitForScreen('a half-typed 질문 stays');
    expect((await session.waitForState('idle')).sessionId).toBe(before);
    expect(plugin.said).toEqual(
      expect.arrayContaining(['which colour has the logo', 'The colour is teal.']),
    );
    plugin.api.enqueue({ text: 'Going on.' });
    await session.press('Enter');
    await session.waitForScreen('Going on.');
    expect(JSON.stringify(plugin.conversation.at(-1)?.body.messages)).toContain('teal');
  });
});
