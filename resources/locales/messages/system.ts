/** What the operating system refuses, and what should never happen. */
export const SYSTEM = {
  'system.readOnly': {
    en: '{place}: the disk is read-only ({code})',
    ko: '{place}: 읽기 전용 디스크입니다({code})',
  },
  'system.noPermission': {
    en: '{place}: permission denied ({code})',
    ko: '{place}: 권한이 없습니다({code})',
  },
  'system.inUse': {
    en: '{place}: in use by another program ({code})',
    ko: '{place}: 다른 프로그램이 사용 중입니다({code})',
  },
  'system.diskFull': {
    en: '{place}: the disk is full ({code})',
    ko: '{place}: 디스크가 가득 찼습니다({code})',
  },
  'system.notInstalled': {
    en: '{program} is not installed',
    ko: '{program:이/가} 설치되어 있지 않습니다',
  },
  'system.noAnswer': {
    en: '{program} did not respond',
    ko: '{program:이/가} 응답하지 않았습니다',
  },
  /** What another program says: there is no translation. */
  'system.words': { en: '{words}', ko: '{words}' },
  'system.bug': { en: 'Internal error: {words}', ko: '내부 오류: {words}' },
} as const;
