/**
 * The tray's picture, by its pixels: what a person would see of it at each size, on light and dark
 * panels.
 */
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { LiveState, SessionView } from '../core/usecases/contract.ts';
import { type Panel, panelFor, type TrayLook, trayLook, trayPng } from './tray-look.ts';

const SIZES = [16, 22, 32, 44];
const QUIET: TrayLook = { percent: null, level: null, isCountingDown: false, isPaused: false };

/** RGBA of each pixel, out of the very file. */
function pixels(look: Partial<TrayLook>, size: number, panel: Panel = 'light'): number[][] {
  const png = trayPng({ ...QUIET, ...look }, size, panel);
  const length = png.readUInt32BE(33);
  const raw = inflateSync(png.subarray(41, 41 + length));
  return Array.from({ length: size * size }, (_, index) => {
    const at = Math.floor(index / size) * (size * 4 + 1) + 1 + (index % size) * 4;
    return [...raw.subarray(at, at + 4)];
  });
}

/** The share of the ring that has the colour of its end, looked at along the middle of the ring. */
function share(look: Partial<TrayLook>, size: number, panel: Panel): number {
  const all = pixels(look, size, panel);
  const radius = size * 0.47 - size * 0.06;
  const steps = 720;
  let solid = 0;
  for (let step = 0; step < steps; step++) {
    const turn = ((step + 0.5) / steps) * 2 * Math.PI;
    const [x, y] = [
      Math.floor(size / 2 + radius * Math.sin(turn)),
      Math.floor(size / 2 - radius * Math.cos(turn)),
    ];
    if ((all[y * size + x]?.[3] ?? 0) > 150) solid++;
  }
  return solid / steps;
}

const differing = (one: number[][], other: number[][]) =>
  one.filter((pixel, index) => pixel.join() !== other[index]?.join()).length;

describe('the picture in the tray', () => {
  it('G1 the ring is filled by as much as the percentage says, at every size', () => {
    for (const size of SIZES)
      for (const percent of [10, 25, 50, 75, 90])
        for (const panel of ['light', 'dark', 'template'] as const)
          expect(
            Math.abs(share({ percent, level: 'ok' }, size, panel) - percent / 100),
          ).toBeLessThan(0.09);
  });

  it('G1 the level has its colour, and no session is grey', () => {
    const colour = (look: Partial<TrayLook>) =>
      pixels(look, 44)
        .find(([, , , alpha]) => alpha === 255)
        ?.slice(0, 3) ?? [];
    const [ok, warn, critical, none] = [
      colour({ percent: 100, level: 'ok' }),
      colour({ percent: 100, level: 'warn' }),
      colour({ percent: 100, level: 'critical' }),
      colour({}),
    ] as number[][];
    expect((ok?.[2] ?? 0) > (ok?.[0] ?? 0)).toBe(true);
    expect((warn?.[0] ?? 0) > (warn?.[1] ?? 0) && (warn?.[1] ?? 0) > (warn?.[2] ?? 0) + 80).toBe(
      true,
    );
    expect((critical?.[0] ?? 0) > (critical?.[1] ?? 0) + 100).toBe(true);
    expect(Math.max(...(none ?? [])) - Math.min(...(none ?? []))).toBeLessThan(40);
  });

  it('G1 each number reads differently, where it fits; three figures do not fit into 16 pixels', () => {
    for (const size of SIZES) {
      // The same filling for all, so that only the figures differ.
      const seen = new Set(
        Array.from({ length: 100 }, (_, percent) => {
          const middle = pixels({ percent, level: 'ok' }, size).filter((_pixel, index) => {
            const [x, y] = [(index % size) - size / 2, Math.floor(index / size) - size / 2];
            return Math.hypot(x, y) < size * 0.3;
          });
          return middle.join();
        }),
      );
      expect(seen.size).toBe(100);
    }
    const middleOf = (size: number) =>
      pixels({ percent: 100, level: 'critical' }, size)[(size / 2) * size + size / 2]?.[3];
    expect(middleOf(16)).toBe(0);
    expect(
      pixels({ percent: 100, level: 'critical' }, 22).filter(([red]) => red === 32).length,
    ).toBeGreaterThan(20);
  });

  it('G1 a dot while a clear is near and a bar while it is paused, at every size', () => {
    for (const size of SIZES) {
      const look = { percent: 42, level: 'ok' } as const;
      const plain = pixels(look, size);
      expect(differing(plain, pixels({ ...look, isCountingDown: true }, size))).toBeGreaterThan(
        size / 2,
      );
      expect(differing(plain, pixels({ ...look, isPaused: true }, size))).toBeGreaterThan(size);
    }
  });

  it('G1 a template has no colour, only alpha', () => {
    for (const [red, green, blue] of pixels(
      { percent: 88, level: 'critical', isCountingDown: true },
      44,
      'template',
    ))
      expect([red, green, blue]).toEqual([0, 0, 0]);
  });
});

describe('the panel', () => {
  it('G1 is as dark as the theme, GNOME’s always; macOS colours the picture itself', () => {
    expect(panelFor('linux', false, 'KDE')).toBe('light');
    expect(panelFor('linux', true, 'KDE')).toBe('dark');
    expect(panelFor('linux', false, 'ubuntu:GNOME')).toBe('dark');
    expect(panelFor('win32', false)).toBe('light');
    expect(panelFor('darwin', true)).toBe('template');
  });
});

describe('what the tray shows', () => {
  const session = (percent: number | null, level: SessionView['level']) =>
    ({ percent, level }) as SessionView;
  const state = (sessions: SessionView[], clears: { state: string }[] = []): LiveState =>
    ({ sessions, clears, problems: [], isPaused: false }) as unknown as LiveState;

  it('G1 the fullest session, by its own level', () => {
    const look = trayLook(
      state([session(null, null), session(31.4, 'warn'), session(30, 'critical')]),
    );
    expect(look).toEqual({ percent: 31, level: 'warn', isCountingDown: false, isPaused: false });
  });

  it('A6 a clear that counts down, and no other', () => {
    expect(trayLook(state([], [{ state: 'restored' }])).isCountingDown).toBe(false);
    expect(
      trayLook(state([], [{ state: 'restored' }, { state: 'countdown' }])).isCountingDown,
    ).toBe(true);
  });
});
