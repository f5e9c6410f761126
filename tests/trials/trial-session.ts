/**
 * One of the six sessions as its user has it in hand: what is typed is counted, so that the judge
 * can tell it from what others type.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectedTranscript } from '../../core/claude/transcript/locate.ts';
import { FIXED_TEXTS } from '../../core/clear/delivery/driver.ts';
import type { ClaudeSession } from '../bed/claude.ts';
import { run } from '../bed/run.ts';
import { waitFor } from '../bed/wait-for.ts';
import type { Conversation, Prompt } from './conversation.ts';
import type { Cast, SessionPlan, State, TrialPlan } from './plan.ts';
import type { Trace } from './witness.ts';

const STASHED = '› stashed';
const SEARCH = /search prompts:|no matching prompt:|Filter history|Search prompts/;
const TRANSCRIPT = 'Showing detailed transcript';
/** A user looks at what stands there before pressing Enter. */
const LOOKED_FOR_MS = 1500;

/** Who sees that a key did nothing presses it again. */
const PRESSED_AGAIN_MS = 3000;
/** Nobody presses Enter sooner after the last letter. */
const REACTION_MS = 250;

export class TrialSession {
  readonly number: number;
  readonly cast: Cast;
  readonly trace: Trace;
  /** Keys that the test has sent since the beginning. */
  sentKeys = 0;
  /** Words that are in the user's hands: each must stand in the box or in the stash in the end. */
  drafts: string[] = [];
  /** A command that nobody has allowed. */
  forbidden = '';
  isFull = false;
  readonly #claude: ClaudeSession;
  readonly #configDir: string;
  readonly #pane: string;
  readonly #talk: Conversation;
  #held: Prompt | undefined;

  constructor(
    number: number,
    cast: Cast,
    claude: ClaudeSession,
    configDir: string,
    trace: Trace,
    talk: Conversation,
  ) {
    this.#configDir = configDir;
    this.number = number;
    this.cast = cast;
    this.#claude = claude;
    this.trace = trace;
    this.#pane = trace.pane.split(' ')[1] as string;
    this.#talk = talk;
  }

  get pid(): number {
    return this.#claude.pid;
  }

  get sessionId(): string {
    return this.trace.now?.sessionId ?? '';
  }

  get name(): string {
    const { kind, isNew, isVim } = this.cast;
    return `session ${this.number} (${isNew ? 'new' : 'old'}, ${kind}${isVim ? ', vim' : ''})`;
  }

