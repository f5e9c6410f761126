/**
 * Who may import whom (docs/ARCHITECTURE.md), checked by `npm run lint`. The folders of core stand
 * in the order in which data flows: a file imports from its own folder and from those above it in
 * this list, never the other way, types included. So the folders form no cycle.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const CORE_FOLDERS = [
  'messages',
  'platform/text',
  'platform/process',
  'platform/store',
  'settings',
  'claude/transcript',
  'claude/sessions',
  'claude/context',
  'claude/status',
  'projects',
  'memory/redact',
  'memory/log',
  'memory/memory-md',
  'memory/l2-facts',
  'memory/l3-concepts',
  'memory/l4-permanent/relation',
  'memory/l4-permanent',
  'memory/edits',
  'memory/state',
  'memory/restore',
  'memory/model',
  'memory/tiers',
  'memory/search',
  'memory/portable',
  'clear/delivery',
  'clear/delivery/desktop',
  'clear',
  'plugin',
  'doctor',
  'usecases/memory',
  'usecases/live',
  'usecases/methods',
  'usecases/threads',
  'usecases',
] as const;

/** `import … from './x.ts'` and `export … from './x.ts'`, over several lines too. */
const IMPORT = /^(?:import|export)\b[^;'"]*?\bfrom '(\.[^']+)'/gm;

export interface Arrow {
  file: string;
  imported: string;
}

/** Every import between folders of core, tests left out: those may look behind the wall. */
export function coreArrows(root: string): Arrow[] {
  const files = readdirSync(join(root, 'core'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(root, 'core', file), 'utf8');
      return [...text.matchAll(IMPORT)].flatMap(([, path = '']) => {
        const imported = normalize(join(dirname(file), path));
        return imported.startsWith('..') ? [] : [{ file, imported }];
      });
    });
}

/** One line for each arrow against the order, and for each folder that has no place in it. */
export function breaches(root: string): string[] {
  const place = new Map<string, number>(CORE_FOLDERS.map((folder, index) => [folder, index]));
  return coreArrows(root).flatMap(({ file, imported }) => {
    const [from, to] = [place.get(dirname(file)), place.get(dirname(imported))];
    if (from === undefined) return [`core/${file}: its folder has no place in scripts/layers.ts`];
    if (to === undefined) return [`core/${imported}: its folder has no place in scripts/layers.ts`];
    return to > from ? [`core/${file} imports core/${imported}, which lies above it`] : [];
  });
}

if (import.meta.main) {
  const found = breaches(join(import.meta.dirname, '..'));
  for (const line of new Set(found)) process.stderr.write(`${line}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
