import { describe, expect, it } from 'vitest';
import type { L1Entry } from '../log/l1-refine.ts';
import { requestLines, ruledOut, whatIsAnswered } from './user-words.ts';

let count = 0;
const said = (role: 'user' | 'assistant', text: string) => ({
  id: `e${count++}`,
  ts: '',
  role,
  text,
});
const newest = said('user', 'Go on.');
const rulesOf = (entries: readonly L1Entry[], room = 2000) =>
  ruledOut([...entries, newest], newest, whatIsAnswered(entries), room);

describe('what the user ruled out', () => {
  it.each([
    "Rename it, but don't touch the tests.",
    'Never push to main.',
    'We should not add a dependency for that.',
    "Let's not change the schema yet.",
    'No need to write docs.',
    'skip 5 and 7, do the rest',
    'Please never commit this.',
    "Don't wait, just send it?",
    'Stop adding comments.',
    '테스트는 건드리지 마세요.',
    '아직 커밋하지 마',
    '라이브러리는 추가하지 말고 직접 구현해줘',
    '이 파일은 절대 수정하면 안 돼요.',
  ])('K2 is told in their own words: %s', (words) => {
    expect(rulesOf([said('user', `Please look at it. ${words}`)])).toEqual([`- “${words}”`]);
  });

  it.each([
    "I don't know why it fails.",
    "Why don't we use the other one?",
    "If you don't find it, look into the log.",
    'Does the parser never return?',
    '왜 실패하는지 봐줘',
    'Add a test for the parser.',
    'The variable count is incremented but never asserted.',
  ])('K2 is not found where nothing is: %s', (words) => {
    expect(rulesOf([said('user', words)])).toEqual([]);
  });

  it('K2 is told with the question that a short one answers', () => {
    const asked = said('assistant', 'Done.\nShall I switch it off as well?');
    expect(rulesOf([asked, said('user', "no, don't, let us see")])).toEqual([
      "- (to “Shall I switch it off as well?”) “no, don't, let us see”",
    ]);
  });

  it('K2 has steps that the user did not allow, unless they were allowed later', () => {
    const step = { id: 'x', ts: '', role: 'tool', name: 'Bash', output: '' } as const;
    const refused = { ...step, cmd: 'rm -rf cache', isRefused: true, isError: true } as const;
    expect(rulesOf([refused])).toEqual(['- The user did not allow this step: Ran rm -rf cache']);
    expect(rulesOf([refused, { ...step, cmd: 'rm -rf cache' }])).toEqual([]);
  });

  it('K2 keeps what is ruled out before what is only wished, and the newest, where room is short', () => {
    const entries = [
      said('user', "Don't use the first cache."),
      said('user', "Don't use the second cache."),
      said('user', 'Make sure that it is fast.'),
    ];
    expect(rulesOf(entries, 70)).toEqual([
      "- “Don't use the first cache.”",
      "- “Don't use the second cache.”",
    ]);
    expect(rulesOf(entries, 40)).toEqual(["- “Don't use the second cache.”"]);
  });
});

describe('the requests', () => {
  it('K2 keep their end, where what is wanted stands behind what was pasted', () => {
    const pasted = said('user', `${'at line of the log '.repeat(60)}. Please fix only the parser.`);
    const line = requestLines([pasted], new Map(), 400).lines.get(pasted) ?? '';
    expect(line.length).toBeLessThanOrEqual(400);
    expect(line).toMatch(/^- at line of the log .*… Please fix only the parser\.$/);
  });
});
