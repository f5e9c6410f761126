/** What the tray wants shown (G1). */
import { describe, expect, it, vi } from 'vitest';
import { takeWantedProject } from './wanted-place.ts';

const at = (hash: string) => ({
  location: { hash, pathname: '/index.html', search: '' },
  history: { replaceState: vi.fn() },
});

describe('the address', () => {
  it('G1 names a project, whatever it is called, once', () => {
    const page = at(`#sessions=${encodeURIComponent('/home/나/a b#c%20')}`);
    expect(takeWantedProject(page)).toBe('/home/나/a b#c%20');
    expect(page.history.replaceState).toHaveBeenCalledWith(null, '', '/index.html');
  });

  it('G1 that says anything else is left as it is', () => {
    for (const hash of ['', '#content', '#token=abc', '#sessions=']) {
      const page = at(hash);
      expect(takeWantedProject(page)).toBeUndefined();
      expect(page.history.replaceState).not.toHaveBeenCalled();
    }
    expect(takeWantedProject(at('#sessions=%E0%A4%A'))).toBeUndefined();
  });
});
