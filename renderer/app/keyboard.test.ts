/** The keys that work everywhere (G6), and that they leave whoever writes alone. */
import { describe, expect, it } from 'vitest';
import { movedIndex } from '../components/virtual-table.tsx';
import { commandOf } from './keyboard.ts';

const press = (key: string, more = {}) =>
  commandOf({ key, ctrlKey: false, metaKey: false, altKey: false, isTaken: false, ...more });

describe('keys', () => {
  it('G6 open the views by their numbers', () => {
    expect([press('1'), press('6'), press('7')]).toEqual([
      { view: 'sessions' },
      { view: 'settings' },
      undefined,
    ]);
  });

  it('G6 are letters for whoever is writing, but for the switch of projects', () => {
    expect(press('1', { isTaken: true })).toBeUndefined();
    expect(press('?', { isTaken: true })).toBeUndefined();
    expect(press('k', { isTaken: true, ctrlKey: true })).toBe('project');
    expect(press('K', { metaKey: true })).toBe('project');
  });

  it('G6 move in a list of any length, and stop at its ends', () => {
    const move = (key: string, current: number, total = 50_000) =>
      movedIndex(key, current, 20, total);
    expect([
      move('ArrowDown', -1),
      move('ArrowUp', 0),
      move('PageDown', 49_990),
      move('End', 0),
      move('Home', 9),
    ]).toEqual([0, 0, 49_999, 49_999, 0]);
    expect([move('End', 0, 0), move('Tab', 3)]).toEqual([-1, undefined]);
  });
});
