/** What is kept of a project: reading it, checking it, searching it, and models' work on it. */
export const MEMORY = {
  // Reading.
  'memory.empty': {
    en: 'No memory has been saved for {root} yet',
    ko: '{root}에는 아직 저장된 메모리가 없습니다',
  },
  'memory.leftAsIs': {
    en: '{problem}. The file was left as it is.',
    ko: '{problem}. 파일은 그대로 두었습니다.',
  },
  'memory.noSuchMemory': {
    en: 'there is no memory called {name}; memory-keeper memory where lists those that may belong to this project',
    ko: '{name} 메모리가 없습니다. memory-keeper memory where로 이 프로젝트의 것일 수 있는 메모리를 확인하세요',
  },
  'memory.severalMemories': {
    en: 'several memories are called {name}; choose one by its ID: {ids}',
    ko: '이름이 {name}인 메모리가 여럿입니다. ID로 지정하세요: {ids}',
  },
  'memory.unknownProject': {
    en: '{path} is not a project that Memory Keeper knows',
    ko: '{path:은/는} Memory Keeper가 아는 프로젝트가 아닙니다',
  },
  'memory.projectGone': { en: '{path} no longer exists', ko: '{path:이/가} 더 이상 없습니다' },
  'memory.conversationGone': {
    en: 'This conversation is no longer saved',
    ko: '이 대화는 더 이상 저장되어 있지 않습니다',
  },
  'memory.summaryGone': {
    en: 'This summary is no longer saved',
    ko: '이 요약은 더 이상 저장되어 있지 않습니다',
  },
  'memory.rulesCut': {
    en: 'Only the first {count} characters go along with prompts',
    ko: '처음 {count}자만 프롬프트와 함께 전달됩니다',
  },
  'memory.notATime': {
    en: '"{text}" is not a time. Use 2026-11-16 or 2026-11-16T09:30:00Z.',
    ko: '시각이 아닙니다: "{text}". 2026-11-16 또는 2026-11-16T09:30:00Z처럼 쓰세요.',
  },
  'memory.closing': { en: 'Memory Keeper is closing', ko: 'Memory Keeper를 종료하는 중입니다' },
  'memory.noThread': {
    en: 'The part that reads memory is missing. Install the whole app or the npm package.',
    ko: '메모리를 읽는 부분이 없습니다. 앱 전체나 npm 패키지를 설치하세요.',
  },

  // The trash.
  'memory.trashedByAge': {
    en: 'Older than {days} days. The trash keeps them for {trashDays} more days; until then you can restore them.',
    ko: '{days}일이 지났습니다. 휴지통에 {trashDays}일 동안 더 두며, 그동안은 되돌릴 수 있습니다.',
  },
  'memory.trashTimeOver': {
    en: 'They were in the trash for {trashDays} days',
    ko: '휴지통에 {trashDays}일 동안 있었습니다',
  },
  'memory.trashEmptied': { en: 'You emptied the trash', ko: '휴지통을 비웠습니다' },
  'memory.trashKeptAgain': {
    en: 'They are kept for another {days} days',
    ko: '{days}일 동안 다시 보관합니다',
  },
  'memory.notInTrash': {
    en: '{name} is not in the trash',
    ko: '휴지통에 없습니다: {name}',
  },

  // Checking.
  'memory.conversationLost': {
    en: '{file} is gone, so its conversation can no longer be searched',
    ko: '{file:이/가} 없어 그 대화는 더 이상 검색할 수 없습니다',
  },
  'memory.quoteLost': {
    en: '{id}: its quote is not in entry {entry}',
    ko: '{id}: 인용한 내용이 항목 {entry}에 없습니다',
  },
  'memory.behindJournal': {
    en: '{file} is behind the journal. Run `memory-keeper memory rebuild` to update it.',
    ko: '{file}에 최근 기록이 반영되지 않았습니다. `memory-keeper memory rebuild`를 실행하면 최신 상태가 됩니다.',
  },

  // Why there is no work for a model, and why its answer is not used.
  'memory.nothingNew': {
    en: 'There is nothing new to summarize',
    ko: '새로 요약할 내용이 없습니다',
  },
  'memory.noDelta': { en: 'No delta has been extracted', ko: '추출한 델타가 없습니다' },
  'memory.nothingNewForFacts': {
    en: 'There is nothing new to look for facts in',
    ko: '사실을 찾을 새로운 내용이 없습니다',
  },
  'memory.alreadyDone': { en: 'It is already done', ko: '이미 처리되었습니다' },
  'memory.alreadySummarized': { en: 'It is already summarized', ko: '이미 요약되었습니다' },
  'memory.handOverEmpty': { en: 'The answer is empty', ko: '응답이 비어 있습니다' },
  'memory.handOverRefused': {
    en: 'The model declined to write it',
    ko: '모델이 작성을 거절했습니다',
  },
  'memory.handOverNothing': {
    en: 'The model found nothing to hand over',
    ko: '모델이 인계할 내용을 찾지 못했습니다',
  },
  'memory.handOverTools': {
    en: 'The model only said what it would do next, not what was done',
    ko: '모델이 무엇을 할지만 답하고 인계 내용은 쓰지 않았습니다',
  },
  'memory.notASummary': { en: 'The answer is not a summary', ko: '응답이 요약이 아닙니다' },
  'memory.summaryOfOther': {
    en: 'The summary is about something else',
    ko: '요약이 다른 내용을 다루고 있습니다',
  },
  'memory.notFacts': {
    en: 'The answer is not a list of facts',
    ko: '응답이 사실 목록이 아닙니다',
  },
  'memory.factsOfOther': {
    en: 'The facts are about something else',
    ko: '사실이 다른 내용을 다루고 있습니다',
  },

  // Why a fact that a model found is not kept.
  'memory.factRemoved': { en: 'You have removed it before', ko: '전에 삭제한 사실입니다' },
  'memory.factsFull': {
    en: 'The session already has {count} facts',
    ko: '이 세션의 사실이 이미 {count}개입니다',
  },
  'memory.factTooLong': { en: 'It is too long for one fact', ko: '사실 하나로는 너무 깁니다' },
  'memory.factNoEntry': { en: 'There is no entry "{entry}"', ko: '없는 항목입니다: "{entry}"' },
  'memory.factNoQuote': { en: 'It has no quote', ko: '인용이 없습니다' },
  'memory.factMisquoted': {
    en: 'Its quote is not in the entry it names',
    ko: '인용한 내용이 해당 항목에 없습니다',
  },
  'memory.factInvented': {
    en: '"{detail}" is not in the entry it names',
    ko: '해당 항목에 "{detail}" 내용이 없습니다',
  },
  'memory.factUnsupported': {
    en: 'The entry it names does not say so',
    ko: '해당 항목에 그런 내용이 없습니다',
  },

  // What 0.1.0 kept in a project.
  'memory.earlierTooMany': {
    en: 'The old memory in {path} has more files than a memory of ours ever had',
    ko: '{path}의 예전 메모리에 파일이 지나치게 많습니다',
  },
  'memory.earlierTooLarge': {
    en: '{path} is larger than a memory file can be',
    ko: '{path:은/는} 메모리 파일이라고 하기에는 너무 큽니다',
  },
  'memory.earlierNone': {
    en: 'There is no memory of version 0.1.0 in {path}',
    ko: '{path}에 0.1.0 버전의 메모리가 없습니다',
  },
  'memory.earlierMoved': {
    en: 'Moved {count} {count:session|sessions} of version 0.1.0 into your home folder',
    ko: '0.1.0 버전의 세션 {count}개를 홈 폴더로 옮겼습니다',
  },
  'memory.earlierAdopted': {
    en: 'Took over from version 0.1.0: {parts:list}',
    ko: '0.1.0 버전에서 가져왔습니다: {parts:list}',
  },
  'memory.earlierSessions': { en: '{count} {count:session|sessions}', ko: '세션 {count}개' },
  'memory.earlierEdits': { en: '{count} {count:edit|edits}', ko: '수정 {count}개' },
  'memory.earlierRules': { en: 'rules', ko: '규칙' },
  'memory.earlierSettings': { en: 'settings', ko: '설정' },
  'memory.earlierRefused': {
    en: 'You said that the old memory in {path} is not yours. Nothing was taken over.',
    ko: '{path}의 예전 메모리는 본인의 것이 아니라고 하셨습니다. 아무것도 가져오지 않았습니다.',
  },
  'memory.linked': {
    en: 'Linked the memory of {path}',
    ko: '{path}의 메모리를 연결했습니다',
  },
  'memory.earlierNotMoved': {
    en: 'Not everything in {path} has been taken over, so nothing was deleted',
    ko: '{path}의 내용을 아직 모두 가져오지 않아 아무것도 지우지 않았습니다',
  },
  'memory.noSuggestion': { en: 'There is no suggestion "{id}"', ko: '‘{id}’ 제안이 없습니다' },
  'memory.claudeRemembers': {
    en: 'Claude suggests to keep: {words}. Decide: memory-keeper memory suggestions',
    ko: 'Claude가 저장을 제안했습니다: {words}. 결정하기: memory-keeper memory suggestions',
  },
  'memory.claudeForgets': {
    en: 'Claude suggests to forget: {words}. Decide: memory-keeper memory suggestions',
    ko: 'Claude가 삭제를 제안했습니다: {words}. 결정하기: memory-keeper memory suggestions',
  },
} as const;
