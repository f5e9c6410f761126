import { describe, expect, it } from 'vitest';
import { tellingReply, tellingRequest } from './telling-sentence.ts';

describe('the most telling sentence', () => {
  it.each([
    ['Perfect! Now the export also needs a header row.', 'Now the export also needs a header row.'],
    ['yes please, rename the command to "sweep"', 'please, rename the command to "sweep"'],
    [
      'It fails on Mondays. Fix the weekly report in the scheduler.',
      'Fix the weekly report in the scheduler.',
    ],
    [
      'this is what I get:\n```\nboom\n```\nwhy does the importer stop here?',
      'why does the importer stop here?',
    ],
    [
      'Implement the following plan:\n\n# Plan: split the parser\n\nsteps',
      'Plan: split the parser',
    ],
    ['/plan add a dark theme to the settings', 'add a dark theme to the settings'],
    ['네 좋아요. 로그인 화면에 비밀번호 찾기 추가해줘', '로그인 화면에 비밀번호 찾기 추가해줘'],
  ])('V2 of the request "%s" it is "%s"', (text, sentence) => {
    expect(tellingRequest(text)).toBe(sentence);
  });

  it.each([
    'ok.',
    'Perfect!',
    'yes, go ahead',
    'commit and push',
    '/exit',
    '!git status',
    '네',
    '좋아요!',
    '계속해줘',
    'ㅇㅇ 그렇게 해줘',
  ])('V2 the request "%s" tells nothing', (text) => {
    expect(tellingRequest(text)).toBeUndefined();
  });

  it.each([
    [
      'Perfect! All tests pass. The cache is now keyed by tenant.',
      'The cache is now keyed by tenant.',
    ],
    [
      'Let me look at the scheduler. The root cause was a missing lock.',
      'The root cause was a missing lock.',
    ],
    [
      '## Summary\n\n- `a.ts`\n- `b.ts`\n\nI replaced the polling with a watcher.',
      'I replaced the polling with a watcher.',
    ],
    [
      '알겠습니다. 확인해 보겠습니다. 결제 모듈에 재시도를 추가했습니다.',
      '결제 모듈에 재시도를 추가했습니다.',
    ],
  ])('V2 of the reply "%s" it is "%s"', (text, sentence) => {
    expect(tellingReply(text)).toBe(sentence);
  });

  it.each([
    'Perfect!',
    'ok.',
    'Let me check the tests.',
    'Should I continue?',
    "Here's the plan:",
    '네, 알겠습니다.',
    '확인해 보겠습니다.',
  ])('V2 the reply "%s" tells nothing', (text) => {
    expect(tellingReply(text, { isDoneEnough: true })).toBeUndefined();
  });

  it('V2 that tests pass is told only where nothing else is', () => {
    expect(tellingReply('All tests pass now.')).toBeUndefined();
    expect(tellingReply('All tests pass now.', { isDoneEnough: true })).toBe('All tests pass now.');
  });
});
