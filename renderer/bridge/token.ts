/**
 * The token that `memory-keeper serve` puts behind the `#` of its address. It moves to this tab's
 * own storage, so that it stands in no history and no screenshot, and a reload still works (G3).
 */
const KEY = 'memory-keeper-token';
const TOKEN = /(?:^#|&)token=([\w.~-]+)/;

export interface TokenPlaces {
  location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  history: Pick<History, 'replaceState'>;
  storage: Pick<Storage, 'getItem' | 'setItem'>;
}

export function takeToken({ location, history, storage }: TokenPlaces): string | undefined {
  const given = TOKEN.exec(location.hash)?.[1];
  if (given === undefined) return storage.getItem(KEY) ?? undefined;
  storage.setItem(KEY, given);
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  return given;
}
