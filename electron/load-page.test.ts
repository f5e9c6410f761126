import { expect, it } from 'vitest';
import { loadPage } from './load-page.ts';

const load = (code: string, isDestroyed: boolean) => {
  const loadURL = async () => Promise.reject(Object.assign(new Error(code), { code }));
  return loadPage({ loadURL, isDestroyed: () => isDestroyed }, 'app://memory-keeper/index.html');
};

it('G1 a window that is closed, or shows something else, before its page is there is no failure', async () => {
  await expect(load('ERR_FAILED', true)).resolves.toBeUndefined();
  await expect(load('ERR_ABORTED', false)).resolves.toBeUndefined();
});

it('G1 a page that cannot be loaded is one', async () => {
  await expect(load('ERR_FAILED', false)).rejects.toThrow('ERR_FAILED');
});
