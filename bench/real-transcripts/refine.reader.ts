/**
 * Refines transcripts to L1, one after the other, and tells how much memory the process had at
 * most, in MB. Run by speed.ts.
 */
import { readFileSync } from 'node:fs';
import { attempt } from '../../core/platform/store/attempt.ts';
import { madeMemory, saveAll } from './product.ts';

const KB_PER_MB = 1024;
const [, , list = '', folder = ''] = process.argv;
saveAll(madeMemory(folder), JSON.parse(readFileSync(list, 'utf8')));
// Linux counts what the parent had at the fork into maxRSS, getrusage(2); its own peak stands in
// /proc.
const status = attempt(() => readFileSync('/proc/self/status', 'utf8'), '');
const kb = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
process.send?.(kb / KB_PER_MB, () => process.disconnect());
