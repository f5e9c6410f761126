/**
 * The user's settings.json of Claude Code: looked at before its command line may change it, and
 * after (G4). It is never written here. One that is not plain JSON is refused beforehand: depending
 * on its version, the CLI would leave half an installation behind.
 */

import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExpectedError, messageOf } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import { attempt } from '../platform/store/attempt.ts';
import { isShut, nearestFolder, type Places } from '../platform/store/places.ts';
import { readSmallFile } from '../platform/store/read-file.ts';

const MAX_BYTES = 16 * 1024 * 1024;

export const claudeSettingsPath = (places: Places) => join(places.claude, 'settings.json');

/** Why the CLI cannot change it, or undefined. */
export function settingsProblem(places: Places): Message | undefined {
  const path = claudeSettingsPath(places);
  const file = readSmallFile(path, MAX_BYTES);
  if (file.state === 'refused')
    return message('plugin.settingsUnreadable', { reason: file.reason });
  if (file.state === 'missing') {
    const folder = nearestFolder(dirname(path));
    return isShut(folder) ? message('plugin.settingsFolderLocked', { folder, path }) : undefined;
  }
  if (file.text.trim() === '') return undefined;
  const reason = whyNoObject(file.text);
  if (reason !== undefined) return message('plugin.settingsInvalid', { path, reason });
  if (attempt(() => accessSync(path, constants.W_OK), false) === false)
    return message('plugin.settingsReadOnly', { path });
  return undefined;
}

/**
 * Throws if it cannot be changed. Otherwise it is looked at again after the action, whatever came
 * of that: where it is not whole any more, what was there is saved and told, before anything else
 * that went wrong.
 */
export async function guardSettings<T>(places: Places, action: () => Promise<T>): Promise<T> {
  const problem = settingsProblem(places);
  if (problem !== undefined) throw new ExpectedError(problem);
  const before = readSmallFile(claudeSettingsPath(places), MAX_BYTES);
  const outcome = await action().then(
    (value) => ({ value }),
    (error: Error) => ({ error }),
  );
  const damage = before.state === 'ok' ? keptWhereDamaged(places, before.text) : undefined;
  if ('value' in outcome && damage === undefined) return outcome.value;
  if (damage === undefined) throw 'error' in outcome ? outcome.error : undefined;
  const failure = 'error' in outcome ? [messageOf(outcome.error)] : [];
  throw new ExpectedError(message('plugin.lines', { lines: [damage, ...failure] }));
}

function keptWhereDamaged(places: Places, before: string): Message | undefined {
  if (before.trim() === '') return undefined;
  const path = claudeSettingsPath(places);
  const after = readSmallFile(path, MAX_BYTES);
  if (after.state === 'ok' && whyNoObject(after.text) === undefined) return undefined;
  const kept = join(places.home, 'settings.json.before');
  writeFileAtomic(kept, before);
  const code = existsSync(path) ? 'plugin.settingsDamaged' : 'plugin.settingsGone';
  return message(code, { path, kept });
}

function whyNoObject(text: string): Message | string | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return (error as Error).message;
  }
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? undefined
    : message('plugin.notAnObject');
}
