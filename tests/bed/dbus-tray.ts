/**
 * The panel's side of a tray, without a panel: the service that tray items register with, and then
 * what a panel does with an item: reads its icon and texts, asks for its menu, clicks. The words
 * are those of StatusNotifierItem and com.canonical.dbusmenu.
 */
import { defineInterface } from 'dbus-native';
import type { DbusSession } from './dbus-session.ts';
import { waitFor } from './wait-for.ts';

const WATCHER = 'org.kde.StatusNotifierWatcher';
const ITEM = 'org.kde.StatusNotifierItem';
const MENU = 'com.canonical.dbusmenu';
const EVERYTHING = -1;

export interface MenuEntry {
  id: number;
  label: string;
  isEnabled: boolean;
  isSeparator: boolean;
  entries: MenuEntry[];
}

export interface TrayIcon {
  width: number;
  height: number;
  /** ARGB, row by row. */
  pixels: Uint8Array;
}

type Layout = [number, Record<string, unknown>, Layout[]];

export class DbusTray {
  readonly #session: DbusSession;
  readonly #items: { service: string; path: string }[] = [];

  static async start(session: DbusSession): Promise<DbusTray> {
    const tray = new DbusTray(session);
    await session.bus.export('/StatusNotifierWatcher', tray.#watcher());
    await session.bus.ownName(WATCHER);
    return tray;
  }

  private constructor(session: DbusSession) {
    this.#session = session;
  }

  #watcher() {
    const register = ({ service }: { service: string }, { sender = '' }: { sender?: string }) => {
      this.#items.push(
        service.startsWith('/')
          ? { service: sender, path: service }
          : { service, path: '/StatusNotifierItem' },
      );
    };
    return defineInterface({
      name: WATCHER,
      methods: {
        RegisterStatusNotifierItem: { in: { service: 's' }, handler: register },
        RegisterStatusNotifierHost: { in: { service: 's' }, handler: () => undefined },
      },
      properties: {
        RegisteredStatusNotifierItems: {
          type: 'as',
          access: 'read',
          get: () => this.#items.map(({ service }) => service),
        },
        IsStatusNotifierHostRegistered: { type: 'b', access: 'read', get: () => true },
        ProtocolVersion: { type: 'i', access: 'read', get: () => 0 },
      },
      signals: {
        StatusNotifierItemRegistered: { args: { service: 's' } },
        StatusNotifierHostRegistered: {},
      },
    });
  }

  get count(): number {
    return this.#items.length;
  }

  /** The newest item, which must have come. */
  async #item(): Promise<{ service: string; path: string }> {
    return waitFor('an item in the tray', () => this.#items.at(-1));
  }

  /** The process that the newest item belongs to. */
  async ownerPid(): Promise<number> {
    const { service } = await this.#item();
    return this.#session.bus.invoke<number>({
      destination: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus',
      member: 'GetConnectionUnixProcessID',
      signature: 's',
      body: [service],
    });
  }

  async property<T>(name: string): Promise<T> {
    const { service, path } = await this.#item();
    return this.#session.bus.invoke<T>({
      destination: service,
      path,
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Get',
      signature: 'ss',
      body: [ITEM, name],
    });
  }

  async tooltip(): Promise<string> {
    const [, , title] = await this.property<[string, unknown, string, string]>('ToolTip');
    return title;
  }

  async icons(): Promise<TrayIcon[]> {
    const pixmaps = await this.property<[number, number, Uint8Array][]>('IconPixmap');
    return pixmaps.map(([width, height, pixels]) => ({ width, height, pixels }));
  }

  /** As a left click on it. */
  async activate(): Promise<void> {
    const { service, path } = await this.#item();
    await this.#session.bus.invoke({
      destination: service,
      path,
      interface: ITEM,
      member: 'Activate',
      signature: 'ii',
      body: [0, 0],
    });
  }

  async menu(): Promise<MenuEntry[]> {
    const [, layout] = await this.#call<[number, Layout]>('GetLayout', 'iias', [0, EVERYTHING, []]);
    return entryOf(layout).entries;
  }

  /** All labels, those of a submenu behind the one they belong to. */
  async labels(): Promise<string[]> {
    const flat = (entries: MenuEntry[]): string[] =>
      entries.flatMap(({ label, entries: inner }) => [label, ...flat(inner)]);
    return flat(await this.menu()).filter((label) => label !== '');
  }

  /** Clicks the line with this label, within the submenu of another if two are given. */
  async click(...labels: (string | RegExp)[]): Promise<void> {
    const entry = await waitFor(
      () => `${labels.join(' ▸ ')} in the menu`,
      async () => find(await this.menu(), labels),
    );
    const nothing = { signature: 's', value: '' };
    await this.#call('Event', 'isvu', [entry.id, 'clicked', [nothing.signature, nothing.value], 0]);
  }

  async #call<T>(member: string, signature: string, body: unknown[]): Promise<T> {
    const { service } = await this.#item();
    const path = await this.property<string>('Menu');
    return this.#session.bus.invoke<T>({
      destination: service,
      path,
      interface: MENU,
      member,
      signature,
      body,
    });
  }
}

function find(
  entries: MenuEntry[],
  [label, ...inner]: readonly (string | RegExp)[],
): MenuEntry | undefined {
  if (label === undefined) return undefined;
  const found = entries.find((entry) =>
    typeof label === 'string' ? entry.label === label : label.test(entry.label),
  );
  return found === undefined || inner.length === 0 ? found : find(found.entries, inner);
}

function entryOf([id, properties, children]: Layout): MenuEntry {
  return {
    id,
    label: String(properties.label ?? '').replaceAll('__', '_'), // one alone marks a shortcut
    isEnabled: properties.enabled !== false,
    isSeparator: properties.type === 'separator',
    entries: children.map(entryOf),
  };
}
