/** What `memory-keeper serve` answers to requests that it refuses, and why it does not start. */
export const SERVE = {
  'serve.portInUse': {
    en: 'Port {port} is already in use. Choose another, or leave out --port',
    ko: '포트 {port:은/는} 이미 사용 중입니다. 다른 포트를 고르거나 --port를 생략하세요',
  },
  'serve.portDenied': {
    en: 'Port {port} requires special permission. Choose one from 1024',
    ko: '포트 {port:을/를} 사용할 권한이 없습니다. 1024 이상에서 고르세요',
  },
  'serve.notBuilt': {
    en: "The window's files are missing from {folder}. Run `npm run build`",
    ko: '{folder}에 창의 파일이 없습니다. `npm run build`를 실행하세요',
  },
  'serve.badToken': {
    en: 'The token is missing or wrong. Open the address that `memory-keeper serve` printed',
    ko: '토큰이 없거나 올바르지 않습니다. `memory-keeper serve`가 표시한 주소를 여세요',
  },
  'serve.badHost': {
    en: 'This address is not one of Memory Keeper. Use 127.0.0.1 or localhost',
    ko: 'Memory Keeper의 주소가 아닙니다. 127.0.0.1이나 localhost를 사용하세요',
  },
  'serve.otherSite': {
    en: 'Other sites are not allowed to use Memory Keeper',
    ko: '다른 사이트에서는 Memory Keeper를 사용할 수 없습니다',
  },
  'serve.badMethod': {
    en: 'The HTTP method {method} is not allowed here',
    ko: '여기에서는 HTTP 메서드 {method:을/를} 사용할 수 없습니다',
  },
  'serve.notFound': { en: 'There is no such file', ko: '그런 파일이 없습니다' },
  'serve.tooManyWindows': {
    en: 'Too many windows are connected',
    ko: '연결된 창이 너무 많습니다',
  },
  'serve.notJsonType': {
    en: 'Arguments must be sent as application/json',
    ko: '인수는 application/json으로 보내야 합니다',
  },
  'serve.notJson': { en: 'The arguments are not valid JSON', ko: '인수가 올바른 JSON이 아닙니다' },
  'serve.tooLarge': { en: 'The request is too large', ko: '요청이 너무 큽니다' },
} as const;
