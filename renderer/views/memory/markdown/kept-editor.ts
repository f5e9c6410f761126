/**
 * How the editor stood when its view was left (G2, M19): cursor, undo and the text at the top. It
 * is taken up again though the text has become another meanwhile, as by a conflict that was solved:
 * only what differs is replaced, and everything else keeps its place.
 */
import { historyField, isolateHistory } from '@codemirror/commands';
import { Annotation, EditorState, type Extension, Transaction } from '@codemirror/state';

export interface Kept {
  state: { doc: string };
  /** Where the text at the top begins. */
  top: number;
}

/** A change that nobody typed here. */
export const fromOutside = Annotation.define<boolean>();
const FIELDS = { history: historyField };

export function keptState(state: EditorState): Kept['state'] {
  return state.toJSON(FIELDS) as Kept['state'];
}

/** As it was left, with what has changed since in its place. */
export function beginning(
  text: string,
  kept: unknown,
  extensions: Extension,
): { state: EditorState; top: number } {
  const doc = text.replace(/\r\n?/g, '\n');
  if (!isKept(kept)) return { state: EditorState.create({ doc, extensions }), top: 0 };
  const before = EditorState.fromJSON(kept.state, { extensions }, FIELDS);
  const changes = onlyWhatDiffers(kept.state.doc, doc) ?? [];
  const change = before.update({
    changes,
    annotations: [
      fromOutside.of(true),
      Transaction.addToHistory.of(false),
      isolateHistory.of('full'),
    ],
  });
  return {
    state: change.state,
    top: change.changes.mapPos(Math.min(kept.top, kept.state.doc.length)),
  };
}

function isKept(kept: unknown): kept is Kept {
  return typeof kept === 'object' && kept !== null && 'state' in kept;
}

export function onlyWhatDiffers(
  before: string,
  after: string,
): { from: number; to: number; insert: string } | undefined {
  if (before === after) return undefined;
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
