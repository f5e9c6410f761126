/**
 * The automatic clear by keys, in the terminals that can be read back: real CLIs, real tmux, screen
 * and kitty.
 */
import { statSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { FIXED_TEXTS, type FixedText, type MakeDriver } from '../../core/clear/delivery/driver.ts';
import { kittyDriver } from '../../core/clear/delivery/kitty.ts';
import { screenDriver } from '../../core/clear/delivery/screen.ts';
import { tmuxDriver } from '../../core/clear/delivery/tmux.ts';
import { type MessageCode, message } from '../../core/messages/message.ts';
import { type RunProgram, runProgram } from '../../core/process/run-program.ts';
import {
  CTRL_S,
  ESCAPE,
  KittyWindow,
  ScreenServer,
  TerminalBed,
  type TerminalSession,
  TmuxWindow,
} from '../bed/terminal-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const CTRL_O = '\x0f';
const CTRL_R = '\x12';
const NEWLINE = '\n';

async function deliver(
  bed: TerminalBed,
  make: MakeDriver,
  session: TerminalSession,
  text: FixedText = FIXED_TEXTS.clear,
) {
  return make(bed.tools).deliver(await session.target(), text);
}

/** Clears, waits for the new session and for the words that are to be back. */
async function clearKeeping(
  bed: TerminalBed,
  make: MakeDriver,
  session: TerminalSession,
  draft: string | RegExp,
): Promise<void> {
  const target = await session.target();
  expect(await make(bed.tools).deliver(target, FIXED_TEXTS.clear)).toEqual({ done: true });
  await session.waitForSessionAfter(target);
  await session.waitForScreen(draft);
}

/** The two ways in which Claude Code draws: with the alternate screen and inline. */
const INLINE = { CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: '1' };
const SUITES = [
  { piece: 'claudeWithoutMods', env: {}, view: 'full screen' },
  { piece: 'claude', env: INLINE, view: 'inline' },
] as const;

for (const { piece, env, view } of SUITES) {
  describeWith(`a clear in tmux (${piece}, ${view})`, ['tmux', piece], (paths) => {
    let bed: TerminalBed;
    let window: TmuxWindow;
    let session: TerminalSession & { pane: string };

    beforeAll(async () => {
      bed = await TerminalBed.start(paths[piece], { env });
      window = await TmuxWindow.open(bed);
      session = await window.openClaude();
      bed.api.enqueue({ text: 'All done.' });
      await session.say('first words');
      await session.waitForScreen('All done.');
      await session.waitForState('idle');
    });
    afterAll(() => bed?.remove());
    afterEach(async () => {
      await session.waitForState('idle');
      await session.emptyBox();
      expect(window.heard()).toBe('');
    });

    /** No key at all, as tmux itself tells it. */
    async function refused(code: MessageCode | RegExp, text?: FixedText): Promise<void> {
      const keys = window.keys();
      const delivery = await deliver(bed, tmuxDriver, session, text);
      expect(delivery).toEqual({
        done: false,
        reason: expect.objectContaining({ code: expect.stringMatching(code) }),
        touched: false,
      });
      expect(window.keys()).toEqual(keys);
    }

    it('A4 the pane is certain, and an empty box gets the text and nothing else', async () => {
      const place = await tmuxDriver(bed.tools).certainty(await session.target());
      expect(place).toEqual({
        certain: true,
        how: message('driver.tmuxHow', { place: 'work:0.1' }),
      });
      const before = window.keys().length;
      await clearKeeping(bed, tmuxDriver, session, /^❯\u00a0?$/m);
      const sent = window.keys().slice(before);
      expect(sent.map((key) => /\((.+?)(?:\[L\])?\) to (%\d+)/.exec(key)?.slice(1).join())).toEqual(
        ['/', 'c', 'l', 'e', 'a', 'r', String.raw`\r`].map((key) => `${key},${session.pane}`),
      );
    });

    it.each([
      ['English', 'half a thought about the login'],
      ['Korean', '로그인 오류를 고쳐줘'],
    ])('A5 a draft comes back by itself: %s', async (_, draft) => {
      await session.write(draft);
      await clearKeeping(bed, tmuxDriver, session, `❯\u00a0${draft}`);
    });

    it('A5 a draft of several lines comes back by itself', async () => {
      await session.write('the first line');
      await session.send(NEWLINE);
      await session.write('the second line');
      await clearKeeping(bed, tmuxDriver, session, /❯\u00a0the first line *\n {2}the second line/);
    });

    it('A5 words that Claude Code gets in the moment of our Enter are brought back', async () => {
      const target = await session.target();
      const run: RunProgram = async (program, args, options) => {
        const isEnter = args.some((arg) => / -H d$/.test(arg));
        if (!isEnter) return runProgram(program, args, options);
        process.kill(session.pid, 'SIGSTOP'); // so that nobody can see them in time
        await session.send('words of now');
        const sent = await runProgram(program, args, options);
        process.kill(session.pid, 'SIGCONT');
        return sent;
      };
      const delivery = await tmuxDriver({ ...bed.tools, run }).deliver(target, FIXED_TEXTS.clear);
      const reason = message('driver.wordsInBox');
      expect(delivery).toEqual({ done: false, reason, touched: true });
      await session.waitForScreen('❯\u00a0words of now');
      expect((await session.target()).sessionId).toBe(target.sessionId);
    });

    it('A3 Enter is not sent if something was typed since the box was read', async () => {
      const target = await session.target();
      const run: RunProgram = async (program, args, options) => {
        const isEnter = args.some((arg) => / -H d$/.test(arg));
        if (isEnter && !(await session.screen()).includes('/clearly')) {
          await session.send('ly');
          await session.waitForScreen('/clearly');
        }
        return runProgram(program, args, options);
      };
      const delivery = await tmuxDriver({ ...bed.tools, run }).deliver(target, FIXED_TEXTS.clear);
      expect(delivery).toMatchObject({
        done: false,
        reason: {
          code: 'driver.leftTyped',
          values: { reason: message('driver.boxChanged', { text: '/clearly' }) },
        },
        touched: true,
      });
      expect((await session.screen()).includes('❯\u00a0/clearly')).toBe(true);
    });

    it('A5 an older stash is never lost: with a draft no key is sent, with an empty box it comes back', async () => {
      await session.write('the older draft');
      await session.send(CTRL_S);
      await session.waitForScreen('› stashed');
      await session.write('the newer draft');
      await refused('driver.boxTwoDrafts');
      await session.emptyBox();
      await clearKeeping(bed, tmuxDriver, session, '❯\u00a0the older draft');
    });

    it('A5 a half-typed command is left alone while its list hides whether something is stashed', async () => {
      await session.write('/he', '/help');
      await refused('driver.boxHalfTyped');
    });

    it('A3 shell mode is left alone', async () => {
      await session.write('!ls', '!\u00a0ls');
      await refused('driver.boxShellMode');
    });

    it.each([
      ['the transcript', 'driver.boxTranscript', CTRL_O, /Showing detailed transcript/, CTRL_O],
      [
        'a search in earlier prompts',
        'driver.boxSearch',
        CTRL_R,
        /search prompts:|Filter history/,
        ESCAPE,
      ],
    ] as const)('A3 %s is left alone', async (_, code, open, shown, close) => {
      await session.send(open);
      await session.waitForScreen(shown);
      await refused(code);
      await session.send(close);
      await waitFor('it to close', async () => !shown.test(await session.screen()));
    });

    it('A3 the rewind dialog is left alone', async () => {
      await session.say('words to rewind');
      await session.waitForScreen(/● ok/);
      await session.waitForState('idle');
      await session.send(ESCAPE);
      await session.send(ESCAPE);
      await session.waitForScreen('Rewind');
      // Newer ones say themselves that a dialog is open.
      await refused(/^(?:driver\.boxHidden|clear\.waitingFor)$/);
      await session.send(ESCAPE);
      await session.waitForScreen(/^❯\u00a0?$/m);
    });

    it('A3 B16 a question for permission is left alone, and a busy session', async () => {
      const asked = {
        name: 'Bash',
        input: { command: 'touch made-by-test', description: 'Make a file' },
      };
      bed.api.enqueue({ toolUses: [asked] });
      await session.say('make a file');
      await session.waitForState('waiting');
      await session.waitForScreen('Do you want to proceed?');
      await refused('clear.waitingFor');
      await session.closeDialog();
      const { promise, resolve: answer } = Promise.withResolvers<void>();
      bed.api.enqueue({ text: 'Slowly done.', until: promise });
      await session.say('something slow');
      await session.waitForState('busy');
      const keys = window.keys();
      expect(await deliver(bed, tmuxDriver, session)).toEqual({
        done: false,
        reason: message('clear.busy'),
        touched: false,
      });
      expect(window.keys()).toEqual(keys);
      answer();
      await session.waitForScreen('Slowly done.');
    });

    it('A3 copy mode and synchronised panes of tmux are left alone', async () => {
      await window.tmux('copy-mode', '-t', session.pane);
      await refused('driver.tmuxCopyMode');
      await window.tmux('send-keys', '-t', session.pane, '-X', 'cancel');
      await window.tmux('set-option', '-w', '-t', 'work', 'synchronize-panes', 'on');
      await refused('driver.tmuxSynchronized');
      await window.tmux('set-option', '-w', '-t', 'work', 'synchronize-panes', 'off');
    });

    it('A10 the sentence to go on is sent to an empty box, and never over a draft', async () => {
      await session.write('my own draft');
      await refused('driver.boxDraft', FIXED_TEXTS.continue);
      await session.emptyBox();
      bed.api.enqueue({ text: 'Going on.' });
      expect(await deliver(bed, tmuxDriver, session, FIXED_TEXTS.continue)).toEqual({ done: true });
      await session.waitForScreen('Going on.');
      expect(JSON.stringify(bed.api.requests.at(-1)?.body.messages)).toContain(
        FIXED_TEXTS.continue,
      );
    });

    it('A3 of two sessions side by side only the one that is meant gets keys', async () => {
      const other = await window.openClaude();
      const [own, theirs] = [await session.target(), await other.target()];
      const before = window.keys().length;
      await clearKeeping(bed, tmuxDriver, other, /^❯\u00a0?$/m);
      const sent = window.keys().slice(before);
      expect(sent.length).toBeGreaterThan(0);
      expect(sent.filter((key) => !key.endsWith(other.pane))).toEqual([]);
      expect(await session.target()).toEqual(own);
      const past = await tmuxDriver(bed.tools).deliver(theirs, FIXED_TEXTS.clear);
      expect(past).toEqual({
        done: false,
        reason: message('clear.sessionReplaced'),
        touched: false,
      });
    });
  });

  describeWith(`a clear in vim mode (${piece}, ${view})`, ['tmux', piece], (paths) => {
    let bed: TerminalBed;
    let session: TerminalSession;

    beforeAll(async () => {
      bed = await TerminalBed.start(paths[piece], { env, isVim: true });
      session = await (await TmuxWindow.open(bed)).openClaude();
    });
    afterAll(() => bed?.remove());

    it('A5 works in INSERT mode and in NORMAL mode, with a draft', async () => {
      await session.waitForScreen('-- INSERT --');
      await session.write('a vim draft');
      await clearKeeping(bed, tmuxDriver, session, '❯\u00a0a vim draft');
      await session.send(ESCAPE);
      await waitFor('NORMAL mode', async () => !(await session.screen()).includes('-- INSERT --'));
      await clearKeeping(bed, tmuxDriver, session, '❯\u00a0a vim draft');
      expect(bed.api.requests).toEqual([]);
    });
  });
}

describeWith('a suggestion of Claude Code in the box', ['tmux', 'screen', 'claude'], (paths) => {
  const env = { ...INLINE, CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'true' };
  const suggestion = 'run the tests for it';

  it.each([
    [
      'with styles',
      tmuxDriver,
      async (bed: TerminalBed) => (await TmuxWindow.open(bed)).openClaude(),
    ],
    [
      'without styles',
      screenDriver,
      async (bed: TerminalBed) => (await ScreenServer.open(bed)).openClaude(),
    ],
  ] as const)('A5 is no draft, in a terminal %s', async (_, make, open) => {
    const bed = await TerminalBed.start(paths.claude, { env });
    onTestFinished(() => bed.remove());
    bed.api.script(({ body }) =>
      JSON.stringify(body.messages.at(-1)).includes('SUGGESTION MODE')
        ? { text: suggestion }
        : undefined,
    );
    const session = await open(bed);
    for (const words of ['fix the login', 'fix the logout']) {
      bed.api.enqueue({ text: `Done: ${words}. Shall I run the tests?` });
      await session.say(words);
      await session.waitForScreen(`Done: ${words}`);
      await session.waitForState('idle');
    }
    await session.waitForScreen(`❯\u00a0${suggestion}`);
    await clearKeeping(bed, make, session, /^❯\u00a0? *$/m);
  });
});

interface Opened {
  bed: TerminalBed;
  session: TerminalSession;
  heard: () => string;
}

/**
 * Draft, stash, shell mode and dialogs, while the neighbour hears nothing. Gives back what was
 * opened, once it is.
 */
function behavesWell(make: MakeDriver, open: () => Promise<Opened>): () => Opened {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.bed.remove());
  afterEach(() => expect(opened.heard()).toBe(''));

  it('A4 the place is certain, an empty box is cleared, and a draft comes back', async () => {
    const { bed, session } = opened;
    expect(await make(bed.tools).certainty(await session.target())).toMatchObject({
      certain: true,
    });
    expect(await tmuxDriver(bed.tools).certainty(await session.target())).toMatchObject({
      certain: false,
    });
    await clearKeeping(bed, make, session, /^❯\u00a0?/m);
    await session.write('half a thought');
    await clearKeeping(bed, make, session, '❯\u00a0half a thought');
  });

  it('A5 an older stash is never lost, and shell mode is left alone', async () => {
    const { bed, session } = opened;
    await session.send(CTRL_S);
    await session.waitForScreen(/[›:] stashed/);
    await session.write('another');
    await refusedQuietly(make, opened, 'driver.boxTwoDrafts');
    await session.emptyBox();
    await clearKeeping(bed, make, session, '❯\u00a0half a thought');
    await session.emptyBox();
    await session.write('!ls', '!\u00a0ls');
    await refusedQuietly(make, opened, 'driver.boxShellMode');
    await session.emptyBox();
  });

  it('A3 B16 the transcript and a question for permission are left alone', async () => {
    const { bed, session } = opened;
    await session.send(CTRL_O);
    await session.waitForScreen('Showing detailed transcript');
    await refusedQuietly(make, opened, 'driver.boxTranscript');
    await session.send(CTRL_O);
    await waitFor(
      'it to close',
      async () => !(await session.screen()).includes('Showing detailed transcript'),
    );
    bed.api.enqueue({
      toolUses: [
        { name: 'Bash', input: { command: 'touch made-by-test', description: 'Make a file' } },
      ],
    });
    await session.say('make a file');
    await session.waitForState('waiting');
    await session.waitForScreen('Do you want to proceed?');
    await refusedQuietly(make, opened, 'clear.waitingFor');
    await session.closeDialog();
    await session.waitForScreen(/^❯\u00a0/m);
  });

  return () => opened;
}

