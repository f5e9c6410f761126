/**
 * For actions that may fail without that being an error: a file that is not there (any more), a
 * folder that another process removed first.
 */

/** With `codes`, only these system error codes may pass, such as ENOENT. */
export function attempt<T, F>(action: () => T, otherwise: F, codes?: readonly string[]): T | F {
  try {
    return action();
  } catch (error) {
    if (codes !== undefined && !codes.includes(errorCode(error))) throw error;
    return otherwise;
  }
}

/** The system's code of an error, such as ENOENT; empty if it has none. */
export function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  return attempt(() => JSON.parse(text), undefined);
}
