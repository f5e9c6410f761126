/**
 * What the driver asks of the child that types, and what it answers. All of it is plain JSON, since
 * it goes from process to process.
 */
import type { Message } from '../../../messages/message.ts';

/** All that can be pressed. The letters are for `/clear` where it cannot be pasted. */
export type KeyName = 'stash' | 'leave' | 'paste' | 'enter' | 'slash' | 'c' | 'l' | 'e' | 'a' | 'r';

export interface DesktopWindow {
  id: number;
  pid: number;
  isMinimised: boolean;
}

/** One form in which a selection can be had, as its owner gave it. */
export interface Form {
  target: string;
  type: string;
  format: number;
  /** In base64. */
  data: string;
}

export interface Selection {
  name: string;
  forms: Form[];
}

/** Clipboard and focus before typing, to be restored afterwards. */
export interface Memory {
  active: number;
  selections: Selection[];
  /** Why the selections could not be given back, if they were used. */
  notToUse?: Message;
}

export type Request =
  | { ask: 'look'; pids: readonly number[] }
  | { ask: 'remember' }
  | { ask: 'focus'; window: number }
  | { ask: 'press'; window: number; key: KeyName }
  | { ask: 'offer'; text: string }
  | { ask: 'fetched'; window: number }
  /** `isAnew`: the child that did the rest has ended. */
  | { ask: 'finish'; window: number; text: string; memory: Memory; isAnew: boolean }
  | { ask: 'hand'; text: string };

export interface Answers {
  look: DesktopWindow[];
  remember: Memory;
  /** Why not, if it is not so. */
  focus: Message | undefined;
  press: Message | undefined;
  offer: undefined;
  fetched: boolean;
  finish: undefined;
  hand: undefined;
}

/** Windows and clipboard of one platform. The keyboard is in typist-child.ts. */
export interface Desktop {
  windowsOf(pids: readonly number[]): Promise<DesktopWindow[]>;
  active(): Promise<number>;
  /** Whether it is there and not minimised; asked of any other window, nut-js ends the process. */
  canFocus(window: number): Promise<boolean>;
  /** Why a key would not arrive in this window, or not as what it is. */
  refusal(window: number, key?: KeyName): Promise<Message | undefined>;
  remember(): Promise<Memory>;
  offer(text: string): Promise<void>;
  /** Whether the program of this window has fetched what was offered. */
  fetched(window: number): Promise<boolean>;
  giveBack(selections: readonly Selection[], offered: string): Promise<void>;
  hand(text: string): Promise<void>;
  /** Resolves when nothing is left that only this process can give to others. */
  released(): Promise<void>;
}
