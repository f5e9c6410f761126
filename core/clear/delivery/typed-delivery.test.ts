/**
 * The careful sequence against a prompt box that goes wrong in ways a real one does only now and
 * then.
 */
import { describe, expect, it } from 'vitest';
import { type Message, message } from '../../messages/message.ts';
import { FIXED_TEXTS, type FixedText } from './driver.ts';
import type { Screen } from './prompt-box.ts';
import { deliverTyped, type ReadableTerminal, type Sent } from './typed-delivery.ts';

const BUSY = message('clear.busy');
const leftDraft = (reason: Message) => message('driver.leftDraft', { reason });
const leftTyped = (reason: Message, typed: string) =>
  message('driver.leftTyped', { reason, typed });
const RULE = '─'.repeat(60);

/** A prompt box that behaves as Claude Code's, with every key it got. */
class FakeBox implements ReadableTerminal {
  text = '';
  stash: string | undefined;
  mode: 'insert' | 'normal' | undefined;
  isSearching = false;
  isStyled = true;
  /** A suggestion, shown while the box is empty. */
  ghost = '';
  /** Shown above the box, as a list of commands is. */
  list: string[] = [];
  keys = '';
  sent: string[] = [];
  unreadable: Message | undefined;
  /** What Claude Code says further up. */
  said: string[] = [];
  /** What was sent last. */
  history = '';
  isAtStart = false;
  /** What happens once these keys were sent. */
  meanwhile: Record<string, () => void> = {};

  async read(): Promise<Screen | { unreadable: Message }> {
    if (this.unreadable !== undefined) return { unreadable: this.unreadable };
    if (this.isSearching)
      return {
        lines: ['  Search prompts · everywhere', '  │ ⌕ Filter history…'],
        isStyled: this.isStyled,
      };
    const dim = this.isStyled
      ? `\x1b[7m${this.ghost.slice(0, 1)}\x1b[0;2m${this.ghost.slice(1)}\x1b[0m`
      : this.ghost;
    const shown = this.text === '' ? dim : this.text;
    const hint = this.stash === undefined ? '' : `${' '.repeat(49)}› stashed`;
    const rows = shown
      .split('\n')
      .map((line, index) => (index === 0 ? `❯\u00a0${line}` : `  ${line}`));
    const lines = [
      ...this.said,
      ...(this.list.length > 0 ? this.list : [hint]),
      RULE,
      ...rows,
      RULE,
      this.mode === 'insert' ? '  -- INSERT --' : '  ? for shortcuts',
    ];
    const column = 2 + (rows.at(-1)?.length ?? 2) - 2;
    const top = this.said.length + Math.max(1, this.list.length);
    const cursor =
      this.text === '' || this.isAtStart
        ? { row: top + 1, column: 2 }
        : { row: top + rows.length, column };
    return { lines, isStyled: this.isStyled, cursor };
  }

  async send(keys: string): Promise<Sent> {
    this.sent.push(keys);
    if (keys === '\x1b[A') this.text = this.history;
    else if (keys === '\x1b[3~') this.text = this.text.slice(1);
    else for (const key of keys) this.#press(key);
    this.meanwhile[keys]?.();
    return { ok: true };
  }

  #press(key: string): void {
    this.keys += key;
    if (this.isSearching) this.isSearching = key !== '\x1b';
    else if (key === '\x13')
      [this.text, this.stash] = this.text === '' ? [this.stash ?? '', undefined] : ['', this.text];
    else if (this.mode === 'normal') this.#command(key);
    else if (key === '\x7f') this.text = this.text.slice(0, -1);
    else if (key === '\x01' || key === '\x05') this.isAtStart = key === '\x01';
    else if (key === '\r') this.#enter();
    else this.text += key;
  }

  #enter(): void {
    this.history = this.text;
    if (/^\/clear\S/.test(this.text)) this.said = [`● Unknown command: ${this.text.split(' ')[0]}`];
    [this.text, this.stash] = [this.stash ?? '', undefined];
  }

  #command(key: string): void {
    if (key === '/') this.isSearching = true;
    if (key === 'i') this.mode = 'insert';
  }
}

const deliver = (
  terminal: ReadableTerminal,
  refusal: () => Message | undefined = () => undefined,
  text: FixedText = FIXED_TEXTS.clear,
) => deliverTyped({ terminal, text, refusal: async () => refusal(), echoTimeoutMs: 100 });

