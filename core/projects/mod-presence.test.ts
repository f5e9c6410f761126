import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { linuxStartTime } from '../platform/process/linux.ts';
import { type Places, placesFrom } from '../platform/store/places.ts';
import { isModPresent, markModPresent, modMark } from './mod-presence.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const PID = String(process.pid);
/** No process has it. */
const GONE = '4194304999';
const start = linuxStartTime(process.pid);

let places: Places;
beforeEach(() => {
  places = placesFrom({ HOME: tempFolder() });
});

const markOf = (pid: string) => join(places.home, 'mods', pid);
function leave(pid: string, text: string, ageMs: number): void {
  markModPresent(places, pid);
  writeFileSync(markOf(pid), text);
  const at = new Date(Date.now() - ageMs);
  utimesSync(markOf(pid), at, at);
}

describe('the mark of a mod', () => {
  it.runIf(start !== undefined)(
    'A4 counts in the very process for as long as that lives: a session may wait over a weekend',
    () => {
      leave(PID, start ?? '', 40 * DAY_MS);
      expect([isModPresent(places, PID), modMark(places, PID)]).toEqual([true, start]);
      markModPresent(places, GONE);
      expect(existsSync(markOf(PID))).toBe(true);
    },
  );

  it('A4 no longer counts when the process is gone or another one has its pid', () => {
    leave(PID, 'another start', 0);
    leave(GONE, '1', 0);
    expect([PID, GONE, ''].map((pid) => isModPresent(places, pid))).toEqual([false, false, false]);
  });

  it('M16 counts for a day where the start time is unknown', () => {
    leave(GONE, '', 23 * 60 * 60 * 1000);
    expect(isModPresent(places, GONE)).toBe(true);
    leave(GONE, '', DAY_MS + 1000);
    expect(isModPresent(places, GONE)).toBe(false);
  });

  it('M16 is removed a month after its process ended', () => {
    leave('4194304998', '1', 31 * DAY_MS);
    leave('4194304997', '1', 29 * DAY_MS);
    markModPresent(places, GONE);
    expect([existsSync(markOf('4194304998')), existsSync(markOf('4194304997'))]).toEqual([
      false,
      true,
    ]);
  });
});
