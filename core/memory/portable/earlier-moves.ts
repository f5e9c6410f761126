/**
 * What was moved from where (M1): `earlier-memories.json` in our home says of every memory of 0.1.0
 * when it moved, what of it, and what was left, so that it moves once and the user can be told where
 * the old files are.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Message } from '../../messages/message.ts';
import { type DocumentKind, readDocument, updateDocument } from '../../platform/store/document.ts';
import type { Places } from '../../platform/store/places.ts';

const Left = v.looseObject({
  /** Sessions that nothing proves to be the user's own. */
  sessions: v.number(),
  /** What people changed or wrote. */
  edits: v.number(),
  rules: v.boolean(),
  settings: v.boolean(),
});

const Move = v.looseObject({
  /** The checkout. */
  root: v.string(),
  /** Of the old files, when they were moved. */
  mark: v.string(),
  at: v.string(),
  sessions: v.number(),
  entries: v.number(),
  left: Left,
  /** What the user has taken over of what was left. */
  adopted: v.fallback(v.array(v.string()), []),
  /** When the user said that what is left is not theirs: it is never offered again. */
  refusedAt: v.fallback(v.optional(v.string()), undefined),
  /** The copied files, from the folder on. */
  files: v.fallback(v.array(v.string()), []),
  /** Why it could not be moved. */
  problem: v.fallback(
    v.optional(v.custom<Message>((value) => typeof value === 'object')),
    undefined,
  ),
});

export type Left = v.InferOutput<typeof Left>;
export type Move = v.InferOutput<typeof Move>;

const Moves = v.looseObject({
  /** By the folder that holds the old `memory` and `sessions`. */
  moves: v.fallback(v.record(v.string(), Move), {}),
});

const movesFile: DocumentKind<v.InferOutput<typeof Moves>> = {
  version: 1,
  schema: Moves,
  empty: () => ({ moves: {} }),
};

export const movesPath = (places: Places): string => join(places.home, 'earlier-memories.json');

export function moveFrom(places: Places, path: string): Move | undefined {
  const reading = readDocument(movesPath(places), movesFile);
  return reading.state === 'ok' ? reading.value.moves[path] : undefined;
}

/** What the user has refused stays refused, whatever moves later. */
export function rememberMove(places: Places, path: string, move: Move): void {
  changeMoves(places, (moves) => {
    const refusedAt = moves[path]?.refusedAt;
    return { ...moves, [path]: { ...(refusedAt !== undefined && { refusedAt }), ...move } };
  });
}

/** `undefined` takes the refusal back. */
export function rememberRefusal(places: Places, path: string, refusedAt: string | undefined): void {
  changeMoves(places, (moves) => {
    const move = moves[path];
    return move === undefined ? moves : { ...moves, [path]: { ...move, refusedAt } };
  });
}

function changeMoves(
  places: Places,
  change: (moves: Record<string, Move>) => Record<string, Move>,
): void {
  updateDocument(movesPath(places), movesFile, (file) => ({ ...file, moves: change(file.moves) }));
}

export interface Backup extends Move {
  /** The folder that holds the old `memory` and `sessions`. */
  path: string;
}

export function allMoves(places: Places): Backup[] {
  const reading = readDocument(movesPath(places), movesFile);
  const moves = reading.state === 'ok' ? Object.entries(reading.value.moves) : [];
  return moves.map(([path, move]) => ({ ...move, path }));
}

/** Of every move whose old files are still there, and of which something has moved. */
export function earlierBackups(places: Places): Backup[] {
  return allMoves(places).filter(({ path, sessions, problem }) => {
    const isThere = existsSync(join(path, 'memory/memory-index.json'));
    return isThere && (sessions > 0 || problem !== undefined);
  });
}