  /**
   * Brings it into the state of the plan; where the plugin signals by itself, all but the end of
   * the turn.
   */
  async prepare({ seed, index }: TrialPlan, plan: SessionPlan): Promise<void> {
    const mark = `w${seed}t${index}s${this.number}`;
    this.forbidden = join(this.trace.project, `ran-${mark}`);
    const isToFill = plan.reason !== 'none' && !this.isFull;
    const isByItself = this.cast.kind !== 'bare';
    if (plan.state === 'dialog') return this.#openDialog(mark, isToFill || this.isFull);
    if (isToFill) {
      const prompt = this.#talk.full(mark, this.trace.project);
      await this.say(prompt.text);
      await waitFor(
        'the reply that fills it',
        () => prompt.replies.length === 1 && prompt.said.length > 2,
      );
      await this.#waitForTranscript(prompt.said[2] as string);
      this.isFull = true;
      this.#held = prompt;
      if (plan.state === 'busy') return;
      if (!isByItself) await this.release();
    } else if (plan.state === 'busy') {
      this.#held = this.#talk.short(mark, this.isFull, true);
      await this.say(this.#held.text);
      await this.waitForStatus('busy');
      return;
    }
    await this.#enter(plan);
  }

  /** Ends the turn that is held, if one is. */
  async release(): Promise<void> {
    if (this.#held === undefined) return;
    const before = this.sessionId;
    this.#held.release();
    this.#held = undefined;
    // Where the plugin signals by itself it may be cleared before anybody has seen it idle.
    await waitFor(
      `${this.name} to be idle`,
      () => this.trace.now?.status === 'idle' || this.sessionId !== before,
    );
  }

  /** What keeps it from being cleared ends: the turn, the dialog, the view. */
  async leave(state: State): Promise<void> {
    if (state === 'busy') return this.release();
    if (state === 'copy mode')
      await this.#tmux('send-keys', '-t', this.#pane, '-X', 'cancel').catch(() => undefined); // it has ended
    if (state === 'dialog') await this.#close('Do you want to proceed?', 'Escape');
    if (state === 'transcript') await this.#close(TRANSCRIPT, 'C-o');
    if (state === 'search') await this.#close(SEARCH, 'Escape');
  }

  /** The box as it is shown; undefined while there is none. */
  async box(): Promise<string | undefined> {
    const lines = (await this.screen()).split('\n').map((line) => line.trimEnd());
    const top = lines.findLastIndex(
      (line, row) => /^─{3,}/.test(line) && /^[❯!](?:\u00a0|$)/.test(lines[row + 1] ?? ''),
    );
    const bottom = lines.findIndex((line, row) => row > top + 1 && /^─{3,}/.test(line));
    if (top < 0 || bottom < 0) return undefined;
    const text = lines.slice(top + 1, bottom).map((line) => line.slice(2).trimEnd());
    return text.join('\n').trimEnd();
  }

  /** Takes all words of the user out of the box and the stash, and empties both. */
  async collect(): Promise<string[]> {
    // The registry knows of a clear before the screen shows it; only then the draft is back.
    if (this.trace.clears.length > 0)
      await waitFor(
        `the screen of ${this.name} after its clear`,
        async () => (await this.box()) !== FIXED_TEXTS.clear,
      );
    const words = [await this.#empty()];
    for (let round = 0; round < 2 && (await this.screen()).includes(STASHED); round++) {
      await this.press('C-s');
      await waitFor(`the stash of ${this.name}`, async () => isWritten(await this.box()));
      words.push(await this.#empty());
    }
    return words.filter((text) => text !== '');
  }

  async say(text: string): Promise<void> {
    await this.send(text);
    await waitFor(`"${text}" in the box of ${this.name}`, async () => (await this.box()) === text);
    await this.press('Enter');
  }

  /** The user does something in the middle of it, and looks at the box before sending anything. */
  async act({ seed, index }: TrialPlan, does: 'types' | 'sends'): Promise<void> {
    const mark = `m${seed}t${index}s${this.number}`;
    await this.#insert();
    if (does === 'types') {
      this.drafts.push(`words of now ${mark}`);
      return this.send(`words of now ${mark}`);
    }
    const prompt = this.#talk.onTop(mark, this.isFull);
    const before = await this.box();
    await this.send(prompt.text);
    const until = Date.now() + LOOKED_FOR_MS;
    while (Date.now() < until) {
      const isAlone = (await this.box()) === prompt.text && !isWritten(before);
      await sleep(REACTION_MS);
      if (isAlone && (await this.box()) === prompt.text) return this.press('Enter');
    }
    this.drafts.push(prompt.text); // something else stands there, too: it is left as it is
  }

  /** By hand, as a user would: then it is below its threshold again. */
  async clear(): Promise<void> {
    const before = this.sessionId;
    await this.say('/clear');
    await waitFor(
      `${this.name} to be cleared by hand`,
      () => this.sessionId !== before && this.trace.now?.status === 'idle',
    );
    this.isFull = false;
  }

  /** After something went wrong in it nothing is certain any more. */
  async startOver(): Promise<void> {
    await this.waitForStatus('idle');
    await this.collect();
    await this.clear();
  }

  async send(text: string): Promise<void> {
    this.sentKeys += [...text].length;
    await this.#tmux('send-keys', '-t', this.#pane, '-l', text);
  }

  async press(key: string): Promise<void> {
    this.sentKeys += 1;
    await this.#tmux('send-keys', '-t', this.#pane, key);
  }

  screen(): Promise<string> {
    return this.#claude.screen();
  }

  async waitForStatus(status: string): Promise<void> {
    await waitFor(`${this.name} to be ${status}`, () => this.trace.now?.status === status);
  }

  get hasRunForbidden(): boolean {
    return existsSync(this.forbidden);
  }

  async #openDialog(mark: string, isFull: boolean): Promise<void> {
    const prompt = this.#talk.asking(mark, this.trace.project, this.forbidden, isFull);
    await this.say(prompt.text);
    this.isFull = isFull;
    await this.waitForStatus('waiting');
    await this.#waitForTranscript(prompt.said[2] as string);
    await this.#claude.waitForScreen('Do you want to proceed?');
  }

  /** The CLI writes it some time after it has got it, and only then the context is known. */
  async #waitForTranscript(words: string): Promise<void> {
    await waitFor(`"${words}" in the transcript of ${this.name}`, () => {
      const path = expectedTranscript(this.#configDir, this.trace.project, this.sessionId);
      return path !== undefined && readFileSync(path, 'utf8').includes(words);
    });
  }

  async #enter({ state, draft, stash }: SessionPlan): Promise<void> {
    if (state.startsWith('stash')) {
      await this.#write(stash);
      await this.press('C-s');
      await this.#claude.waitForScreen(STASHED);
    }
    if (state.endsWith('draft')) await this.#write(draft);
    if (state === 'half a command') await this.#write('/he');
    if (state === 'shell mode') {
      const command = `touch ${this.forbidden}`;
      this.drafts.push(command);
      await this.send('!');
      await waitFor('shell mode', async () => /^!(?:\u00a0|$)/m.test(await this.screen()));
      await this.send(command);
      await this.#claude.waitForScreen(command.slice(0, 40));
    }
    if (state.startsWith('vim NORMAL')) {
      await this.press('Escape');
      await waitFor('NORMAL mode', async () => !(await this.screen()).includes('-- INSERT --'));
    }
    if (state === 'copy mode') await this.#tmux('copy-mode', '-t', this.#pane);
    if (state === 'transcript') {
      await this.press('C-o');
      await this.#claude.waitForScreen(TRANSCRIPT);
    }
    if (state === 'search') {
      await this.press('C-r');
      await this.#claude.waitForScreen(SEARCH);
    }
  }

  async #write(words: string): Promise<void> {
    this.drafts.push(words);
    for (const [number, line] of words.split('\n').entries()) {
      if (number > 0) await this.press('C-j');
      await this.send(line);
      await waitFor(`"${line}" in the box of ${this.name}`, async () =>
        (await this.box())?.endsWith(line),
      );
    }
  }

  async #close(shown: string | RegExp, key: string): Promise<void> {
    const isOpen = async () => {
      const screen = await this.screen();
      return typeof shown === 'string' ? screen.includes(shown) : shown.test(screen);
    };
    let pressedAt = Number.NEGATIVE_INFINITY;
    await waitFor(`${shown} to be closed in ${this.name}`, async () => {
      if (!(await isOpen())) return true;
      if (Date.now() - pressedAt < PRESSED_AGAIN_MS) return false;
      await this.press(key);
      pressedAt = Date.now();
      return false;
    });
  }

