import { dirname } from 'node:path';

/**
 * Something that can happen to anybody (a full disk, a file of a newer version, a wrong word on the
 * command line) and whose message tells a person what is the matter. Every other error is a bug.
 */
export class ExpectedError extends Error {
  override name = 'ExpectedError';
}

export function isExpected(error: unknown): error is Error {
  return error instanceof ExpectedError || (error instanceof Error && 'errno' in error);
}

/** What the system says in codes, for people. */
export const SYSTEM_REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ['EROFS', 'the disk is read-only'],
  ['EACCES', 'there is no permission'],
  ['EPERM', 'there is no permission'],
  ['EBUSY', 'it is in use'],
  ['ENOSPC', 'the disk is full'],
]);

/**
 * The words of an expected error; of the system's, which name files of a moment, the folder and the
 * reason.
 */
export function wordsOf(error: Error): string {
  const { code, path } = error as NodeJS.ErrnoException;
  const reason = SYSTEM_REASONS.get(code);
  return reason === undefined || path === undefined
    ? error.message
    : `${dirname(path)}: ${reason} (${code})`;
}
