/**
 * What follows once something that 0.1.0 kept in a project is in the home (M1): the activity log says
 * so, and the old files, which stay as a backup, are not taken for notes of somebody else (T1).
 */
import { addActivity } from '../../clear/activity.ts';
import { rememberOwnNotes } from '../../memory/foreign/adopt.ts';
import type { Move } from '../../memory/portable/earlier-moves.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import { findProjectMemory } from '../../projects/project-memory.ts';

export function noteMove(places: Places, { root, sessions: count }: Move): void {
  if (count > 0) noteTakenOver(places, root, message('memory.earlierMoved', { count }));
}

/** `root`: the checkout that it lay in. */
export function noteTakenOver(places: Places, root: string, note: Message): void {
  const memory = findProjectMemory(places, root);
  if (memory === undefined) return;
  addActivity(places, [{ what: 'note', note, project: memory.root }]);
  rememberOwnNotes(places, memory);
}
