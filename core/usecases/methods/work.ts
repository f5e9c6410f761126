/**
 * Long work on a project's memory, export and import (M20); `work` events tell the progress. A
 * window names files by their ids, a command by their paths.
 */
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import * as v from 'valibot';
import { importMemory, undoImport } from '../../memory/portable/import-memory.ts';
import { archiveName } from '../../memory/portable/manifest.ts';
import { exportMemory } from '../../memory/portable/write-archive.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import { findProjectMemory, type ProjectMemory } from '../../projects/project-memory.ts';
import { runWork, WORK_KINDS, type WorkProgress, withProgress } from '../memory/long-work.ts';
import type { MemoryContext } from '../memory/memory-context.ts';
import {
  type ApplicationContext,
  anywhere,
  fileId,
  inApplication,
  inThread,
  project,
} from './method.ts';

export const workMethods = {
  'work.run': inThread(
    'work',
    { project, what: v.picklist(WORK_KINDS) },
    (context, { project: root, what }) => {
      const memory = context.memoryOf(root);
      return withProgress(context.listeners.onProgress, { project: root, what }, (report) =>
        runWork(context.system, memory, what, report),
      );
    },
  ),

  'archive.name': anywhere({ project }, ({ places }, args) => nameFor(places, args.project)),
  /** Where an export can be put until it is downloaded, for hosts without a save dialog. */
  'archive.target': inApplication({ project }, ({ files, system }, args) =>
    files.makeTarget(nameFor(system.places, args.project)),
  ),
  'archive.export': inThread(
    'work',
    { project, target: fileId, mayReplace: v.optional(v.boolean(), true) },
    async (context, { project: root, target, mayReplace }) => {
      const folder = dirname(target);
      if (!existsSync(folder)) throw new ExpectedError(message('archive.noFolder', { folder }));
      const { file: _, ...exported } = await archiveWork(context, root, 'export', (memory, tell) =>
        exportMemory(memory, target, tell, { mayReplace }),
      );
      return exported; // a window knows no paths
    },
    {
      prepare: ({ files }, args) => ({ ...args, target: files.pathOf(args.target, 'target') }),
    },
  ),
  /** All that `archive.import` does but the last step: nothing is changed. */
  'archive.preview': inThread(
    'work',
    { project, source: fileId, isReplacing: v.boolean() },
    (context, args) => takeIn(context, args, true),
    { prepare: sourcePath },
  ),
  'archive.import': inThread(
    'work',
    { project, source: fileId, isReplacing: v.boolean() },
    (context, args) => takeIn(context, args, false),
    { prepare: sourcePath },
  ),
  /** The memory as it was before the last import. */
  'archive.undo': inThread(
    'work',
    { project, isPreview: v.optional(v.boolean(), false) },
    (context, { project: root, isPreview }) =>
      archiveWork(context, root, 'import', (memory, tell) =>
        undoImport({ places: context.system.places, memory, isPreview, onProgress: tell }),
      ),
  ),
};

interface ImportArguments {
  project: string;
  source: string;
  isReplacing: boolean;
}

function sourcePath({ files }: ApplicationContext, args: ImportArguments): ImportArguments {
  return { ...args, source: files.pathOf(args.source, 'source') };
}

function takeIn(
  context: MemoryContext,
  { project: root, source, isReplacing }: ImportArguments,
  isPreview: boolean,
) {
  return archiveWork(context, root, isPreview ? 'preview' : 'import', (memory, tell) =>
    importMemory({
      places: context.system.places,
      memory,
      source,
      isReplacing,
      isPreview,
      onProgress: tell,
    }),
  );
}

function archiveWork<T>(
  context: MemoryContext,
  root: string,
  what: WorkProgress['what'],
  work: (memory: ProjectMemory, report: Parameters<typeof exportMemory>[2]) => Promise<T>,
): Promise<T> {
  const memory = context.memoryOf(root);
  return withProgress(context.listeners.onProgress, { project: root, what }, (report) =>
    work(memory, (step, done, total) => report(done, total, step)),
  );
}

/** Its checkout may be gone, so the folder does not always tell the project's name. */
function nameFor(places: Places, root: string): string {
  return archiveName(findProjectMemory(places, root)?.name ?? basename(root));
}
