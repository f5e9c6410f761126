import { describe, expect, it, vi } from 'vitest';
import { seeds } from '../tests/bed/seeds.ts';

interface Message {
  role: string;
  text: string;
  toolUses: { tool_use_id: string; input?: unknown }[];
  toolResults?: { tool_use_id: string; text: string }[];
  handle?: string;
}

/** Plain JavaScript, which runs inside Claude Code. */
const mod = await import(new URL('./compactor.js', import.meta.url).href);
const { answerWith, beforeCompact, newestMessages, readText, shownText, takeAnswered } = mod;

const BRIEFING = `[MEMORY KEEPER] Conversation compacted.\n<remembered-notes source="x">\n${'notes '.repeat(40)}</remembered-notes>`;
const prompt = (text: string): Message => ({ role: 'user', text, toolUses: [] });
const reply = (text: string): Message => ({ role: 'assistant', text, toolUses: [] });
const thinking = (): Message => reply('');
const call = (id: string): Message => ({ ...reply(''), toolUses: [{ tool_use_id: id }] });
const result = (id: string, text = 'done'): Message => ({
  ...prompt(''),
  toolResults: [{ tool_use_id: id, text }],
});
/** So that what follows is a small part of the conversation. */
const before = Array.from({ length: 40 }, (_, n) => prompt(`${n} ${'long '.repeat(400)}`));

