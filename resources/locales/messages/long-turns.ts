/** Turns that cross the critical threshold inside themselves (K6): the switch, and what it did. */
export const LONG_TURNS = {
  'longTurns.ownValue': {
    en: '{path} already has an autoCompactWindow of your own: {own}. Nothing was changed. To replace it with {value}, name your value: --replace {own}',
    ko: '{path}에 직접 정한 autoCompactWindow 값 {own:이/가} 있어 아무것도 바꾸지 않았습니다. {value:으로/로} 바꾸려면 지금 값을 함께 적으세요: --replace {own}',
  },
  'longTurns.replaceOwn': {
    en: 'Replace your autoCompactWindow of {own} with {value}?',
    ko: '직접 정한 autoCompactWindow 값 {own:을/를} {value:으로/로} 바꿀까요?',
  },
  'longTurns.turnedOn': {
    en: 'Long turns are compacted at your critical threshold: {entry} is now {value} in {path}. Nothing else was changed.',
    ko: '이제 긴 턴은 위험 기준에서 압축됩니다. {path}의 {entry} 값은 {value}이며 다른 내용은 바꾸지 않았습니다.',
  },
  'longTurns.onAlready': {
    en: '{entry} is already {value} in {path}. Nothing was changed there.',
    ko: '{path}의 {entry} 값이 이미 {value}입니다. 아무것도 바꾸지 않았습니다.',
  },
  'longTurns.offAlready': {
    en: 'Memory Keeper has set nothing for long turns here. Nothing was changed.',
    ko: '긴 턴을 위해 Memory Keeper가 설정한 값이 없어 아무것도 바꾸지 않았습니다.',
  },
  'longTurns.removed': {
    en: '{entry} was removed from {path}. Nothing else was changed.',
    ko: '{path}에서 {entry:을/를} 지웠습니다. 다른 내용은 바꾸지 않았습니다.',
  },
  'longTurns.restored': {
    en: '{entry} in {path} is {before} again, as you had it. Nothing else was changed.',
    ko: '{path}의 {entry} 값을 원래대로 {before:으로/로} 되돌렸습니다. 다른 내용은 바꾸지 않았습니다.',
  },
  'longTurns.leftYours': {
    en: '{entry} in {path} has been changed since. Your value {own} stays.',
    ko: '{path}의 {entry:은/는} 그 뒤에 바뀌었습니다. 직접 정한 값 {own:은/는} 그대로 둡니다.',
  },
  'longTurns.goneAlready': {
    en: '{entry} is not in {path} any more. Nothing was changed.',
    ko: '{path}에 {entry:이/가} 이미 없어 아무것도 바꾸지 않았습니다.',
  },
  'longTurns.switchedOff': {
    en: 'It has no effect as long as auto-compact is off: {by}. Claude Code then compacts nothing by itself, inside a turn or after it.',
    ko: '자동 압축이 꺼져 있으면({by}) 효과가 없습니다. 그동안 Claude Code는 턴 안에서도 턴이 끝난 뒤에도 스스로 압축하지 않습니다.',
  },
  'longTurns.overridden': {
    en: 'It has no effect while this takes precedence: {by}',
    ko: '다음 설정이 먼저 적용되는 동안에는 효과가 없습니다: {by}',
  },
  'longTurns.modelsApart': {
    en: 'For these models your own modelSettings count: {models:list}',
    ko: '다음 모델에는 직접 정한 modelSettings가 적용됩니다: {models:list}',
  },
  'longTurns.notLoaded': {
    en: 'Claude Code does not load {path}: it may have comments or an error in it',
    ko: 'Claude Code가 {path:을/를} 읽지 않습니다. 주석이나 오류가 있을 수 있습니다',
  },
} as const;
