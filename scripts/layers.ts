/**
 * Checks who may import whom (docs/ARCHITECTURE.md), for `npm run lint`. The folders of core stand
 * in the order in which data flows: a file imports from its own folder and from those above it in
 * this list, never the other way, types included. So the folders form no cycle. And a host that
 * holds no rules of its own calls core through its door alone.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const CORE_FOLDERS = [
  'messages',
  'platform/text',
  'platform/process',
  'platform/store',
  'platform/project',
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
  'memory/recall',
  'memory/suggestions',
  'memory/portable',
  'memory/backfill',
  'memory/foreign',
  'clear/delivery',
  'clear/delivery/desktop',
  'clear',
  'plugin',
  'doctor',
  'usecases/hooks',
  'usecases/memory',
  'usecases/live',
  'usecases/methods',
  'usecases/tools',
  'usecases/threads',
  'usecases',
] as const;

/** The only folders of core that a host imports values from; types may come from anywhere in core. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  'hooks-plugin': ['core/usecases/hooks', 'core/usecases/tools'],
  cli: ['core/usecases'],
  electron: ['core/usecases'],
  renderer: ['core/usecases'],
};

/** Core, and its texts. */
const BEHIND_DOORS = /^(?:core|resources\/locales\/messages)\//;

/** `import './x.ts'`, `import … from` and `export … from`, over several lines too; `import('./x.ts')`. */
const IMPORT = /^(?:import|export)\b(?:([^;'"]*?)\bfrom)? '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;
/** ` type { A }` or ` { type A, type B }`. */
const TYPES_ONLY = /^\s*(?:type\b|\{(?:\s*type\s[^,}]*,?)+\s*\})/;

export interface Arrow {
  file: string;
  imported: string;
  isTypeOnly: boolean;
}

/** Every relative import in a folder, tests left out: those may look behind the wall. */
function arrowsIn(root: string, folder: string): Arrow[] {
  if (!existsSync(join(root, folder))) return [];
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .flatMap((name) => {
      const file = join(folder, name);
      const imports = readFileSync(join(root, file), 'utf8').matchAll(IMPORT);
      return [...imports].map(([, clause = '', path = '', laterPath = '']) => ({
        file,
        imported: normalize(join(dirname(file), path || laterPath)),
        isTypeOnly: TYPES_ONLY.test(clause),
      }));
    });
}

/** Every import between folders of core. */
export function coreArrows(root: string): Arrow[] {
  return arrowsIn(root, 'core').filter(({ imported }) => imported.startsWith('core/'));
}

/** One line for each import of a host past its door. */
export function pastTheDoor(root: string): string[] {
  return Object.entries(DOORS).flatMap(([host, doors]) => {
    const isPast = ({ imported, isTypeOnly }: Arrow) =>
      BEHIND_DOORS.test(imported) &&
      !isTypeOnly &&
      !doors.some((door) => imported.startsWith(`${door}/`));
    return arrowsIn(root, host)
      .filter(isPast)
      .map(
        ({ file, imported }) =>
          `${file} imports ${imported}, which is not in ${doors.join(' or ')}`,
      );
  });
}

/** One line for each arrow against the order, and for each folder that has no place in it. */
export function breaches(root: string): string[] {
  const place = new Map(CORE_FOLDERS.map((folder, index) => [`core/${folder}`, index]));
  return coreArrows(root).flatMap(({ file, imported }) => {
    const [from, to] = [place.get(dirname(file)), place.get(dirname(imported))];
    if (from === undefined) return [`${file}: its folder has no place in scripts/layers.ts`];
    if (to === undefined) return [`${imported}: its folder has no place in scripts/layers.ts`];
    return to > from
      ? [`${file} imports ${imported}, which comes after it in scripts/layers.ts`]
      : [];
  });
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const found = [...breaches(root), ...pastTheDoor(root)];
  for (const line of new Set(found)) process.stderr.write(`${line}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