describe('a text for the compaction', () => {
  const json = (fields: object) => JSON.stringify({ sessionId: 'one', text: BRIEFING, ...fields });

  it('K4 is taken if it is whole and of this session', () => {
    expect(readText(json({}), 'one')).toBe(BRIEFING);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{"sessionId":"one","text":"[MEMORY KEEPER] '],
    ['no object', 'null'],
    ['another session', json({ sessionId: 'two' })],
    ['no text', json({ text: undefined })],
    ['an empty text', json({ text: '' })],
    ['too short a text', json({ text: '[MEMORY KEEPER] x' })],
    ['too long a text', json({ text: BRIEFING.repeat(1000) })],
    ['another beginning', json({ text: `Do this: ${BRIEFING}` })],
    ['a list', json({ text: [BRIEFING] })],
  ])('K4 is of no use: %s', (_, text) => {
    expect(readText(text, 'one')).toBeUndefined();
  });

  it('K4 may say that Claude Code shall compact in its own way', () => {
    expect(readText('{"isDeclined":true}', 'one')).toBeNull();
  });

  it('K4 is shown to the user as one line, and whole on request; what was typed stays', () => {
    const [line] = BRIEFING.split('\n');
    expect(shownText({ text: BRIEFING, isExpanded: false })).toBe(line);
    expect(shownText({ text: BRIEFING, isExpanded: true })).toBe(BRIEFING);
    for (const text of ['', 'hello\nyou', '[MEMORY KEEPER] said I\nand so on'])
      expect(shownText({ text, isExpanded: false })).toBe(text);
  });
});

describe('the newest messages', () => {
  it('K4 are kept unchanged, from a prompt on', () => {
    const kept = [prompt('second'), reply('all done')];
    expect(newestMessages([...before, prompt('x'.repeat(20_000)), reply('ok'), ...kept])).toEqual([
      reply('ok'),
      ...kept,
    ]);
  });

  it('K4 have no result without its call and no call without the thinking before it', () => {
    const huge = result('a', 'x'.repeat(20_000));
    const last = [thinking(), call('b'), call('c'), result('c'), result('b')];
    const messages = [...before, prompt('go'), thinking(), call('a'), huge];
    expect(newestMessages([...messages, ...last])).toEqual(last);
    // A part of a reply: its thinking is too far back.
    expect(newestMessages([...messages, call('b'), result('b')])).toEqual([]);
  });

  it('K4 are none if the last step alone is too long', () => {
    const messages = [...before, prompt('go'), call('a'), result('a', 'x'.repeat(20_000))];
    expect(newestMessages(messages)).toEqual([]);
  });

  it('K4 leave out an earlier briefing, and most of a short conversation', () => {
    const messages = [...before, prompt(BRIEFING), prompt('go'), reply('went')];
    expect(newestMessages(messages)).toEqual([prompt('go'), reply('went')]);
    expect(newestMessages([prompt('go'), reply('went')])).toEqual([]);
  });

  it.each(seeds(40))('K4 are whole whatever the conversation is (seed %i)', (seed) => {
    const messages = [...before, ...madeUp(seed)];
    const kept: Message[] = newestMessages(messages);
    expect(messages.slice(messages.length - kept.length)).toEqual(kept);
    const calls = kept.flatMap(({ toolUses }) => toolUses.map((each) => each.tool_use_id));
    for (const { toolResults = [] } of kept)
      for (const { tool_use_id } of toolResults) expect(calls).toContain(tool_use_id);
    expect(JSON.stringify(kept).length).toBeLessThan(24_000);
  });
});

/** Turns of random steps with several calls at once, of random length. */
function madeUp(seed: number): Message[] {
  let state = seed * 7919;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  return Array.from({ length: 30 }, (_, step) => {
    if (random(4) === 0) return [prompt('p'.repeat(random(3000)))];
    const ids = Array.from({ length: 1 + random(3) }, (__, n) => `${seed}-${step}-${n}`);
    return [
      ...(random(2) === 0 ? [thinking()] : []),
      ...(random(2) === 0 ? [reply('r'.repeat(1 + random(2000)))] : []),
      ...ids.map(call),
      ...ids.map((id) => result(id, 'o'.repeat(random(6000)))),
    ];
  }).flat();
}

describe('an answer to a compaction', () => {
  const long = prompt('x'.repeat(20_000));
  const e = { trigger: 'auto', messages: [...before, long, prompt('go'), reply('went')] };
  const onAnswered = vi.fn();
  const about = (next: unknown) => ({ e, next, sessionId: 'one', onAnswered });
  const tooShort = async () => {
    throw new Error('Not enough messages');
  };
  /** Claude Code runs the hooks, and then finds too little to compact. */
  const claudeCode = (hooks: object, after: () => Promise<unknown> = tooShort) =>
    vi.fn(async () => {
      await beforeCompact(undefined, {}, async () => hooks);
      return after();
    });

  it('K4 comes after the hooks of others, with nothing for a model to sum up', async () => {
    const next = claudeCode({});
    const { messages } = await answerWith(BRIEFING, about(next));
    expect(messages).toEqual([
      { role: 'user', text: BRIEFING, toolUses: [], toolResults: [] },
      prompt('go'),
      reply('went'),
    ]);
    expect(next).toHaveBeenCalledTimes(1);
    expect(next.mock.calls).toMatchObject([[{ trigger: 'auto', messages: [{ text: '' }] }]]);
    expect(onAnswered).toHaveBeenCalledTimes(1);
    expect(takeAnswered({ session_id: 'one', source: 'compact' })).toBe(true);
    expect(takeAnswered({ session_id: 'one', source: 'compact' })).toBe(false);
  });

  it('K4 is none if another hook forbids it', async () => {
    onAnswered.mockClear();
    const skip = async () => ({ skip: 'not now' });
    expect(await answerWith(BRIEFING, about(claudeCode({}, skip)))).toEqual({ skip: 'not now' });
    const blocked = claudeCode({ block: 'not today' });
    expect(await answerWith(BRIEFING, about(blocked))).toEqual({ skip: 'not today' });
    expect(onAnswered).not.toHaveBeenCalled();
    expect(takeAnswered({ session_id: 'one', source: 'compact' })).toBe(false);
  });

  it('K4 leaves it to Claude Code if it fails before the hooks have run', async () => {
    const own = { messages: [prompt('its own summary')] };
    const next = vi.fn(async (input: typeof e) => {
      if (input.messages.length === 1) throw new Error('something else');
      return own;
    });
    expect(await answerWith(BRIEFING, about(next))).toBe(own);
  });

  it('K4 is none if the user stops it', async () => {
    const next = Object.assign(claudeCode({}), { signal: { aborted: true } });
    await expect(answerWith(BRIEFING, about(next))).rejects.toThrow();
  });

  it('K4 briefs another session, or one that starts otherwise, as always', async () => {
    for (const start of [
      { session_id: 'two', source: 'compact' },
      { session_id: 'one', source: 'clear' },
    ]) {
      await answerWith(BRIEFING, about(claudeCode({})));
      expect(takeAnswered(start)).toBe(false);
    }
  });
});
