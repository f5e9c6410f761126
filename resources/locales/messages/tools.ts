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
  'tools.noFact': {
    en: 'This project’s memory has no fact "{id}". Only facts can be proposed, by an id such as d001.',
    ko: '이 프로젝트의 메모리에 ‘{id}’ 사실이 없습니다. d001 같은 ID로 사실만 제안할 수 있습니다.',
  },
  'tools.refusedBefore': {
    en: 'The user has refused this before.',
    ko: '사용자가 이미 거절한 제안입니다.',
  },
  'tools.tooManySuggestions': {
    en: 'Too many suggestions wait for the user already: memory-keeper memory suggestions',
    ko: '사용자의 결정을 기다리는 제안이 너무 많습니다: memory-keeper memory suggestions',
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
