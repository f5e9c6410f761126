/**
 * All that a host gives the window: calls, events, links, chosen files. Electron's preload and the
 * browser's HTTP client both implement it.
 */
import type { CallResult, Choice, ChosenFile, EngineEvent, Method } from './contract.ts';

export interface HostPort {
  readonly kind: 'electron' | 'browser';
  /** The engine checks method and arguments. */
  call(method: Method, args: unknown): Promise<CallResult>;
  /** Returns a function that stops listening. */
  onEvent(listener: (event: EngineEvent) => void): () => void;
  /** In the user's own browser; only http and https, and only after the user was asked. */
  openLink(url: string): Promise<void>;
  /**
   * The user chooses a file, a folder, or where an export goes; null: nothing was chosen.
   * `onSending`: the file is chosen, and its upload begins.
   */
  choose(choice: Choice, onSending?: () => void): Promise<CallResult<ChosenFile | null>>;
  /** Downloads an export from the host, unless it is already where the user wanted it. */
  download(file: ChosenFile): Promise<void>;
}
