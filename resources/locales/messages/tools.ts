/** What tools answer when they cannot do what was asked (K8); Claude reads it, in English. */
export const TOOLS = {
  'tools.nothingKept': {
    en: 'Nothing is kept of this project yet.',
    ko: '이 프로젝트에는 아직 저장된 내용이 없습니다.',
  },
  'tools.noEntry': {
    en: 'This project’s memory has no entry "{id}". Use an id as search or timeline returned it.',
    ko: '이 프로젝트의 메모리에 ‘{id}’ 항목이 없습니다. search나 timeline이 알려 준 ID를 그대로 쓰세요.',
  },
  'tools.badArgument': {
    en: 'Invalid argument {place}: {words}',
    ko: '인자 {place} 값이 올바르지 않습니다: {words}',
  },
  'tools.noTool': { en: 'There is no such tool.', ko: '그런 도구가 없습니다.' },
  'tools.failed': {
    en: 'Memory Keeper could not answer; the reason is in its log.',
    ko: 'Memory Keeper가 답하지 못했습니다. 이유는 로그에 있습니다.',
  },
} as const;
