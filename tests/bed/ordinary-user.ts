/** Root may do everything, so what happens without permission is tried as somebody else. */

const NOBODY = 65534;

export async function asOrdinaryUser<T>(action: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return await action();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
