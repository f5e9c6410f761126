/** Finding the sessions that run. */
export const SESSIONS = {
  'sessions.badEntry': {
    en: '{path} is not a session file that Memory Keeper understands',
    ko: '세션 파일 {path:을/를} 해석할 수 없습니다',
  },
  'sessions.folderUnreadable': {
    en: '{path} cannot be read ({code})',
    ko: '{path:을/를} 읽을 수 없습니다({code})',
  },
  'sessions.commandFailed': {
    en: '`claude agents --json` failed: {reason}',
    ko: '`claude agents --json` 실행에 실패했습니다: {reason}',
  },
  'sessions.commandNotJson': {
    en: 'Its output is not JSON',
    ko: '출력이 JSON이 아닙니다',
  },
  'sessions.commandNotList': {
    en: 'Its output is not a list',
    ko: '출력이 목록이 아닙니다',
  },
  'sessions.notUpToDate': {
    en: 'Sessions cannot be updated right now: {reason}',
    ko: '지금은 세션 상태를 새로 확인할 수 없습니다: {reason}',
  },
} as const;