describe('typing into a prompt box', () => {
  it('A5 an empty box gets the text and the Enter', async () => {
    const box = new FakeBox();
    expect(await deliver(box)).toEqual({ done: true });
    expect(box.keys).toBe('/clear\r');
  });

  it('B15 Enter goes by itself, and only once the text is seen in the box', async () => {
    const box = new FakeBox();
    const seen: string[] = [];
    const [read, send] = [box.read.bind(box), box.send.bind(box)];
    box.read = () => {
      seen.push(box.text);
      return read();
    };
    box.send = (keys) => {
      if (keys.includes('\r')) seen.push(JSON.stringify(keys));
      return send(keys);
    };
    expect(await deliver(box)).toEqual({ done: true });
    const enter = seen.indexOf(String.raw`"\r"`);
    expect(seen[enter - 1]).toBe('/clear');
    expect(seen.lastIndexOf(String.raw`"\r"`)).toBe(enter);
  });

  it.each<[string, Partial<FakeBox>]>([
    ['a draft', { text: 'draft' }],
    ['an older stash', { text: 'new', stash: 'old' }],
    ['a suggestion', { ghost: 'run the tests', isStyled: false }],
    ["vim's NORMAL mode", { text: 'draft', mode: 'normal' }],
    ['another command in the list', { list: ['  ❯ /commit   Commit'] }],
  ])(
    'B14 never is Ctrl+C sent, which ends Claude Code when it comes twice: %s',
    async (_, state) => {
      const box = Object.assign(new FakeBox(), state);
      await deliver(box);
      expect(box.keys).not.toContain('\x03');
    },
  );

  it('A5 a draft is put aside and comes back', async () => {
    const box = Object.assign(new FakeBox(), { text: '로그인을 고쳐줘\n그리고 시험도' });
    expect(await deliver(box)).toEqual({ done: true });
    expect(box.text).toBe('로그인을 고쳐줘\n그리고 시험도');
  });

  it('A5 an older stash is never lost: with a draft no key is sent', async () => {
    const box = Object.assign(new FakeBox(), { text: 'new', stash: 'old' });
    expect(await deliver(box)).toMatchObject({
      done: false,
      reason: message('driver.boxTwoDrafts'),
      touched: false,
    });
    expect(box).toMatchObject({ keys: '', text: 'new', stash: 'old' });
  });

  it('A5 an older stash comes back after the clear if the box was empty', async () => {
    const box = Object.assign(new FakeBox(), { stash: 'old' });
    expect(await deliver(box)).toEqual({ done: true });
    expect(box.text).toBe('old');
  });

  it('A10 the sentence to go on is typed into an empty box only', async () => {
    const box = Object.assign(new FakeBox(), { text: 'mine' });
    expect(await deliver(box, undefined, FIXED_TEXTS.continue)).toEqual({
      done: false,
      reason: message('driver.boxDraft'),
      touched: false,
    });
    const empty = new FakeBox();
    expect(await deliver(empty, undefined, FIXED_TEXTS.continue)).toEqual({ done: true });
    expect(empty.keys).toBe('Go on with the hand-over.\r');
  });

  it("A5 in vim's NORMAL mode the search that opens is closed and INSERT mode is gone to first", async () => {
    const box = Object.assign(new FakeBox(), { mode: 'normal', text: 'draft' });
    expect(await deliver(box)).toEqual({ done: true });
    expect(box).toMatchObject({ text: 'draft', keys: '\x13/\x1bi/clear\r' });
  });

  it('A5 a suggestion is no draft, in a terminal with styles and in one without', async () => {
    const styled = Object.assign(new FakeBox(), { ghost: 'run the tests' });
    expect(await deliver(styled)).toEqual({ done: true });
    expect(styled.keys).toBe('/clear\r');
    const plain = Object.assign(new FakeBox(), { ghost: 'run the tests', isStyled: false });
    expect(await deliver(plain)).toEqual({ done: true });
    expect(plain.keys).toBe('\x13/clear\r');
  });
});

