/** Blocks the thread: the store is synchronous, because a hook has nothing else to do. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
