/** Saves the L1 of a session. Run, and killed, by tests. */

import { projectMemory } from '../../projects/project-memory.ts';
import { saveL1 } from './l1-store.ts';

const [, , root = '', sessionId = '', transcript = ''] = process.argv;
saveL1(projectMemory({ claude: '/none', home: '/none' }, root), { sessionId, transcript });
