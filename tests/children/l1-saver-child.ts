/** Saves the L1 of a session. Run, and killed, by tests. */

import { saveL1 } from '../../core/memory/log/l1-store.ts';
import { memoryAt } from '../bed/recorded-work.ts';

const [, , root = '', sessionId = '', transcript = ''] = process.argv;
saveL1(memoryAt(root), { sessionId, transcript });
