/** Refines a transcript to L1 and tells how much memory the process had at most, in MB. Run by l1-refine.ts. */
import { saveL1 } from '../core/memory/l1/l1-store.ts';
import { projectMemory } from '../core/memory/project/project-memory.ts';

const KB_PER_MB = 1024;
const [, , transcript = '', project = ''] = process.argv;
saveL1(projectMemory({ claude: '/none', home: '/none' }, project), { sessionId: 'bench', transcript }, { isOver: true });
process.send?.(process.resourceUsage().maxRSS / KB_PER_MB, () => process.disconnect());
