/** The automatic clear by keys in a real tmux, with a real CLI. */

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { FIXED_TEXTS, type FixedText } from '../../../core/clear/delivery/driver.ts';
import { tmuxDriver } from '../../../core/clear/delivery/tmux.ts';
import type { MessageCode } from '../../../core/messages/message.ts';
import { message } from '../../../core/messages/message.ts';
import { type RunProgram, runProgram } from '../../../core/platform/process/run-program.ts';
import type { CliPiece } from '../../bed/prepare.ts';
import {
  CTRL_S,
  ESCAPE,
  TerminalBed,
  type TerminalSession,
  TmuxWindow,
} from '../../bed/terminal-bed.ts';
import { waitFor } from '../../bed/wait-for.ts';
import { describeWith } from '../../bed/with-pieces.ts';
import { clearKeeping, deliver } from './deliver.ts';

const CTRL_O = '\x0f';
const CTRL_R = '\x12';
const NEWLINE = '\n';

interface Way {
  piece: CliPiece;
  env: Record<string, string>;
  view: string;
}

export function clearsInTmux({ piece, env, view }: Way): void {
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
