/** Refines a transcript to L1, and tells the memory that it took. Run by l1-refine.ts. */
import { saveL1 } from '../core/memory/log/l1-store.ts';
import { memoryAt } from '../tests/bed/recorded-work.ts';
import { tellPeak } from './tell-peak.ts';

const [, , transcript = '', project = ''] = process.argv;
saveL1(memoryAt(project), { sessionId: 'bench', transcript }, { isOver: true });
tellPeak();
