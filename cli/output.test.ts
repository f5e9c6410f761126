import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('T3 commands write through one place, but for what draws on the screen', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const writers = files
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .filter((file) =>
      /std(?:out|err)\.write|console\./.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
    );
  expect(writers.sort()).toEqual([
    join('commands', 'memory', 'action.ts'), // a line that is drawn again
    join('commands', 'status.ts'), // the live screen
    'memory-keeper.ts', // the output itself is broken
    'output.ts',
  ]);
});
