/**
 * Export and import from the window (M20): replaces the ids of chosen files by their paths and
 * passes the work to a thread.
 */
import { archiveName } from '../memory/portable/manifest.ts';
import type { ChosenFiles } from './contract/chosen-files.ts';
import type { Handlers, MethodOf } from './contract/contract.ts';
import type { MemoryThread } from './memory/memory-thread.ts';

export function archiveCalls(
  files: ChosenFiles,
  memory: Pick<MemoryThread, 'call'>,
): Handlers<MethodOf<'archive'>> {
  const source = (id: string) => files.pathOf(id, 'source');
  return {
    'archive.target': ({ project }) => files.makeTarget(archiveName(project)),
    'archive.export': ({ project, target }) =>
      memory.call('archive.export', { project, target: files.pathOf(target, 'target') }),
    'archive.preview': (args) =>
      memory.call('archive.preview', { ...args, source: source(args.source) }),
    'archive.import': (args) =>
      memory.call('archive.import', { ...args, source: source(args.source) }),
    'archive.undo': (args) => memory.call('archive.undo', args),
  };
}
