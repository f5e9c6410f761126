/** Compares version numbers: of Claude Code, of the plugin. */

/** Below zero if the first is the older one. */
export function compareVersions(a: string, b: string): number {
  const numbers = (version: string) =>
    (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
