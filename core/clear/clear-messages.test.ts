/** What clears say, as a person reads it. */
import { describe, expect, it } from 'vitest';
import { renderMessage } from '../messages/all-messages.ts';
import { type Message, message } from '../messages/message.ts';
import { driverName } from './delivery/driver.ts';

const english = (said: Message) => renderMessage('en', said);
const korean = (said: Message) => renderMessage('ko', said);
const refused = (name: 'tmux' | 'kitty', reason: Message) =>
  message('clear.driverRefused', { driver: driverName(name), reason });

describe('what a clear says', () => {
  it('G6 keeps its figures, in both languages', () => {
    const below = message('clear.belowPercent', { percent: 71, tokens: 712_000, limit: 75 });
    expect(english(below)).toBe('Context at 71% (712,000 tokens), below the threshold of 75%');
    expect(korean(below)).toBe('컨텍스트 71%(712,000 토큰)로 기준 75%보다 낮습니다');
    const restored = message('clear.restoredAt', { percent: 71, characters: 12_400 });
    expect(english(restored)).toBe(
      'Cleared at 71 % · conversation saved · 12,400-character briefing restored',
    );
    expect(korean(restored)).toBe('컨텍스트 71%에서 비움 · 대화 저장됨 · 브리핑 12,400자 복원됨');
  });

  it('A7 names the time until which it cools down', () => {
    const until = new Date(2026, 10, 17, 14, 30).toISOString();
    expect(english(message('clear.coolingDown', { until }))).toContain('Cooling down until 14:30');
  });

  it('G6 says reasons inside of reasons', () => {
    const unsaved = message('clear.saveFailed', { reason: message('clear.noTranscript') });
    expect(english(unsaved)).toBe('Not cleared, because saving failed: Transcript not found');
    expect(korean(unsaved)).toBe('저장하지 못해 비우지 않았습니다: 대화 기록을 찾지 못했습니다');
    const noWay = message('clear.noDriver', {
      reasons: [
        refused('tmux', message('driver.tmuxNoPane')),
        refused('kitty', message('driver.notIn', { driver: driverName('kitty') })),
      ],
    });
    expect(english(noWay)).toBe(
      'There is no reliable way to clear it. tmux: No tmux pane shows its terminal. kitty: Not running in kitty.',
    );
    expect(korean(noWay)).toBe(
      '확실하게 비울 방식이 없습니다. tmux: 이 터미널을 보여 주는 tmux 창이 없습니다. kitty: kitty에서 실행되고 있지 않습니다.',
    );
  });

  it('A10 says whether it continues, behind how it ended', () => {
    const outcome = message('clear.nothingToRestore');
    expect(english(message('clear.continued', { outcome }))).toBe(
      'Cleared. There was nothing to restore yet. Continuing with the hand-over',
    );
    const reason = message('driver.boxDraft');
    expect(english(message('clear.notContinued', { outcome, reason }))).toBe(
      'Cleared. There was nothing to restore yet. It could not be told to continue: There is a draft in the prompt box',
    );
  });

  it('A6 counts one minute and two', () => {
    const cancelled = (minutes: number) => english(message('clear.cancelled', { minutes }));
    expect(cancelled(1)).toBe('Cancelled. No automatic clear for 1 minute');
    expect(cancelled(10)).toBe('Cancelled. No automatic clear for 10 minutes');
  });

  it('A5 tells what is left behind in the prompt box, and how to get a draft back', () => {
    const typed = message('driver.leftTyped', { reason: message('clear.busy'), typed: '/clear' });
    expect(korean(message('driver.leftDraft', { reason: typed }))).toBe(
      '작업 중입니다. 입력창에 /clear가 남아 있을 수 있습니다. 작성 중이던 글은 보관되어 있습니다. Ctrl+S로 되살릴 수 있습니다',
    );
  });
});
