/**
 * The rights on our files and folders (M18, G8): told by what is worst, with a fix for all of it.
 */
import { statSync } from 'node:fs';
import { isShut, nearestFolder } from '../../store/nearest-folder.ts';
import type { Check, Result } from '../check.ts';
import { type Amiss, permissionsAmiss, words } from '../permissions.ts';

const SHOWN = 5;

export const permissionsCheck: Check = {
  id: 'permissions',
  title: 'Permissions of files',
  why: 'What was said to Claude is nobody else’s business, and what cannot be written is not kept.',
  async look(patient) {
    const { claude, home } = patient.options.places;
    // Our own folder has a fix; those around it are the user's.
    const shut = [claude, home]
      .map(nearestFolder)
      .find((folder) => folder !== home && isShut(folder));
    if (shut !== undefined) return ofShut(shut);
    const amiss = await permissionsAmiss(patient);
    const foreign = amiss.filter(({ how }) => how === 'foreign');
    const ours = amiss.filter(({ how }) => how !== 'foreign');
    if (foreign.length > 0) return { ...ofForeign(foreign), ...fixOf(ours) };
    const of = (kind: Amiss['how']) => ours.filter(({ how }) => how === kind);
    if (of('shut').length > 0)
      return {
        state: 'problem',
        found: `Cannot be read or written: ${listed(of('shut'))}.`,
        ...fixOf(ours),
      };
    if (of('writable').length > 0)
      return {
        state: 'problem',
        found: `Other users of this computer may change: ${listed(of('writable'))}.`,
        ...fixOf(ours),
      };
    if (ours.length > 0)
      return {
        state: 'notice',
        found: `Other users of this computer may read: ${listed(ours)}.`,
        ...fixOf(ours),
      };
    return { state: 'well', found: 'Only you can read and write what is kept.' };
  },
};

/** What lies in it cannot be looked at. */
function ofShut(folder: string): Result {
  const mend =
    statSync(folder).uid === process.geteuid?.()
      ? `Give yourself the rights: chmod u+rwx "${folder}"`
      : `Give it to yourself: sudo chown "$USER" "${folder}"`;
  return {
    state: 'problem',
    found: `${folder} cannot be read and written, so nothing can be kept.`,
    mend,
  };
}

function ofForeign(foreign: readonly Amiss[]): Result {
  const [{ path } = { path: '' }] = foreign;
  return {
    state: 'problem',
    found: `These belong to another user: ${listed(foreign)}. Perhaps Claude Code was once run with sudo.`,
    mend: `Give them back to yourself: sudo chown -R "$USER" "${path}"`,
  };
}

function fixOf(amiss: readonly Amiss[]): Pick<Result, 'mend' | 'fix'> {
  if (amiss.length === 0) return {};
  const preview = amiss.map(
    ({ path, mode, wanted }) => `${path}: ${words(mode)} → ${words(wanted)}`,
  );
  const fix = { id: 'permissions' as const, label: 'Keep them for yourself', preview };
  return { mend: 'Keep them for yourself: `memory-keeper doctor --fix permissions`.', fix };
}

function listed(amiss: readonly Amiss[]): string {
  const shown = amiss.slice(0, SHOWN).map(({ path, mode }) => `${path} (${words(mode)})`);
  return [...shown, ...(amiss.length > SHOWN ? [`and ${amiss.length - SHOWN} more`] : [])].join(
    ', ',
  );
}
