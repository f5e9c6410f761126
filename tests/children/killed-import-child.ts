/**
 * Takes an archive in and ends itself, as by a kill, at the nth change of the disk. Says how many
 * there were if it gets to the end.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [claude = '', home = '', root = '', source = '', nth = '0'] = process.argv.slice(2);
let changes = 0;
for (const name of ['renameSync', 'linkSync', 'unlinkSync', 'rmSync'] as const) {
  const real = fs[name] as (...args: unknown[]) => unknown;
  (fs as unknown as Record<string, unknown>)[name] = (...args: unknown[]) => {
    changes++;
    if (changes === Number(nth)) process.kill(process.pid, 'SIGKILL');
    return real(...args);
  };
}
syncBuiltinESMExports();

const { importMemory } = await import('../../core/memory/portable/import-memory.ts');
const { projectMemory } = await import('../../core/projects/project-memory.ts');
const places = { claude, home };
const memory = projectMemory(places, root);
await importMemory({
  places,
  memory,
  source,
  isPreview: false,
  isReplacing: false,
  onProgress: () => undefined,
});
process.stdout.write(String(changes));
