import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../tests/bed/temp-folder.ts';
import { whyNoDesktop } from './desktop.ts';

it('G3 without a desktop, or with one that does not answer, it says so', async () => {
  expect(await whyNoDesktop({}, 'linux')).toBe(
    'there is no desktop here (neither DISPLAY nor WAYLAND_DISPLAY is set)',
  );
  expect(await whyNoDesktop({ DISPLAY: ':4711' }, 'linux')).toBe(
    'the desktop :4711 does not answer',
  );
  expect(await whyNoDesktop({ DISPLAY: 'nonsense' }, 'linux')).toBe(
    'the desktop nonsense does not answer',
  );
  const env = { WAYLAND_DISPLAY: 'wayland-9', XDG_RUNTIME_DIR: tempFolder() };
  expect(await whyNoDesktop(env, 'linux')).toBe('the desktop wayland-9 does not answer');
});

it('G3 a desktop that answers is one, and macOS and Windows have one', async () => {
  const folder = tempFolder();
  const server = createServer().listen(join(folder, 'wayland-9'));
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect(
    await whyNoDesktop({ WAYLAND_DISPLAY: 'wayland-9', XDG_RUNTIME_DIR: folder }, 'linux'),
  ).toBeUndefined();
  expect(
    await whyNoDesktop({ DISPLAY: ':4711', WAYLAND_DISPLAY: join(folder, 'wayland-9') }, 'linux'),
  ).toBeUndefined();
  expect(await whyNoDesktop({}, 'darwin')).toBeUndefined();
  expect(await whyNoDesktop({}, 'win32')).toBeUndefined();
});
