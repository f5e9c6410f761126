/** The text of a file of tests, and those of the cases that it imports. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function textsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const cases = [...text.matchAll(/ from '([./]+\/cases\/[^']+)'/g)].map(([, path = '']) => path);
  return [text, ...cases.map((path) => readFileSync(join(dirname(file), path), 'utf8'))];
}
