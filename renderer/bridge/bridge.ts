/**
 * The one way from the window to the engine, whichever host is around it (G3). A HostPort comes in,
 * typed calls go out; what the engine refuses becomes a BridgeError with words for a person, and a
 * bug is told apart from that.
 */

import type {
  Arguments,
  CallResult,
  EngineEvent,
  Method,
  Results,
} from '../../core/usecases/contract.ts';
import type { HostPort } from '../../core/usecases/host-port.ts';
import type { Choice, ChosenFile } from '../../core/usecases/live/chosen-files.ts';
import { type Message, message } from '../../core/usecases/messages.ts';

/** `refused`: the host knows us no longer, and trying again does not help. */
export type Connection = 'on' | 'lost' | 'refused';

/** A host whose connection can be lost; Electron's cannot. */
export interface WindowPort extends HostPort {
  onConnection?(listener: (connection: Connection) => void): () => void;
}

export interface Bridge {
  readonly kind: HostPort['kind'];
  call<M extends Method>(method: M, args: Arguments<M>): Promise<Results[M]>;
  onEvent(listener: (event: EngineEvent) => void): () => void;
  onConnection(listener: (connection: Connection) => void): () => void;
  openLink(url: string): Promise<void>;
  /** null: nothing was chosen. */
  choose(choice: Choice, onSending?: () => void): Promise<ChosenFile | null>;
  download(file: ChosenFile): Promise<void>;
}

export class BridgeError extends Error {
  /** It should not have happened; else the message tells a person what is the matter. */
  readonly isBug: boolean;

  readonly said: Message;

  constructor(said: Message, isBug: boolean) {
    super(typeof said === 'string' ? said : said.code);
    this.said = said;
    this.name = 'BridgeError';
    this.isBug = isBug;
  }
}

export function makeBridge(port: WindowPort): Bridge {
  return {
    kind: port.kind,
    async call<M extends Method>(method: M, args: Arguments<M>): Promise<Results[M]> {
      return valueIn((await port.call(method, args).catch(unreachable)) as CallResult<Results[M]>);
    },
    onEvent: (listener) => port.onEvent(listener),
    onConnection: (listener) => port.onConnection?.(listener) ?? (() => undefined),
    openLink: (url) => port.openLink(url),
    choose: async (choice, onSending) => valueIn(await port.choose(choice, onSending)),
    download: (file) => port.download(file),
  };
}

function valueIn<T>(answer: CallResult<T>): T {
  if (!answer.ok) throw new BridgeError(answer.message, answer.isBug);
  return answer.value;
}

function unreachable(error: unknown): CallResult {
  return { ok: false, message: bugMessage(error), isBug: true };
}

export function bugMessage(error: unknown): Message {
  return message('system.bug', { words: error instanceof Error ? error.message : String(error) });
}
