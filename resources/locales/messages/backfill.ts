/** Taking in the conversations that were there before Memory Keeper (L1d). */
export const BACKFILL = {
  'backfill.alreadyRunning': {
    en: 'Past conversations are being imported already (process {pid})',
    ko: '지난 대화를 이미 가져오고 있습니다(프로세스 {pid})',
  },
  'backfill.nothingToUndo': {
    en: 'There is no import of past conversations to undo',
    ko: '되돌릴 지난 대화 가져오기가 없습니다',
  },
  'backfill.badDate': {
    en: '"{text}" is not a date. Write it like 2026-10-31.',
    ko: '날짜로 읽을 수 없습니다: "{text}". 2026-10-31처럼 쓰세요.',
  },
  'backfill.problem': { en: '{path}: {reason}', ko: '{path}: {reason}' },
  'backfill.imported': {
    en: 'Imported {count} past {count:conversation|conversations}',
    ko: '지난 대화 {count}개를 가져왔습니다',
  },
  'backfill.undone': {
    en: 'Import undone: {count} {count:conversation|conversations} moved to the trash',
    ko: '가져온 대화 {count}개를 되돌렸습니다. 휴지통에 있습니다',
  },
} as const;
