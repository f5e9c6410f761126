import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { messageOf } from './expected-error.ts';

it('what the system refuses has a code, with the folder and not with a temporary file', () => {
  const denied = Object.assign(new Error("EACCES: permission denied, open '/a/b/.x.tmp'"), {
    code: 'EACCES',
    path: '/a/b/.x.tmp',
  });
  expect(messageOf(denied)).toEqual({
    code: 'system.noPermission',
    values: { place: '/a/b', code: 'EACCES' },
  });
});

it('what has no code of its own keeps its words', () => {
  const write = () => writeFileSync(join('no', 'such', 'folder', 'file'), '');
  expect(write).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  expect(messageOf(new Error('no such fact'))).toEqual({
    code: 'system.words',
    values: { words: 'no such fact' },
  });
});
