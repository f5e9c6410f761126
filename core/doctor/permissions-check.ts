/**
 * Checks the permissions of our files and folders (M18, G8). Reports the worst problem, with one
 * fix for all of them.
 */
import { statSync } from 'node:fs';
import { type Message, message } from '../messages/message.ts';
import { isShut, nearestFolder } from '../platform/store/places.ts';
import { type Check, firstOf, type Result } from './check.ts';
import { type Amiss, modeChange, octal, permissionsAmiss } from './permissions.ts';

export const permissionsCheck: Check = {
  id: 'permissions',
  title: message('doctor.permissionsTitle'),
  why: message('doctor.permissionsWhy'),
  async look(patient) {
    const { claude, home } = patient.options.places;
    // Our own folder has a fix; those around it are the user's.
    const shut = [claude, home]
      .map(nearestFolder)
      .find((folder) => folder !== home && isShut(folder));
    if (shut !== undefined) return ofShut(shut);
    const amiss = await permissionsAmiss(patient);
    const of = (kind: Amiss['how']) => amiss.filter(({ how }) => how === kind);
    const fix = fixOf(amiss.filter(({ how }) => how !== 'foreign'));
    const [foreign] = of('foreign');
    if (foreign !== undefined)
      return {
        state: 'problem',
        found: message('doctor.permissionsForeign', { files: listed(of('foreign')) }),
        mend: message('doctor.permissionsForeignMend', { path: foreign.path }),
        ...fix,
      };
    if (of('shut').length > 0)
      return {
        state: 'problem',
        found: message('doctor.permissionsDenied', { files: listed(of('shut')) }),
        ...fix,
      };
    if (of('writable').length > 0)
      return {
        state: 'problem',
        found: message('doctor.permissionsWritable', { files: listed(of('writable')) }),
        ...fix,
      };
    if (amiss.length > 0)
      return {
        state: 'notice',
        found: message('doctor.permissionsReadable', { files: listed(amiss) }),
        ...fix,
      };
    return { state: 'well', found: message('doctor.permissionsFound') };
  },
};

/** What lies in it cannot be looked at. */
function ofShut(folder: string): Result {
  const isOurs = statSync(folder).uid === process.geteuid?.();
  return {
    state: 'problem',
    found: message('doctor.permissionsFolder', { folder }),
    mend: message(isOurs ? 'doctor.permissionsFolderMode' : 'doctor.permissionsFolderOwner', {
      folder,
    }),
  };
}

function fixOf(amiss: readonly Amiss[]): Pick<Result, 'fix'> {
  if (amiss.length === 0) return {};
  const label = message('doctor.permissionsFix');
  return { fix: { id: 'permissions', label, preview: amiss.map(modeChange) } };
}

function listed(amiss: readonly Amiss[]): (Message | string)[] {
  return firstOf(
    amiss.map(({ path, mode }) => message('doctor.fileMode', { path, mode: octal(mode) })),
  );
}
