import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { messageOf } from './expected-error.ts';

it('a system error has a code and names the folder, not the temporary file', () => {
  const denied = Object.assign(new Error("EACCES: permission denied, open '/a/b/.x.tmp'"), {
    code: 'EACCES',
    path: '/a/b/.x.tmp',
  });
  expect(messageOf(denied)).toEqual({
    code: 'system.noPermission',
    values: { place: '/a/b', code: 'EACCES' },
  });
});

it('an error without a code keeps its words', () => {
  const write = () => writeFileSync(join('no', 'such', 'folder', 'file'), '');
  expect(write).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  expect(messageOf(new Error('no such fact'))).toEqual({
    code: 'system.words',
    values: { words: 'no such fact' },
  });
});
