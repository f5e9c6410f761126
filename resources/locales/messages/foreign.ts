/** Foreign notes: what a repository brings, and what the user decides about it. */
export const FOREIGN = {
  'foreign.gone': {
    en: 'There is no note {id} in the repository, or it has changed. Look at the list again. Nothing was changed.',
    ko: '저장소에 노트 {id:이/가} 없거나 내용이 바뀌었습니다. 목록을 다시 확인하세요. 아무것도 바꾸지 않았습니다.',
  },
  'foreign.inMemory': {
    en: 'Note {id} is in memory already. Remove it there. Nothing was changed.',
    ko: '노트 {id:은/는} 이미 메모리에 있습니다. 메모리에서 지우세요. 아무것도 바꾸지 않았습니다.',
  },
} as const;
