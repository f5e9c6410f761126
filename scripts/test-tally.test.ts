import { expect, it } from 'vitest';
import { Tally, type TestResult } from './test-tally.ts';

const passed = (name: string): TestResult => ({ name, state: 'passed' });
const failed = (name: string, error: string): TestResult => ({ name, state: 'failed', error });
const skipped = (name: string): TestResult => ({ name, state: 'skipped' });

it('counts each file as it was run last, and names what needed a second try', () => {
  const tally = new Tally();
  tally.add([
    { file: '/here/a.test.ts', tests: [passed('one'), skipped('two')] },
    { file: '/here/b.test.ts', tests: [failed('the group', 'no session'), skipped('three')] },
    { file: '/here/c.test.ts', tests: [failed('four', 'late'), failed('five', 'wrong')] },
  ]);
  expect(tally.counts).toEqual({ passed: 1, failed: 3, skipped: 2 });
  expect(tally.hasFailed('/here/a.test.ts')).toBe(false);
  expect(tally.hasFailed('/here/b.test.ts')).toBe(true);
  tally.addSecond([{ file: '/here/b.test.ts', tests: [passed('three')] }]);
  tally.addSecond([{ file: '/here/c.test.ts', tests: [passed('four'), failed('five', 'wrong')] }]);
  expect(tally.counts).toEqual({ passed: 3, failed: 1, skipped: 1 });
  expect(tally.flakyText('/here')).toBe(
    'flaky, passed at the second try: 2\n' +
      '  b.test.ts > the group\n    no session\n  c.test.ts > four\n    late\n',
  );
});

it('a test that passed first and fails at the second try has failed', () => {
  const tally = new Tally();
  tally.add([{ file: '/here/a.test.ts', tests: [failed('one', 'late'), passed('two')] }]);
  tally.addSecond([{ file: '/here/a.test.ts', tests: [passed('one'), failed('two', 'late')] }]);
  expect(tally.counts.failed).toBe(1);
});

it('says nothing of flaky tests where there are none', () => {
  expect(new Tally().flakyText('/here')).toBe('');
});
