/** Sorts values into lists: Map.groupBy, which Node 20 lacks. Values without a key are left out. */
export function grouped<T, K>(
  values: Iterable<T>,
  keyOf: (value: T) => K | undefined,
): Map<K, T[]> {
  const lists = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    if (key === undefined) continue;
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [value]);
    else list.push(value);
  }
  return lists;
}
