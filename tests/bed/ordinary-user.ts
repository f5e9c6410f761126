/** Root may do everything, so what happens without permission is tried as somebody else. */

const NOBODY = 65534;

export function asOrdinaryUser<T>(action: () => T): T {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return action();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