  /** Gives back what stood there. */
  async #empty(): Promise<string> {
    await waitFor(`a box of ${this.name}`, async () => (await this.box()) !== undefined);
    await this.#insert();
    const words = (await this.box()) ?? '';
    if (!isWritten(words) && !(await this.#isShellMode())) return '';
    await waitFor(`an empty box of ${this.name}`, async () => {
      if (!isWritten(await this.box()) && !(await this.#isShellMode())) return true;
      for (const key of ['C-u', 'BSpace', 'DC', 'DC']) await this.press(key); // the cursor may stand before the end
      await sleep(30);
      return false;
    });
    return words;
  }

  /** In vim's NORMAL mode letters are commands, and nobody types words there. */
  async #insert(): Promise<void> {
    if (!this.cast.isVim || (await this.screen()).includes('-- INSERT --')) return;
    await this.press('a');
    await this.#claude.waitForScreen('-- INSERT --');
  }

  async #isShellMode(): Promise<boolean> {
    return /^─+\n!/m.test(await this.screen());
  }

  #tmux(...args: string[]): Promise<string> {
    return run('tmux', ['-u', '-S', this.#claude.socket, ...args]);
  }
}

/** Claude Code's own suggestion in an empty box is nobody's words. */
function isWritten(box: string | undefined): boolean {
  return box !== undefined && box !== '' && !/^Try "/.test(box);
}
