/** What holds for the desktop application's code as a whole. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FILES = readdirSync(import.meta.dirname).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
);
const codeOf = (name: string) =>
  readFileSync(join(import.meta.dirname, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
const filesWith = (pattern: RegExp) => FILES.filter((name) => pattern.test(codeOf(name))).sort();

describe('the desktop application', () => {
  it('G3 pages and main process speak to each other in two files and nowhere else', () => {
    expect(filesWith(/\bipc(?:Main|Renderer)\b/)).toEqual(['ipc.ts', 'preload.ts']);
    expect(filesWith(/\bcontextBridge\b/)).toEqual(['preload.ts']);
  });

  it('G3 every window has the safe preferences, and nothing weakens them', () => {
    const withWindows = filesWith(/new BrowserWindow\(/);
    expect(withWindows).toEqual(['countdown-window.ts', 'window.ts']);
    for (const name of withWindows)
      expect(codeOf(name)).toMatch(/webPreferences: safePreferences\(preload\)/);
    expect(filesWith(/webPreferences/)).toEqual(withWindows);
    expect(
      filesWith(
        /no-sandbox|disable-web-security|enableBlinkFeatures|file:\/\/|\ballowpopups\b|executeJavaScript/,
      ),
    ).toEqual([]);
  });

  it('G3 only links that were asked about leave the application', () => {
    expect(filesWith(/\bshell\./)).toEqual(['ipc.ts']);
    expect(filesWith(/\bnet\.(?:fetch|request)\b|\bfetch\(/)).toEqual([]);
  });
});
