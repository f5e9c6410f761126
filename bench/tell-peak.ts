/** The child's side of memory-peak.ts: tells how much memory this process had at most, in MB. */
import { readFileSync } from 'node:fs';
import { attempt } from '../core/platform/store/attempt.ts';

const KB_PER_MB = 1024;

export function tellPeak(): void {
  // Linux counts what the parent had at the fork into maxRSS, getrusage(2); its own peak stands in
  // /proc.
  const status = attempt(() => readFileSync('/proc/self/status', 'utf8'), '');
  const kb = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
  process.send?.(kb / KB_PER_MB, () => process.disconnect());
}