describe('what happens meanwhile', () => {
  /** A user types right before Enter. */
  const typedInto = (box: FakeBox) => {
    const send = box.send.bind(box);
    box.send = (keys) => {
      if (keys === '\r') box.text += 'words of now';
      return send(keys);
    };
    return box;
  };
  const busyFrom = (count: number) => {
    let asked = 0;
    return () => (++asked >= count ? BUSY : undefined);
  };

  it('A3 a session that gets busy before the first key gets none', async () => {
    const box = Object.assign(new FakeBox(), { text: 'draft' });
    expect(await deliver(box, busyFrom(1))).toEqual({
      done: false,
      reason: BUSY,
      touched: false,
    });
    expect(box.keys).toBe('');
  });

  it('A3 one that gets busy after the stash gets no more keys, and the user learns where the draft is', async () => {
    const box = Object.assign(new FakeBox(), { text: 'draft' });
    expect(await deliver(box, busyFrom(3))).toEqual({
      done: false,
      reason: leftDraft(BUSY),
      touched: true,
    });
    expect(box.keys).toBe('\x13');
  });

  it('A3 one that is refused for a moment gets its draft back and nothing else', async () => {
    const box = Object.assign(new FakeBox(), { text: 'draft' });
    let asked = 0;
    expect(await deliver(box, () => (++asked === 3 ? BUSY : undefined))).toEqual({
      done: false,
      reason: BUSY,
      touched: true,
    });
    expect(box).toMatchObject({ text: 'draft', stash: undefined, keys: '\x13\x13' });
  });

  it('A3 Enter is not pressed on a text that the user typed on', async () => {
    const box = new FakeBox();
    box.meanwhile.clear = () => {
      box.text += 'ly';
    };
    expect(await deliver(box)).toMatchObject({
      done: false,
      reason: leftTyped(message('driver.boxChanged', { text: '/clearly' }), '/clear'),
      touched: true,
    });
    expect(box.keys).not.toContain('\r');
    expect(box.keys).not.toContain('\x7f');
  });

  it('A5 words that went along with Enter are brought back, without ours', async () => {
    const box = typedInto(new FakeBox());
    expect(await deliver(box)).toEqual({
      done: false,
      reason: message('driver.wordsInBox'),
      touched: true,
    });
    expect(box.text).toBe('words of now');
  });

  it('A5 words that went along with Enter are brought back though a draft came in their place, and that is stashed again', async () => {
    const box = typedInto(Object.assign(new FakeBox(), { text: 'draft' }));
    expect(await deliver(box)).toEqual({
      done: false,
      reason: leftDraft(message('driver.wordsInBox')),
      touched: true,
    });
    expect(box).toMatchObject({ text: 'words of now', stash: 'draft' });
  });

  it('A5 words that went along with Enter in vim mode are reported', async () => {
    const box = typedInto(Object.assign(new FakeBox(), { mode: 'insert' as const }));
    const reason = message('driver.wordsInHistory');
    expect(await deliver(box)).toEqual({ done: false, reason, touched: true });
    expect(box).toMatchObject({ text: '', history: '/clearwords of now' });
  });

  it('A5 words that went along with Enter are only reported while the user types on', async () => {
    const box = typedInto(new FakeBox());
    box.meanwhile['\r'] = () => {
      box.text = 'and more';
    };
    const reason = message('driver.wordsInHistory');
    expect(await deliver(box)).toEqual({ done: false, reason, touched: true });
    expect(box).toMatchObject({ text: 'and more', keys: '/clear\r' });
    expect(box.sent).not.toContain('\x1b[A');
  });

  it('A5 a command that was not known earlier, and that the list of commands covered meanwhile, is none of ours', async () => {
    const box = new FakeBox();
    const earlier = ['● Unknown skill: clearly'];
    box.said = earlier;
    box.meanwhile.clear = () => {
      box.said = [];
    };
    box.meanwhile['\r'] = () => {
      box.said = earlier;
    };
    expect(await deliver(box)).toEqual({ done: true });
    expect(box.sent.at(-1)).toBe('\r');
  });

  it('A5 a command that was not known earlier is no reason to bring anything back', async () => {
    const box = new FakeBox();
    box.said = ['● Unknown command: /clearly'];
    expect(await deliver(box)).toEqual({ done: true });
    expect(box.keys).toBe('/clear\r');
  });

  it('A3 a terminal that sends nothing because the screen has changed is asked again if the box is the same, and else no more', async () => {
    const moves = (box: FakeBox, change: () => void) => {
      const send = box.send.bind(box);
      let left = 2;
      box.send = (keys) => {
        if (keys !== '\r' || left-- <= 0) return send(keys);
        change();
        return Promise.resolve({ ok: false, reason: BUSY, isUnsent: true });
      };
      return box;
    };
    const same = moves(new FakeBox(), () => undefined);
    expect(await deliver(same)).toEqual({ done: true });
    const other = moves(new FakeBox(), () => {
      other.text = '/clear me';
    });
    expect(await deliver(other)).toMatchObject({
      done: false,
      reason: leftTyped(message('driver.boxChanged', { text: '/clear me' }), '/clear'),
    });
    expect(other.keys).not.toContain('\r');
  });

  it('A3 waits for a box that is hidden for a moment while Claude Code draws', async () => {
    const box = new FakeBox();
    const read = box.read.bind(box);
    let looks = 0;
    box.read = async () => (++looks % 3 === 0 ? { lines: ['drawing'], isStyled: true } : read());
    expect(await deliver(box)).toEqual({ done: true });
    expect(box.keys).toBe('/clear\r');
  });

  it('A3 B17 Enter is not pressed while the list of commands offers another one', async () => {
    const box = new FakeBox();
    box.list = ['  ❯ /commit   Commit', '    /clear    Clear'];
    expect(await deliver(box)).toEqual({
      done: false,
      reason: message('driver.boxOtherCommand'),
      touched: true,
    });
    expect(box).toMatchObject({ text: '', keys: `/clear${'\x7f'.repeat(6)}` });
    const slow = new FakeBox();
    slow.list = ['  ❯ /commit   Commit'];
    slow.meanwhile.clear = () => void setTimeout(() => (slow.list = ['  ❯ /clear   Clear']), 20);
    expect(await deliver(slow)).toEqual({ done: true });
  });

  it('A5 a text of which letters were lost is taken back, and the draft comes back', async () => {
    const box = Object.assign(new FakeBox(), { text: 'draft' });
    box.meanwhile.clear = () => {
      box.text = '/cle';
    };
    expect(await deliver(box)).toMatchObject({
      done: false,
      touched: true,
      reason: message('driver.boxChanged', { text: '/cle' }),
    });
    expect(box).toMatchObject({
      text: 'draft',
      stash: undefined,
      keys: '\x13/clear\x7f\x7f\x7f\x7f\x13',
    });
  });

  it('A5 a letter that went before a draft which looked like a suggestion is taken back', async () => {
    const box = Object.assign(new FakeBox(), { ghost: 'mine', isStyled: false });
    box.meanwhile['/'] = () => {
      box.text = '/mine'; // it was a draft with the cursor before it, and Ctrl+S was lost
    };
    const read = box.read.bind(box);
    box.read = async () => ({
      ...(await read()),
      cursor: { row: 2, column: box.text === '' ? 2 : 3 },
    });
    box.meanwhile['\x7f'] = () => {
      box.text = 'mine';
    };
    expect(await deliver(box)).toMatchObject({ done: false, touched: true });
    expect(box).toMatchObject({ text: 'mine', keys: '\x13/\x7f' });
  });

  it('A3 a box that vanishes behind a dialog gets no more keys', async () => {
    const box = Object.assign(new FakeBox(), { text: 'draft' });
    box.meanwhile['/'] = () => {
      box.unreadable = message('driver.boxHidden');
    };
    const delivery = await deliver(box);
    expect(delivery).toMatchObject({
      done: false,
      touched: true,
      reason: leftDraft(leftTyped(message('driver.boxHidden'), '/')),
    });
    expect(box.keys).toBe('\x13/');
  });

  it('A5 a draft that does not go away is left alone', async () => {
    const box = Object.assign(new FakeBox(), { text: 'draft' });
    box.send = async (keys) => {
      box.keys += keys; // lost on the way
      return { ok: true };
    };
    expect(await deliver(box)).toEqual({
      done: false,
      reason: message('driver.boxNotStashed'),
      touched: true,
    });
    expect(box).toMatchObject({ text: 'draft', keys: '\x13' });
  });

  it('A3 a terminal that fails to send is reported, and may have been touched', async () => {
    const box = new FakeBox();
    const reason = message('driver.programFailed', { driver: 'tmux', reason: 'no answer' });
    box.send = async () => ({ ok: false, reason });
    expect(await deliver(box)).toEqual({
      done: false,
      reason,
      touched: true,
    });
  });
});
