import { expect, it } from 'vitest';
import { shortPath } from './short-path.ts';

it.each([
  ['/home/mina/.local/bin/claude', '/home/mina/.claude/memory-keeper', '~/.local/bin/claude'],
  ['C:\\Users\\mina\\claude.exe', 'C:\\Users\\mina\\.claude\\memory-keeper', '~\\claude.exe'],
  ['/home/minato/claude', '/home/mina/.claude/memory-keeper', '/home/minato/claude'],
  ['/usr/bin/claude', '/srv/kept', '/usr/bin/claude'],
])('G2 %s is shown as people write it', (path, ourHome, shown) => {
  expect(shortPath(path, ourHome)).toBe(shown);
});
