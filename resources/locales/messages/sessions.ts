/** Finding the sessions that run, and what sets where Claude Code compacts them. */
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
  'sessions.compactionDefault': { en: 'default', ko: '기본값' },
  'sessions.compactionLimit': { en: 'only when the window is full', ko: '창이 가득 찼을 때만' },
  'sessions.compactionServer': { en: 'set for your account', ko: '계정에 적용된 값' },
  'sessions.compactionSession': { en: 'set for this session', ko: '이 세션에만 적용된 값' },
  'sessions.compactionUnknown': { en: 'not known', ko: '알 수 없음' },
  'sessions.compactionVariable': { en: 'environment variable {name}', ko: '환경 변수 {name}' },
  'sessions.compactionUser': { en: '{name} in your settings', ko: '내 설정의 {name}' },
  'sessions.compactionProject': {
    en: "{name} in the project's settings",
    ko: '프로젝트 설정의 {name}',
  },
  'sessions.compactionLocal': {
    en: "{name} in the project's local settings",
    ko: '프로젝트 로컬 설정의 {name}',
  },
  'sessions.compactionManaged': {
    en: "{name} in your administrator's settings",
    ko: '관리자 설정의 {name}',
  },
  'sessions.compactionGlobal': { en: '{name} in .claude.json', ko: '.claude.json의 {name}' },
} as const;
