/** The briefing that a session of this project would get after a clear now (M13). */
import { basename, join } from 'node:path';
import { handOver } from '../../memory/log/hand-over.ts';
import { readL1Tail } from '../../memory/log/l1-store.ts';
import { restoreText } from '../../memory/restore/restore.ts';
import { readDigest } from '../../memory/state/digest.ts';
import type { ProjectCache } from './document-cache.ts';
import { memoryMdOnDisk } from './memory-text.ts';

export function previewBriefing({ memory, sessions }: ProjectCache): {
  text: string;
  characters: number;
} {
  const [newest] = sessions.list();
  const text = restoreText({
    projectName: basename(memory.root),
    handOver: newest && handOver(readL1Tail(join(memory.sessions, newest.file))),
    memory: memoryMdOnDisk(memory),
    digest: readDigest(memory),
  });
  return { text, characters: text.length };
}
