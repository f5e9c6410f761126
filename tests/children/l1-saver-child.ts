/** Saves the L1 of a session. Run, and killed, by tests. */

import { saveL1 } from '../../core/memory/log/l1-store.ts';
import { projectMemory } from '../../core/projects/project-memory.ts';

const [, , root = '', sessionId = '', transcript = ''] = process.argv;
saveL1(projectMemory({ claude: '/none', home: '/none' }, root), { sessionId, transcript });
