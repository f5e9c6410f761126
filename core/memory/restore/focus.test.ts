import { expect, it } from 'vitest';
import type { L1Entry } from '../log/l1-refine.ts';
import { linesAbout } from './focus.ts';

const user = (text: string): L1Entry => ({ id: text, ts: '', role: 'user', text });
const claude = (text: string): L1Entry => ({ id: text, ts: '', role: 'assistant', text });
const ENTRIES: L1Entry[] = [
  user('Make the login faster.\nThe API limit stays at 40.'),
  claude('## Plan\n\n- measure `api/limits.ts`\n- 로그인 속도를 잰다'),
  { id: 'b', ts: '', role: 'tool', name: 'Bash', cmd: 'npm test -- api/limits', output: '' },
  user('What about colours?'),
  claude('The API limit is 40, as before.'),
];

it('K4 the lines that speak of what is to be kept, in their order', () => {
  expect(linesAbout('Keep the API limit, please', ENTRIES, 1000)).toEqual([
    '- The user said: The API limit stays at 40.',
    '- Claude said: - measure `api/limits.ts`',
    '- Bash: npm test -- api/limits',
    '- Claude said: The API limit is 40, as before.',
  ]);
  expect(linesAbout('로그인 유지', ENTRIES, 1000)).toEqual(['- Claude said: - 로그인 속도를 잰다']);
});

it('K4 the best of them if there is little room, the newest of equals', () => {
  expect(linesAbout('api limit', ENTRIES, 50)).toEqual([
    '- Claude said: The API limit is 40, as before.',
  ]);
});

it('K4 none for words that say nothing', () => {
  for (const words of ['', 'keep everything important', '??', 'of it'])
    expect(linesAbout(words, ENTRIES, 1000)).toEqual([]);
});

it('K4 takes no more room than it has, and no long time for long texts', () => {
  const long = [user('api '.repeat(100_000)), claude('limit\n'.repeat(50_000))];
  expect(linesAbout('api limit '.repeat(10_000), long, 700).join('\n').length).toBeLessThan(700);
});
