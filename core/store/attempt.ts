/** For what may fail without being an error: a file that is not there (any more), a folder that another process removed first. */
export function attempt<T, F>(action: () => T, otherwise: F): T | F {
  try {
    return action();
  } catch {
    return otherwise;
  }
}
