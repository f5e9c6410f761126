/**
 * Settings that are more than a word, taken apart for their controls and put together again as the
 * engine writes them.
 */

export interface Way {
  name: string;
  isUsed: boolean;
}

/** The ways in use in their order, then those that are switched off. */
export function waysOf(value: string, all: string): Way[] {
  const used = names(value);
  const off = names(all).filter((name) => !used.includes(name));
  return [
    ...used.map((name) => ({ name, isUsed: true })),
    ...off.map((name) => ({ name, isUsed: false })),
  ];
}

export function movedWay(ways: readonly Way[], index: number, by: -1 | 1): string {
  const moved = [...ways];
  const [way] = moved.splice(index, 1);
  if (way !== undefined) moved.splice(index + by, 0, way);
  return written(moved);
}

export function toggledWay(ways: readonly Way[], index: number): string {
  return written(ways.map((way, i) => (i === index ? { ...way, isUsed: !way.isUsed } : way)));
}

function names(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function written(ways: readonly Way[]): string {
  return ways
    .filter(({ isUsed }) => isUsed)
    .map(({ name }) => name)
    .join(',');
}

export interface Hours {
  from: string;
  to: string;
}

/** "22:00-07:00"; undefined: none. */
export function hoursOf(value: string): Hours | undefined {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(value) ?? [];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/**
 * What is saved when a field is left; undefined: nothing, for a time is not finished, or they hold
 * already.
 */
export function hoursToSave({ from, to }: Hours, current: string): string | undefined {
  const typed = `${from}-${to}`;
  return from === '' || to === '' || typed === current ? undefined : typed;
}
