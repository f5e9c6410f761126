/**
 * What the driver asks of the child process that types (typist-child.ts), and what one platform
 * must offer the child. Requests and answers are plain JSON, since they go from process to process.
 */
import type { Message } from '../../../messages/message.ts';
import type { RequestOf } from '../asked-child.ts';

/** All that can be pressed. The letters are for `/clear` where it cannot be pasted. */
export type KeyName = 'stash' | 'leave' | 'paste' | 'enter' | 'slash' | 'c' | 'l' | 'e' | 'a' | 'r';

export interface DesktopWindow {
  id: number;
  pid: number;
  isMinimised: boolean;
}

/** One format in which the owner of a selection offers its content. */
export interface Form {
  target: string;
  type: string;
  format: number;
  data: string; // base64
}

export interface Selection {
  name: string;
  forms: Form[];
}

/** Clipboard and focus before typing, to be restored afterwards. */
export interface DesktopState {
  active: number;
  selections: Selection[];
  /** Why nothing may be pasted: the selections could not be restored. */
  pasteRefusal?: Message;
}

/** Each method is one kind of request; the object is what the request carries. */
export interface TypistRequests {
  look(request: { pids: readonly number[] }): Promise<DesktopWindow[]>;
  saveState(request: object): Promise<DesktopState>;
  /** Why the window does not have the keyboard; undefined if it has. */
  focus(request: { window: number }): Promise<Message | undefined>;
  /** Why the key was not pressed; undefined if it was. */
  press(request: { window: number; key: KeyName }): Promise<Message | undefined>;
  offer(request: { text: string }): Promise<void>;
  fetched(request: { window: number }): Promise<boolean>;
  /** `isReplacement`: the child that did the rest has ended. */
  restoreState(request: {
    window: number;
    text: string;
    state: DesktopState;
    isReplacement: boolean;
  }): Promise<void>;
  copy(request: { text: string }): Promise<void>;
}

export type Request = RequestOf<TypistRequests>;

/** The windows of one platform. The keyboard is in typist-child.ts. */
export interface Desktop {
  readonly clipboard: Clipboard;
  windowsOf(pids: readonly number[]): Promise<DesktopWindow[]>;
  active(): Promise<number>;
  /** Whether it exists and is not minimised; asked to focus any other window, nut-js crashes. */
  canFocus(window: number): Promise<boolean>;
  /** Why a key would not arrive in this window, or not as what it is. */
  refusal(window: number, key?: KeyName): Promise<Message | undefined>;
  saveState(): Promise<DesktopState>;
}

export interface Clipboard {
  /** Puts a text into the clipboard for a moment, to be pasted. */
  offer(text: string): Promise<void>;
  /** Whether the program of this window has fetched the offered text. */
  fetched(window: number): Promise<boolean>;
  restore(selections: readonly Selection[], offered: string): Promise<void>;
  copy(text: string): Promise<void>;
  /** Resolves when no other program depends on this process for the content. */
  released(): Promise<void>;
}
