/**
 * The automatic clear by the mod, on the real CLI: no key is sent, and what the user is typing
 * stays where it is.
 */
import { mkdirSync, watch as watchFolder } from 'node:fs';
import { basename, dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { modRequestPrefix } from '../../core/clear/delivery/mod.ts';
import { readBriefing } from '../../core/memory/restore/briefing-file.ts';
import { message } from '../../core/messages/message.ts';
import type { ClaudeSession } from '../bed/claude.ts';
import type { MockReply } from '../bed/mock-api.ts';
import { PluginBed } from '../bed/plugin-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { Watch } from '../bed/watch.ts';
import { describeWith } from '../bed/with-pieces.ts';

/** 73 % of the window that this model has. */
const FULL = { input_tokens: 145_010 };
/** As models answer: with a greeting, headings and lists, and longer than a sentence. */
const HAND_OVER = `Sure! Here is the hand-over:

## Goal
The logo in teal, for the harbour office.

## Constraints
- "No gradients", said the user.
${'- The printer of the office knows 16 colours; each of them was tried on paper.\n'.repeat(40)}
## Next step
The favicon in \`icons/favicon.svg\` is to be drawn.`;
const AT_ONCE = { autoClear: { countdownSeconds: 0, cooldownMinutes: 0, summary: false } };

describeWith('the automatic clear by the mod', ['claude', 'tmux'], (paths) => {
  let plugin: PluginBed;
  let session: ClaudeSession;
  let watch: Watch;

  beforeAll(async () => {
    plugin = await PluginBed.start(paths.claude);
    session = await plugin.start();
  });

  afterEach(() => watch?.stop());
  afterAll(() => plugin?.remove());

  const startWatch = (settings: object) => {
    plugin.configure(settings);
    watch = new Watch({ ...plugin.bed.environment(plugin.api) });
  };

  const sessionId = async () => (await session.waitForState('idle')).sessionId;

  /** A short turn, as the first of a session: one that is full from the beginning is left alone. */
  async function beginSmall(): Promise<void> {
    const words = `Here I am in ${await sessionId()}.`;
    plugin.api.enqueue({ text: words });
    await session.say('are you there');
    await plugin.kept(words);
    await sessionId();
  }

  /** A turn that fills the context, as far as the model says. */
  async function fill(request: string, answer: string): Promise<string> {
    const before = await sessionId();
    plugin.api.enqueue({ text: answer, usage: FULL });
    await session.say(request);
    await plugin.kept(answer); // the screen may be wiped before anybody has looked at it
    return before;
  }

  it('A1 A2 A4 A5 saves, clears and restores while a draft is being typed, which stays', async () => {
    startWatch(AT_ONCE);
    let answered: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const before = await sessionId();
    const reply: MockReply = { text: 'The colour is teal.', usage: FULL, until };
    plugin.api.enqueue(reply);
    await session.say('which colour has the logo');
    await session.waitForState('busy');
    await session.type('a half-typed 질문 stays');
    answered();
    const record = await watch.step(before, 'restored');
    expect(record).toMatchObject({ way: 'mod', by: 'threshold' });
    const steps = watch.steps(before).filter((step) => step !== 'waiting'); // where a slow machine begins again
    expect(steps.slice(0, 3)).toEqual(['detected', 'saving', 'saving']);
    expect(steps.slice(-5)).toEqual([
      'saving',
      'rechecking',
      'delivering',
      'verifying',
      'restored',
    ]);
    expect(record.newSessionId).toBe(await sessionId());
    await session.waitForScreen('a half-typed 질문 stays');
    expect(plugin.said).toEqual(
      expect.arrayContaining(['which colour has the logo', 'The colour is teal.']),
    );
  });

  it('A2 gives the next request what was known, and the user can read the very text', async () => {
    plugin.api.enqueue({ text: 'Going on.' });
    await session.press('Enter');
    await session.waitForScreen('Going on.');
    const request = JSON.stringify(plugin.conversation.at(-1)?.body.messages);
    expect(request).toContain('which colour has the logo');
    const given = readBriefing(plugin.bed.places, await sessionId()) ?? '';
    expect(request).toContain(JSON.stringify(given).slice(1, -1));
  });

  it('A2 K3 the model sums up the whole conversation first, where it can be asked', async () => {
    startWatch({ autoClear: { countdownSeconds: 0, cooldownMinutes: 0 } });
    const asked: string[] = [];
    plugin.answer = (request) => {
      const words = JSON.stringify(request.body.messages.slice(-2));
      if (!words.includes('Write the hand-over')) return undefined;
      asked.push(JSON.stringify(request.body.messages));
      return { text: HAND_OVER };
    };
    const before = await fill('and the favicon?', 'I will draw the favicon next.');
    const record = await watch.step(before, 'restored');
    expect(record.steps).toContainEqual(
      expect.objectContaining({ note: expect.objectContaining(message('clear.handOver')) }),
    );
    expect(asked.join()).toContain('I will draw the favicon next.');
    expect(plugin.memoryMd).toContain('The favicon in `icons/favicon.svg` is to be drawn.');
    const given = readBriefing(plugin.bed.places, await sessionId());
    expect(given).toContain('**Goal**\nThe logo in teal, for the harbour office.\n');
    expect(given).toContain('**Next step**\nThe favicon in `icons/favicon.svg` is to be drawn.\n');
  });

  it('A2 a prompt that is sent while it is being cleared goes to the new session, and is not wiped', async () => {
    await beginSmall();
    startWatch(AT_ONCE);
    let answered: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const before = await sessionId();
    plugin.api.enqueue(
      { text: 'The banner is blue.', usage: FULL, until },
      { text: 'And the footer is grey.' },
    );
    await session.say('which colour has the banner');
    await session.waitForState('busy');
    await session.type('and the footer');
    await session.waitForScreen('and the footer');
    const answer = `${modRequestPrefix(plugin.bed.places, session.pid)}${before}.answer.json`;
    mkdirSync(dirname(answer), { recursive: true });
    let isTaken = false; // it is there for a moment only: the system remembers it for us
    const watcher = watchFolder(dirname(answer), (_, name) => {
      isTaken ||= name === basename(answer);
    });
    onTestFinished(() => watcher.close());
    answered();
    await waitFor('the mod to take the ask', () => isTaken);
    await session.press('Enter');
    const { newSessionId } = await watch.step(before, 'restored');
    await session.waitForScreen('And the footer is grey.');
    expect(await sessionId()).toBe(newSessionId);
    await plugin.kept('And the footer is grey.');
  });

  it('A10 goes on with the hand-over, once, if that is switched on', async () => {
    startWatch({ autoClear: { ...AT_ONCE.autoClear, continue: true } });
    await session.type('my draft');
    await session.waitForScreen('my draft');
    for (let i = 0; i < 8; i++) await session.press('BSpace');
    const before = await sessionId();
    plugin.api.enqueue(
      { text: 'The first half is drawn.', usage: FULL },
      { text: 'The second half is drawn, too.' },
    );
    await session.say('draw the favicon');
    await plugin.kept('The first half is drawn.');
    const record = await watch.step(before, 'restored');
    expect(record.steps.at(-1)?.note).toMatchObject({ code: 'clear.continued' });
    await session.waitForScreen('The second half is drawn, too.');
    await session.waitForState('idle');
    const told = plugin.conversation.filter(({ body }) =>
      JSON.stringify(body.messages.slice(-2)).includes('Go on with the hand-over.'),
    );
    expect(told).toHaveLength(1);
    expect(JSON.stringify(told[0]?.body.messages)).toContain('draw the favicon');
  });

  it('A7 is left alone for a while after a clear', async () => {
    startWatch({ autoClear: { countdownSeconds: 0, summary: false } });
    const before = await fill('so soon again', 'Full again.');
    await watch.refusal('clear.coolingDown');
    expect(await sessionId()).toBe(before);
  });

  it('A6 a countdown comes first, and can be snoozed; then it is left alone for as long', async () => {
    startWatch({ autoClear: { ...AT_ONCE.autoClear, countdownSeconds: 600 } });
    const before = await fill('anything else', 'Nothing else.');
    const record = await watch.step(before, 'countdown');
    expect(record.countdownEnds).toBeDefined();
    await session.waitForScreen(new RegExp(String.raw`--cancel[\s│]+${session.pid}`)); // told to its last word, or nobody could stop it
    await plugin.bed.memoryKeeper(plugin.api, 'clear', '--snooze', before);
    const ended = await watch.step(before, 'cancelled');
    expect(ended.steps.at(-1)?.note).toMatchObject(message('clear.snoozed', { minutes: 30 }));
    await fill('one more', 'One more was said.');
    await watch.refusal('clear.putOff');
    expect(await sessionId()).toBe(before);
  });

  it('A6 a clear by hand does not ask whether it was put off', async () => {
    const before = await sessionId();
    await plugin.bed.memoryKeeper(plugin.api, 'clear', before);
    await waitFor('the new session', async () => (await sessionId()) !== before);
  });

  it('A6 A7 is left alone in quiet hours and when paused', async () => {
    const hour = (from: number) =>
      `${String((new Date().getHours() + from) % 24).padStart(2, '0')}:00`;
    startWatch({
      autoClear: { countdownSeconds: 0, cooldownMinutes: 0, quietHours: `${hour(0)}-${hour(2)}` },
    });
    const before = await fill('once more', 'In quiet hours.');
    await watch.refusal('clear.quietHours');
    await watch.stop();
    await plugin.bed.memoryKeeper(plugin.api, 'clear', '--pause');
    startWatch(AT_ONCE);
    await fill('and again', 'While it is paused.');
    await watch.refusal('clear.paused');
    await plugin.bed.memoryKeeper(plugin.api, 'clear', '--resume');
    expect(await sessionId()).toBe(before);
  });

  it('A6 waits for a yes in the mode ask', async () => {
    await beginSmall();
    startWatch({ autoClear: { ...AT_ONCE.autoClear, mode: 'ask' } });
    const before = await fill('ask me', 'I ask first.');
    const record = await watch.step(before, 'countdown');
    expect(record.steps.at(-1)?.note).toMatchObject(message('clear.asking'));
    await plugin.bed.memoryKeeper(plugin.api, 'clear', before);
    await waitFor('the new session', async () => (await sessionId()) !== before);
  });
});
