/** The line below the prompt, where the user has no status line of their own. */
export const STATUS_LINE = {
  'statusLine.context': {
    en: '{model} · context {percent}%',
    ko: '{model} · 컨텍스트 {percent}%',
  },
  'statusLine.contextUnknown': { en: '{model} · context –', ko: '{model} · 컨텍스트 –' },
  'statusLine.unreadable': {
    en: 'Memory Keeper: Claude Code sent no readable status',
    ko: 'Memory Keeper: Claude Code가 보낸 상태를 읽을 수 없습니다',
  },
} as const;
