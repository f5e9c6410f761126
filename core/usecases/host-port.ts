/**
 * What a host gives the window, and nothing else: calls, events, links, chosen files. Electron's
 * preload and the browser's HTTP both are one.
 */
import type { Answer, Choice, ChosenFile, EngineEvent, Method } from './contract.ts';

export interface HostPort {
  readonly kind: 'electron' | 'browser';
  /** Any method, any arguments: whoever answers parses both. */
  call(method: Method, args: unknown): Promise<Answer>;
  /** Gives back how to stop listening. */
  onEvent(listener: (event: EngineEvent) => void): () => void;
  /** In the user's own browser; only http and https, and only after the user was asked. */
  openLink(url: string): Promise<void>;
  /**
   * The user chooses a file, a folder, or where an export goes; null: nothing was chosen.
   * `onSending`: it is chosen, and on its way to the host.
   */
  choose(choice: Choice, onSending?: () => void): Promise<Answer<ChosenFile | null>>;
  /**
   * An export that lies with the host goes to the user; where the user has chosen its place, it is
   * there already.
   */
  download(file: ChosenFile): Promise<void>;
}