/** Nothing was run that sends keys, and the prompt box or the dialog is as before. */
async function refusedQuietly(
  make: MakeDriver,
  { bed, session }: Opened,
  code: MessageCode,
): Promise<void> {
  const ran: string[] = [];
  const run: RunProgram = (file, args, options) => {
    ran.push(...args);
    return bed.tools.run(file, args, options);
  };
  const rowsWithSign = async () =>
    (await session.screen()).match(/^ *[❯!](?! for shell mode).*$/gm); // a hint comes and goes
  const before = await rowsWithSign();
  const delivery = await make({ ...bed.tools, run }).deliver(
    await session.target(),
    FIXED_TEXTS.clear,
  );
  expect(delivery).toEqual({
    done: false,
    reason: expect.objectContaining({ code }),
    touched: false,
  });
  expect(ran.filter((word) => word === 'stuff' || word.startsWith('send-'))).toEqual([]);
  expect(await rowsWithSign()).toEqual(before);
}

describeWith('a clear in screen', ['screen', 'claudeWithoutMods'], (paths) => {
  let server: ScreenServer;

  const opened = behavesWell(screenDriver, async () => {
    const bed = await TerminalBed.start(paths.claudeWithoutMods, {
      env: { ...INLINE, TERM: 'screen-256color' },
    });
    server = await ScreenServer.open(bed);
    return { bed, session: await server.openClaude(), heard: server.heard };
  });

  it('A3 a window that has another number by now is noticed before Enter, whatever is shown in its place', async () => {
    const { bed, session } = opened();
    await server.screen('-p', '1', '-X', 'number', '0');
    await refusedQuietly(screenDriver, opened(), 'driver.boxHidden');
    await server.screen('-p', '0', '-X', 'number', '1');
    const other = await server.openClaude(2);
    const [own, theirs] = [await session.target(), await other.target()];
    await server.screen('-p', '1', '-X', 'number', '2');
    const tty = (await bed.tools.processes.lookUp([session.pid])).get(session.pid)?.tty ?? '';
    // Linux notes to eight seconds when a tty was read.
    await waitFor(
      'the terminal to be unused for a while',
      () => Date.now() - statSync(tty).atimeMs > 16_000,
    );
    expect(await screenDriver(bed.tools).deliver(own, FIXED_TEXTS.clear)).toMatchObject({
      done: false,
      reason: {
        code: 'driver.leftTyped',
        values: { reason: message('driver.keysLost'), typed: '/' },
      },
      touched: true,
    });
    expect([await session.target(), await other.target()]).toEqual([own, theirs]);
  });
});

describeWith('a clear in kitty', ['kitty', 'Xvfb', 'claude'], (paths) => {
  behavesWell(kittyDriver, async () => {
    const bed = await TerminalBed.start(paths.claude, { env: { TERM: 'xterm-kitty' } });
    const window = await KittyWindow.open(bed);
    return { bed, session: await window.openClaude(), heard: window.heard };
  });
});
