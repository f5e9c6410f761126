/** Between a window and the engine: calls, chosen files, the connection. */
export const API = {
  'api.noMethod': { en: 'There is no method "{method}"', ko: '‘{method}’ 기능이 없습니다' },
  'api.tooLong': {
    en: 'The text is too long: {length} characters, and the limit is {most}',
    ko: '내용이 너무 깁니다. {length}자이며, 최대 {most}자까지 쓸 수 있습니다',
  },
  'api.badArguments': {
    en: '{method}: invalid request ({words})',
    ko: '{method}: 잘못된 요청입니다({words})',
  },
  'api.badArgument': {
    en: '{method}: invalid value for {place} ({words})',
    ko: '{method}: {place} 값이 올바르지 않습니다({words})',
  },
  'api.notAllowed': {
    en: 'This page is not allowed to do that',
    ko: '이 페이지에서는 할 수 없는 작업입니다',
  },
  'api.fileGone': {
    en: 'This file is no longer available. Choose it again',
    ko: '선택한 파일을 더 이상 사용할 수 없습니다. 다시 선택하세요',
  },
  'api.fileTooLarge': {
    en: 'The file is larger than an archive can be; nothing was changed',
    ko: '보관 파일의 최대 크기보다 커서 아무것도 바꾸지 않았습니다',
  },
  'api.uploadBroken': {
    en: 'The upload was interrupted; nothing was changed',
    ko: '파일을 보내는 중 끊어져 아무것도 바꾸지 않았습니다',
  },
  'api.noFolders': {
    en: 'A browser cannot open folders',
    ko: '브라우저에서는 폴더를 선택할 수 없습니다',
  },
  'api.connectionLost': {
    en: 'The connection to Memory Keeper was lost',
    ko: 'Memory Keeper와의 연결이 끊어졌습니다',
  },
  'api.oldAddress': {
    en: 'Memory Keeper was restarted, and this page has the old address. Open the new one',
    ko: 'Memory Keeper가 다시 시작되어 이 페이지의 주소는 더 이상 쓸 수 없습니다. 새 주소를 여세요',
  },
  'api.httpStatus': {
    en: 'Memory Keeper responded with status {status}',
    ko: 'Memory Keeper가 상태 코드 {status:으로/로} 응답했습니다',
  },
} as const;
