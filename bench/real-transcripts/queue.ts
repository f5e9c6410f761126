/**
 * Prompts typed while Claude works are queued. A `queue-operation` row "enqueue" holds the text;
 * how it went on is told by "dequeue" (a prompt of its own follows), "remove" (it was sent along,
 * with an attachment in newer versions and without any other trace in older ones) and "popAll"
 * (the user took it back into the box). Each prompt must count once.
 */

import { type Words, wordsOfUserText } from './words.ts';

export interface QueueOperation {
  row: number;
  operation: string;
  text: string;
}

interface Placed extends Words {
  row: number;
}

/** A queued prompt's other form follows within a few rows of the operation that ends the wait. */
const ROWS_BEHIND = 40;

/** What was queued and stands nowhere else, and the copies of what does. */
export function resolveQueue(
  operations: readonly QueueOperation[],
  said: readonly Placed[],
): Placed[] {
  const elsewhere = said.filter(({ kind }) => kind === 'user');
  const taken = new Set<Placed>();
  const takenBack = new Set<QueueOperation>();
  return operations.flatMap((queued, index): Placed[] => {
    if (queued.operation !== 'enqueue') {
      return [{ row: queued.row, kind: 'none', how: `queue ${queued.operation}`, text: '' }];
    }
    const words = wordsOfUserText(queued.text, 'queued (operation)');
    return words.map((word): Placed => {
      const place = { row: queued.row, ...word };
      if (word.kind === 'none') {
        return place;
      }
      const last = emptyAgain(operations, index) + ROWS_BEHIND;
      const later = elsewhere.find(
        (other) =>
          other.row > queued.row &&
          other.row <= last &&
          !taken.has(other) &&
          holds(other, word) &&
          mayBeCopy(other, queued, operations),
      );
      if (later !== undefined) {
        // Several queued prompts may go into one: it may be found again by the others.
        if (later.text.trim() === word.text.trim()) {
          taken.add(later);
        }
        return { ...place, kind: 'none', how: 'queue copy' };
      }
      return wasTakenBack(operations, index, takenBack)
        ? { ...place, kind: 'none', how: 'queued and taken back' }
        : place;
    });
  });
}

/**
 * What was sent along is copied by an attachment only. A row of its own comes from a "dequeue", or
 * from a queue that was never emptied; else the user typed the same again (seen with "/model").
 */
function mayBeCopy(
  other: Placed,
  queued: QueueOperation,
  operations: readonly QueueOperation[],
): boolean {
  if (other.how.startsWith('queued')) {
    return true;
  }
  const between = operations.filter(({ row }) => row > queued.row && row < other.row);
  return (
    between.some(({ operation }) => operation === 'dequeue') ||
    !between.some(({ operation }) => operation === 'remove')
  );
}

/** The row at which the queue is empty again, as far as the operations tell. */
function emptyAgain(operations: readonly QueueOperation[], from: number): number {
  let waiting = 0;
  for (const { row, operation } of operations.slice(from)) {
    waiting += operation === 'enqueue' ? 1 : -1;
    if (waiting <= 0) {
      return row;
    }
  }
  return Number.POSITIVE_INFINITY;
}

function holds(other: Placed, { text }: Words): boolean {
  return `\n${other.text.trim()}\n`.includes(`\n${text.trim()}\n`);
}

function wasTakenBack(
  operations: readonly QueueOperation[],
  from: number,
  takenBack: Set<QueueOperation>,
): boolean {
  const queued = operations[from];
  const popped = operations
    .slice(from + 1)
    .find(
      (later) =>
        later.operation === 'popAll' && later.text === queued?.text && !takenBack.has(later),
    );
  if (popped !== undefined) {
    takenBack.add(popped);
  }
  return popped !== undefined;
}
