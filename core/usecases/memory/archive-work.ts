/**
 * Export and import of a project's memory (M20), as the command line does them, with word on how
 * far they are. Here files are paths.
 */
import { importMemory, undoImport } from '../../memory/portable/import-memory.ts';
import { exportMemory, type Tell } from '../../memory/portable/write-archive.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { Handlers, MethodOf, WorkProgress } from '../contract/contract.ts';
import type { MemoryTools } from './memory-handlers.ts';

export type ArchiveWork = Exclude<MethodOf<'archive'>, 'archive.target'>;

/** There may be thousands of files in a second. */
const TELL_EVERY_MS = 100;

export function archiveHandlers(
  { places, tell }: Pick<MemoryTools, 'places' | 'tell'>,
  memoryOf: (root: string) => ProjectMemory,
): Handlers<ArchiveWork> {
  const work = async <T>(
    project: string,
    what: WorkProgress['what'],
    run: (memory: ProjectMemory, tell: Tell) => Promise<T>,
  ) => {
    const memory = memoryOf(project);
    let reached = { done: 0, total: 0 };
    let toldAt = 0;
    tell({ project, what, ...reached, isOver: false });
    try {
      return await run(memory, (_step, done, total) => {
        reached = { done, total };
        if (Date.now() - toldAt < TELL_EVERY_MS) return;
        toldAt = Date.now();
        tell({ project, what, ...reached, isOver: false });
      });
    } finally {
      tell({ project, what, ...reached, isOver: true });
    }
  };
  const takeIn = (project: string, source: string, isReplacing: boolean, isPreview: boolean) =>
    work(project, isPreview ? 'preview' : 'import', (memory, told) =>
      importMemory({ places, memory, source, isReplacing, isPreview, tell: told }),
    );
  return {
    'archive.export': ({ project, target }) =>
      work(project, 'export', async (memory, told) => {
        const { file: _, ...exported } = await exportMemory(memory, target, told, {
          mayReplace: true,
        });
        return exported;
      }),
    'archive.preview': ({ project, source, isReplacing }) =>
      takeIn(project, source, isReplacing, true),
    'archive.import': ({ project, source, isReplacing }) =>
      takeIn(project, source, isReplacing, false),
    'archive.undo': ({ project }) =>
      work(project, 'import', (memory, told) =>
        undoImport({ places, memory, isPreview: false, tell: told }),
      ),
  };
}
