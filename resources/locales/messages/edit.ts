/** What people change in memory, and its undo (M19). */
export const EDIT = {
  // What a change is about.
  'edit.decision': { en: 'Decision {id}', ko: '결정 {id}' },
  'edit.pattern': { en: 'Pattern {id}', ko: '패턴 {id}' },
  'edit.issue': { en: 'Issue {id}', ko: '문제 {id}' },
  'edit.note': { en: 'Note {id}', ko: '메모 {id}' },
  'edit.rule': { en: 'Rule {id}', ko: '규칙 {id}' },
  'edit.solution': { en: 'Solution {id}', ko: '해결책 {id}' },
  'edit.coreLogic': { en: 'Core logic {id}', ko: '핵심 로직 {id}' },
  'edit.concept': { en: 'Concept {id}', ko: '개념 {id}' },
  /** A file, and where in it: names that nobody translates. */
  'edit.place': { en: '{names:list}', ko: '{names:list}' },

  'edit.removed': { en: '{what} removed', ko: '{what} 삭제' },
  'edit.undone': { en: '{what}: change undone', ko: '{what}: 변경을 되돌림' },
  'edit.removedByUndo': { en: '{what} removed by undo', ko: '{what}: 되돌려서 삭제' },

  // Why a change cannot be made or undone.
  'edit.missing': { en: 'There is no such change', ko: '그런 변경이 없습니다' },
  'edit.nothingToUndo': { en: 'There is no change to undo', ko: '되돌릴 변경이 없습니다' },
  'edit.alreadyUndone': {
    en: 'This change has already been undone',
    ko: '이미 되돌린 변경입니다',
  },
  'edit.cannotUndo': {
    en: 'This change cannot be undone: {reason}',
    ko: '이 변경은 되돌릴 수 없습니다: {reason}',
  },
  'edit.changedSince': { en: 'It has been changed since', ko: '그 뒤에 변경되었습니다' },
  'edit.removedSince': { en: 'It has been removed since', ko: '그 뒤에 삭제되었습니다' },
  'edit.unknownBefore': {
    en: 'Its earlier content is not known',
    ko: '이전 내용을 알 수 없습니다',
  },
  'edit.notUndone': {
    en: '{problems:list}. Nothing was undone.',
    ko: '{problems:list}. 아무것도 되돌리지 않았습니다.',
  },
  'edit.notSaved': {
    en: '{problems:list}. Nothing was saved.',
    ko: '{problems:list}. 아무것도 저장하지 않았습니다.',
  },
  'edit.noFact': { en: 'There is no fact {id}', ko: '사실 {id:이/가} 없습니다' },
  'edit.noConcept': { en: 'There is no concept {id}', ko: '개념 {id:이/가} 없습니다' },
  'edit.factNeedsText': { en: 'A fact needs text', ko: '사실에는 내용이 필요합니다' },
  'edit.noRulesUndo': {
    en: 'There is no change to these rules to undo',
    ko: '되돌릴 규칙 변경이 없습니다',
  },
  'edit.rulesOutside': {
    en: 'The rules of this project lead out of the project, so they were left alone',
    ko: '이 프로젝트의 규칙이 프로젝트 밖을 가리켜 그대로 두었습니다',
  },
} as const;
