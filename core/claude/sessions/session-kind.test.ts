import { expect, it } from 'vitest';
import { sessionKind } from './session-kind.ts';

// What Claude Code 2.1.150, 2.1.240 and 2.1.325 write into their registry.
it.each([
  ['interactive', 'cli', 'cli'],
  ['interactive', 'sdk-cli', 'sdk'],
  ['interactive', 'sdk-ts', 'sdk'],
  ['interactive', 'sdk-py', 'sdk'],
  ['interactive', 'claude-vscode', 'editor'],
  ['interactive', 'claude-desktop', 'other'],
  ['interactive', 'one-of-next-year', 'other'],
  ['background', 'cli', 'other'],
  [undefined, undefined, 'cli'],
])('T5 a session of kind %s, started by %s, is of the kind %s', (kind, entrypoint, wanted) => {
  expect(sessionKind({ kind, entrypoint })).toBe(wanted);
});
