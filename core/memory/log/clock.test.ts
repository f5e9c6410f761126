import { describe, expect, it } from 'vitest';
import { AnyText } from '../../../tests/bed/any-text.ts';
import { seeds } from '../../../tests/bed/seeds.ts';
import { clockText, laterClock, nextTick, type Tick, tickOf } from './clock.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const [ONE, OTHER] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'];

describe('the clock of journal events', () => {
  it('M20 never goes back, however the clocks of two machines jump, and no two ticks are the same', () => {
    for (const seed of seeds(20)) {
      const any = new AnyText(seed);
      const clocks: string[] = [];
      const wall = { [ONE]: Date.parse('2026-11-16'), [OTHER]: Date.parse('2026-11-20') };
      let last: Tick | undefined;
      for (let step = 0; step < 200; step++) {
        const machine = any.number(2) === 0 ? ONE : OTHER;
        // Mostly moves on by a little, stands still, or jumps by days either way.
        const jump = [0, 1, any.number(1000), any.number(30) * DAY_MS, -any.number(30) * DAY_MS];
        wall[machine] = (wall[machine] ?? 0) + (jump[any.number(jump.length)] ?? 0);
        last = nextTick(last, wall[machine] ?? 0);
        clocks.push(clockText(last, machine));
        expect(tickOf(clocks.at(-1)), `seed ${seed}`).toEqual(last);
      }
      expect(clocks, `seed ${seed}`).toEqual([...new Set(clocks)].sort());
    }
  });

  it('M20 counts on when more is written in a millisecond than the count can tell', () => {
    const now = Date.parse('2026-11-16T09:00:00Z');
    let last = nextTick(undefined, now);
    let before = clockText(last, ONE);
    for (let n = 0; n < 70_000; n++) {
      last = nextTick(last, now);
      const clock = clockText(last, ONE);
      if (clock <= before) throw new Error(`${clock} is not later than ${before}`);
      before = clock;
    }
    expect(last).toEqual({ ms: now + 1, count: 70_000 - 0x10000 });
  });

  it.each([Number.NEGATIVE_INFINITY, -1, 0, Date.parse('9999-01-01'), Number.MAX_SAFE_INTEGER])(
    'M20 is a clock even if the system says it is %s',
    (now) => {
      const first = nextTick(undefined, now);
      const second = nextTick(first, now);
      expect(tickOf(clockText(first, ONE))).toEqual(first);
      expect(clockText(second, ONE) > clockText(first, ONE)).toBe(true);
    },
  );

  it.each([undefined, '', 'soon', '9999-12-31T23:59:59.999Z-ffff-aaaaaaaaaaaa', '2026-13-45'])(
    'T1 does not believe a foreign %s',
    (foreign) => {
      const clock = '2026-11-16T09:00:00.000Z-0000-aaaaaaaaaaaa';
      expect(laterClock(clock, foreign)).toBe(clock);
      expect(laterClock(foreign, clock)).toBe(clock);
    },
  );
});
