/** The few members of the X client library that are used; it brings no types. */
declare module 'x11' {
  export type Reply<T> = (error: Error | null, value: T) => void;

  export interface XEvent {
    name: string;
    time: number;
    requestor: number;
    selection: number;
    target: number;
    property: number;
  }

  export type XProperty = { type: number; format: number; data: Buffer };

  interface ResExtension {
    ClientIdMask: { LocalClientPID: number };
    QueryClientIds(
      specs: { client: number; mask: number }[],
      reply: Reply<{ value: number[] }[]>,
    ): void;
  }

  export interface XClient {
    terminate(): void;
    require(extension: 'res', reply: Reply<ResExtension>): void;
    AllocID(): number;
    /** x, y, width, height, border, depth, class, visual; then values such as `eventMask`. */
    CreateWindow(id: number, parent: number, ...more: (number | { eventMask?: number })[]): void;
    MapWindow(id: number): void;
    InternAtom(onlyIfThere: boolean, name: string, reply: Reply<number>): void;
    GetAtomName(atom: number, reply: Reply<string>): void;
    GetProperty(
      remove: number,
      window: number,
      name: number,
      type: number,
      offset: number,
      length: number,
      reply: Reply<XProperty>,
    ): void;
    ChangeProperty(
      mode: number,
      window: number,
      name: number,
      type: number,
      format: number,
      data: Buffer | number[],
    ): void;
    QueryTree(window: number, reply: Reply<{ parent: number }>): void;
    GetInputFocus(reply: Reply<{ focus: number }>): void;
    QueryKeymap(reply: Reply<Buffer>): void;
    QueryPointer(window: number, reply: Reply<{ keyMask: number }>): void;
    GetKeyboardMapping(first: number, count: number, reply: Reply<number[][]>): void;
    GrabKeyboard(
      window: number,
      ownerEvents: number,
      time: number,
      pointerMode: number,
      keyboardMode: number,
      reply: Reply<number>,
    ): void;
    UngrabKeyboard(time: number): void;
    GetSelectionOwner(selection: number, reply: Reply<number>): void;
    SetSelectionOwner(owner: number, selection: number, time: number): void;
    ConvertSelection(
      requestor: number,
      selection: number,
      target: number,
      property: number,
      time: number,
    ): void;
    SendEvent(window: number, propagate: number, mask: number, event: object): void;
    on(event: 'event', listener: (event: XEvent) => void): void;
    on(event: 'error' | 'end', listener: (error?: Error) => void): void;
  }

  export interface XDisplay {
    client: XClient;
    screen: { root: number }[];
    resource_mask: number;
    min_keycode: number;
    max_keycode: number;
  }

  /** Without a name, the display of the environment. */
  export function createClient(
    options: { display?: string },
    ready: (error: Error | undefined, display: XDisplay) => void,
  ): XClient;
}
