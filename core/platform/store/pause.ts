/**
 * Waits without doing anything else: the store is synchronous, because a hook has nothing else to
 * do and must be quick.
 */
export function pause(ms: number): void {
  const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(nobodyWakes, 0, 0, ms);
}
