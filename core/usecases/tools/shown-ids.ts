/**
 * The ids that tools show to Claude, and what each stands for. None is a path, and none is ever made
 * into one: an id that comes back is compared with what the memory of this project has (K8).
 */
import { relative } from 'node:path';
import type { MemoryHit } from '../../memory/search/memory-search.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { hitTarget } from '../memory/hit-target.ts';

export type Meant =
  | { kind: 'said'; session: string; entry: string }
  | { kind: 'item'; id: string }
  | { kind: 'memory'; section: string; entry: string }
  | { kind: 'page'; name: string }
  | { kind: 'session'; session: string };

const L1_END = '.l1.jsonl';

/** `said/2026-11-16_0900-1a2b3c4d/0f1e2d3c4b5a`, by the name of the file that it stands in. */
export function saidId(file: string, entry: string): string {
  return `said/${withoutEnd(file)}/${entry}`;
}

/** `session/2026-11-16_0900-1a2b3c4d`. */
export function sessionShownId(file: string): string {
  return `session/${withoutEnd(file)}`;
}

export function pageId(memory: ProjectMemory, path: string): string {
  return `page/${relative(memory.base, path).replaceAll('\\', '/')}`;
}

export function hitId(memory: ProjectMemory, hit: Pick<MemoryHit, 'id'>): string {
  const target = hitTarget({ id: hit.id });
  if (target.kind === 'entry') return saidId(target.session, target.entry);
  if (target.kind === 'page') return pageId(memory, target.path);
  return target.kind === 'memory' ? hit.id : target.id;
}

export function meantBy(id: string): Meant {
  const [kind = '', first = '', ...rest] = id.split('/');
  if (kind === 'said') return { kind, session: `${first}${L1_END}`, entry: rest.join('/') };
  if (kind === 'session') return { kind, session: `${first}${L1_END}` };
  if (kind === 'page') return { kind, name: id };
  if (kind === 'memory') {
    // A section's title may have slashes in it; the stamp of an entry has none.
    const [, section = '', entry = ''] = /^memory\/([\s\S]*)\/([^/]*)$/.exec(id) ?? [];
    return { kind, section, entry };
  }
  return { kind: 'item', id };
}

function withoutEnd(file: string): string {
  return file.endsWith(L1_END) ? file.slice(0, -L1_END.length) : file;
}
