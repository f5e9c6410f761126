/**
 * For what may fail without being an error: a file that is not there (any more), a folder that
 * another process removed first.
 */
export function attempt<T, F>(action: () => T, otherwise: F): T | F {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

/** Undefined if it is no JSON. */
export function parseJson(text: string): unknown {
  return attempt(() => JSON.parse(text), undefined);
}
