/**
 * The system's own dialogs for archives of memory (M20): what a page wants chosen comes in, an id
 * that stands for the user's choice goes out.
 */
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { type BrowserWindow, dialog } from 'electron';
import * as v from 'valibot';
import type { CallResult } from '../core/usecases/contract.ts';
import { Choice, type ChosenFile } from '../core/usecases/live/chosen-files.ts';
import type { LiveEngine } from '../core/usecases/live-engine.ts';
import { message } from '../core/usecases/messages.ts';
import type { Say } from './texts.ts';

export async function chooseFile(
  window: BrowserWindow,
  choice: unknown,
  engine: LiveEngine,
  say: Say,
): Promise<CallResult<ChosenFile | null>> {
  const wanted = v.safeParse(Choice, choice);
  if (!wanted.success) return { ok: false, message: message('api.notAllowed'), isBug: false };
  const path =
    wanted.output.kind === 'target'
      ? await saveAs(window, wanted.output.project, engine, say)
      : await open(window, wanted.output.kind, say);
  if (path === undefined) return { ok: true, value: null };
  const { id } = engine.files.offer(path, wanted.output.kind === 'target' ? 'target' : 'source');
  return { ok: true, value: { id, name: path } };
}

async function open(
  window: BrowserWindow,
  kind: 'archive' | 'folder',
  say: Say,
): Promise<string | undefined> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: say(kind === 'archive' ? 'chooseArchive' : 'chooseFolder'),
    // A memory lies in .claude, which is hidden.
    properties: kind === 'archive' ? ['openFile'] : ['openDirectory', 'showHiddenFiles'],
    ...(kind === 'archive' && { filters: filters(say) }),
  });
  return canceled ? undefined : filePaths[0];
}

/** The system asks before a file is replaced. */
async function saveAs(
  window: BrowserWindow,
  project: string,
  engine: LiveEngine,
  say: Say,
): Promise<string | undefined> {
  const name = await engine.call('archive.name', { project });
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: say('chooseTarget', { project: basename(project) }),
    defaultPath: join(homedir(), name.ok ? String(name.value) : ''),
    filters: filters(say),
    properties: ['showOverwriteConfirmation'],
  });
  return canceled || filePath === '' ? undefined : filePath;
}

const filters = (say: Say) => [{ name: say('archiveKind'), extensions: ['zip'] }];
