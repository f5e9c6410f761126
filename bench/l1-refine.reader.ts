/**
 * Refines a transcript to L1 and tells how much memory the process had at most, in MB. Run by
 * l1-refine.ts.
 */
import { readFileSync } from 'node:fs';
import { saveL1 } from '../core/memory/log/l1-store.ts';
import { attempt } from '../core/platform/store/attempt.ts';
import { memoryAt } from '../tests/bed/recorded-work.ts';

const KB_PER_MB = 1024;
const [, , transcript = '', project = ''] = process.argv;
saveL1(memoryAt(project), { sessionId: 'bench', transcript }, { isOver: true });
// Linux counts what the parent had at the fork into maxRSS, getrusage(2); its own peak stands in
// /proc.
const status = attempt(() => readFileSync('/proc/self/status', 'utf8'), '');
const kb = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
process.send?.(kb / KB_PER_MB, () => process.disconnect());
