/**
 * Joins one of our own memories into another, without losing a word of either (M1, M20): what was
 * said and changed, rules, settings, and what the user has decided about foreign notes. The one that
 * is joined stays as it is. All of it can be repeated, and doubles nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  changeAdoptedRules,
  decide,
  readAdoptedRules,
  readDecisions,
} from '../../memory/foreign/decisions.ts';
import { addRules } from '../../memory/portable/adopt-earlier.ts';
import { bringIn } from '../../memory/portable/bring-in.ts';
import {
  listMemoryFiles,
  stagedMemory,
  whileNobodyWrites,
} from '../../memory/portable/contents.ts';
import { finishImports, stagingParent } from '../../memory/portable/import-memory.ts';
import { bringUpToDate } from '../../memory/portable/write-archive.ts';
import { listTrash, trashFolder } from '../../memory/tiers/trash.ts';
import { copyPrivately, removeFolder } from '../../platform/store/file-changes.ts';
import type { Places } from '../../platform/store/places.ts';
import { linkFolder, makeStaging } from '../../platform/store/staging.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { SETTING_KEYS } from '../../settings/setting-definitions.ts';
import { changeSetting, readSettings } from '../../settings/settings.ts';

export function joinMemory(places: Places, into: ProjectMemory, own: ProjectMemory): void {
  for (const memory of [into, own]) finishImports(places, memory);
  const staging = makeStaging(stagingParent(places));
  try {
    const copy = stagedMemory(join(staging, 'incoming'), own);
    bringUpToDate(own);
    whileNobodyWrites(own, () => copyAll(own, copy));
    bringIn(places, into, copy);
  } finally {
    removeFolder(staging);
  }
  const rules = join(own.folder, 'rules.md');
  if (existsSync(rules)) addRules(into, readFileSync(rules, 'utf8'));
  joinSettings(places, into, own);
  joinDecisions(into, own);
  joinTrash(into, own);
}

/** Not linked: a session may go on in our own file if a kill ends this here. */
function copyAll(own: ProjectMemory, copy: ProjectMemory): void {
  for (const { name, path } of listMemoryFiles(own).files)
    copyPrivately(path, join(copy.base, name));
  linkFolder(join(own.folder, '.history'), join(copy.folder, '.history'));
}

/** A setting that the other project has stays as it is. */
function joinSettings(places: Places, into: ProjectMemory, own: ProjectMemory): void {
  const [theirs, ours] = [into, own].map(({ root }) => readSettings(places, root).values);
  for (const key of SETTING_KEYS)
    if (ours?.[key].from === 'project' && theirs?.[key].from !== 'project')
      changeSetting({ places, projectRoot: into.root }, key, ours[key].value);
}

function joinDecisions(into: ProjectMemory, own: ProjectMemory): void {
  const known = readDecisions(into);
  for (const [id, { decision }] of Object.entries(readDecisions(own)))
    if (!Object.hasOwn(known, id)) decide(into, [id], decision);
  const added = readAdoptedRules(own).filter(
    ({ id }) => !readAdoptedRules(into).some((rule) => rule.id === id),
  );
  if (added.length > 0) changeAdoptedRules(into, (rules) => [...rules, ...added]);
}

/** So that what retention took out can still be put back, until its own days are over. */
function joinTrash(into: ProjectMemory, own: ProjectMemory): void {
  for (const { path } of listTrash(own)) {
    const to = join(trashFolder(into), relative(trashFolder(own), path));
    if (!existsSync(to)) copyPrivately(path, to);
  }
}
