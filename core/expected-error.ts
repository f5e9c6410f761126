/**
 * Something that can happen to anybody (a full disk, a file of a newer version, a wrong word on the command line) and whose
 * message tells a person what is the matter. Every other error is a bug.
 */
export class ExpectedError extends Error {
  override name = 'ExpectedError';
}

export function isExpected(error: unknown): error is Error {
  return error instanceof ExpectedError || (error instanceof Error && 'errno' in error);
}
