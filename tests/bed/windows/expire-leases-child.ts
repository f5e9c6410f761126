/** Runs inside the bed: only a process of Windows may take the locks of one. */
import { projectMemory } from '../../../core/projects/project-memory.ts';
import { letLeasesExpire } from '../expired-leases.ts';

const [claude = '', home = '', project = ''] = process.argv.slice(2);
letLeasesExpire(projectMemory({ claude, home }, project));
