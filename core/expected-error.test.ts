import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { wordsOf } from './expected-error.ts';

it('what the system says is told in words, with the folder and not with a file of a moment', () => {
  const denied = Object.assign(new Error("EACCES: permission denied, open '/a/b/.x.tmp'"), {
    code: 'EACCES',
    path: '/a/b/.x.tmp',
  });
  expect(wordsOf(denied)).toBe('/a/b: there is no permission (EACCES)');
});

it('what has no words of its own keeps the ones it has', () => {
  const write = () => writeFileSync(join('no', 'such', 'folder', 'file'), '');
  expect(write).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  expect(wordsOf(new Error('there is no fact "d009"'))).toBe('there is no fact "d009"');
});
