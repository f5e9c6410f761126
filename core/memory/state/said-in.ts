/**
 * The entries that a facts answer is verified against (M9). If L1 was deleted, they are rebuilt
 * from the stored evidence (M12).
 */
import { readDocument } from '../../platform/store/document.ts';
import { sessionFactsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { sessionFactsFile } from '../l2-facts/facts-file.ts';
import type { JournalEvent } from '../log/journal.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { readKeptL1 } from '../log/l1-store.ts';
import type { Said } from './l2-facts.ts';

export function saidIn(
  memory: ProjectMemory,
  { file, from, to }: Extract<JournalEvent, { type: 'facts' }>,
): Said {
  const entries = readKeptL1(memory, file, from, to);
  if (entries !== undefined) return { entries, heard: readKeptL1(memory, file, 0, to) ?? entries };
  const kept = entriesFromEvidence(memory, file);
  return { entries: kept, heard: kept };
}

/** The words that facts were verified by; of one entry there may be several. */
function entriesFromEvidence(memory: ProjectMemory, l1File: string): L1Entry[] {
  const reading = readDocument(sessionFactsPath(memory, l1File), sessionFactsFile);
  if (reading.state !== 'ok') return [];
  const entries = new Map<string, L1Entry>();
  for (const { content, reason = '', resolution = '', evidence } of reading.value.facts) {
    for (const { entry: id, at: ts, quote, role } of evidence) {
      const text = `${earlier(entries.get(id))}${quote}\n${content}\n${reason}\n${resolution}\n`;
      entries.set(
        id,
        role === 'tool'
          ? { id, ts, role, name: '', cmd: '', output: text }
          : { id, ts, role, text },
      );
    }
  }
  return [...entries.values()];
}

function earlier(entry: L1Entry | undefined): string {
  if (entry === undefined) return '';
  return entry.role === 'tool' ? entry.output : entry.text;
}
