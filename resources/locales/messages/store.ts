/** Files and locks of ours, and files that cannot be used. */
export const STORE = {
  'store.notJson': {
    en: '{file} is not valid JSON ({words})',
    ko: '{file:은/는} 올바른 JSON이 아닙니다({words})',
  },
  'store.notObject': {
    en: '{file} does not contain a JSON object',
    ko: '{file:은/는} JSON 객체가 아닙니다',
  },
  'store.badVersion': {
    en: '{file} has an invalid version number',
    ko: '{file}의 버전 번호가 올바르지 않습니다',
  },
  'store.newer': {
    en: '{file} was written by a newer Memory Keeper (format {version}; this one supports up to {known})',
    ko: '{file:은/는} 더 새로운 Memory Keeper가 저장했습니다(형식 {version}, 이 버전은 {known}까지 지원)',
  },
  'store.tooOld': {
    en: '{file} uses format {version}, which is no longer supported',
    ko: '{file}의 형식({version})은 더 이상 지원되지 않습니다',
  },
  'store.notUpgraded': {
    en: '{file} could not be upgraded from format {version} ({words})',
    ko: '형식 {version}의 {file:을/를} 최신 형식으로 바꿀 수 없습니다({words})',
  },
  'store.badContent': {
    en: '{file}: {place} is invalid (expected {expected}, found {received})',
    ko: '{file}: {place} 값이 올바르지 않습니다(필요: {expected}, 실제: {received})',
  },
  'store.changedOutside': {
    en: '{file} was changed outside Memory Keeper, so nothing was undone. The previous version is in {version}',
    ko: '{file:이/가} Memory Keeper 밖에서 변경되어 되돌리지 않았습니다. 이전 버전은 {version}에 있습니다',
  },
  'store.lockExpired': {
    en: 'Updating {file} took too long; nothing was written. Try again',
    ko: '{file:을/를} 바꾸는 데 너무 오래 걸려 아무것도 쓰지 않았습니다. 다시 시도하세요',
  },
  'store.busy': {
    en: '{file} is being changed by another process (PID {pid}). Try again in a moment',
    ko: '다른 프로세스(PID {pid})가 {file:을/를} 바꾸는 중입니다. 잠시 후 다시 시도하세요',
  },
  'store.notEmpty': {
    en: '{path} is not empty; nothing was moved',
    ko: '{path:이/가} 비어 있지 않아 아무것도 옮기지 않았습니다',
  },
  'store.exists': {
    en: '{path} already exists; nothing was written',
    ko: '{path:이/가} 이미 있어 아무것도 쓰지 않았습니다',
  },
  'store.isLink': {
    en: '{path} is a symbolic link; nothing is read or written there',
    ko: '{path:은/는} 심볼릭 링크라서 읽거나 쓰지 않습니다',
  },
  'store.noPlace': {
    en: 'there is no folder for this project yet, and none could be made ({words})',
    ko: '이 프로젝트의 폴더가 아직 없고 새로 만들 수도 없습니다({words})',
  },
  'store.leadsOut': {
    en: '{path} leads outside the project or to a missing file; nothing is read or written there',
    ko: '{path:이/가} 프로젝트 밖이나 없는 파일을 가리켜 읽거나 쓰지 않습니다',
  },
  'store.notFile': { en: '{path} is not a file', ko: '{path:은/는} 파일이 아닙니다' },
  'store.notInFolder': {
    en: '{path} cannot exist: part of its path is not a folder',
    ko: '{path:은/는} 있을 수 없습니다. 경로 중간에 폴더가 아닌 것이 있습니다',
  },
  'store.tooLarge': {
    en: '{path} is larger than {kilobytes} KB',
    ko: '{path:이/가} {kilobytes}KB보다 큽니다',
  },
  'store.noPermission': {
    en: 'No permission to read {path}',
    ko: '{path:을/를} 읽을 권한이 없습니다',
  },
  'store.otherOwner': {
    en: '{path} belongs to another user',
    ko: '{path:은/는} 다른 사용자의 파일입니다',
  },
} as const;
